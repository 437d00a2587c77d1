/** Content that does not fit a window: WCAG 1.4.10, for a width of 320 CSS pixels and any text. */
import type { Page } from 'playwright-core';
import { atRest } from './accessibility.ts';

/**
 * Every fault as a line; empty on a good page. Tables may scroll sideways in their own box (allowed by WCAG
 * 1.4.10); everything else must fit, nothing may be cut off without an ellipsis, and every control of the top
 * layer must be reachable.
 */
export async function reflowFaults(page: Page): Promise<readonly string[]> {
  await atRest(page);
  return page.evaluate(() => {
    const faults: string[] = [];
    const name = (element: Element) => {
      const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
      return `${element.tagName.toLowerCase()}.${element.className.toString().split(' ')[0] ?? ''} “${text}”`;
    };
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide`);
    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      element.closest('[inert]') === null;
    /** Boxes of 1 × 1 are for screen readers. */
    const isForEyes = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1;
    };
    const tableBox = (element: Element): Element | null => {
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        const scrolls = /auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth;
        if (scrolls) return box;
      }
      return null;
    };
    const layer = [...document.querySelectorAll('dialog[open], [role=dialog]')].filter(isShown).at(-1);
    for (const element of document.querySelectorAll('body *')) {
      if (!isShown(element) || !isForEyes(element) || element instanceof SVGElement) continue;
      const style = getComputedStyle(element);
      const isWider = element.scrollWidth > element.clientWidth + 1;
      const isBox = style.overflowX !== 'visible' && style.display !== 'inline';
      if (isWider && isBox && !element.matches('input, textarea, select')) {
        if (/auto|scroll/.test(style.overflowX)) {
          if (element.querySelector('table, [role=table], [role=grid], [role=treegrid]') === null)
            faults.push(`scrolls sideways: ${name(element)}`);
        } else if (style.textOverflow !== 'ellipsis') faults.push(`cut off: ${name(element)}`);
      }
      const isControl = element.matches(
        'button, a[href], input, select, textarea, [role=tab], [role=menuitem], [tabindex="0"]',
      );
      if (!isControl || (layer !== undefined && !layer.contains(element))) continue;
      if (element.matches('a[href="#main"]')) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if ((left < -1 || right > innerWidth + 1) && tableBox(element) === null)
        faults.push(
          `out of the window by ${Math.round(Math.max(-left, right - innerWidth))} of ${Math.round(width)}: ${name(element)}`,
        );
    }
    if (layer !== undefined) {
      for (const control of layer.querySelectorAll('button, input, select, textarea, [role=menuitem]')) {
        if (!isShown(control) || !isForEyes(control)) continue;
        control.scrollIntoView({ block: 'nearest' });
        const { top, bottom } = control.getBoundingClientRect();
        if (top < -1 || bottom > innerHeight + 1) faults.push(`cannot be reached: ${name(control)}`);
      }
    }
    return faults;
  });
}
