/**
 * Walks through a page by the Tab key and reports controls that it misses, invisible focus and focus traps.
 */
import type { Page } from 'playwright-core';
import { atRest } from './accessibility.ts';

const MOST_STEPS = 400;

/**
 * Every fault as a line; empty on a good page. In a dialog Tab cycles; in a menu the arrow keys are used. A
 * composite widget (tabs, a tree, radios) is one tab stop. The popup of a text field is skipped, because Tab
 * closes it.
 */
export async function tabFaults(page: Page): Promise<readonly string[]> {
  await atRest(page);
  const walk = await page.evaluateHandle(beginWalk);
  try {
    const key = await walk.evaluate((one) => one.key);
    for (let step = 0; key !== null && step < MOST_STEPS; step += 1) {
      await page.keyboard.press(key);
      if (await walk.evaluate((one) => one.isOver())) break;
    }
    return await walk.evaluate((one) => one.end());
  } finally {
    await walk.dispose();
  }
}

/** Number of visible dialogs and menus. */
export const openLayers = (page: Page): Promise<number> =>
  page.locator('dialog[open], [role=dialog], [role=alertdialog], [role=menu]').filter({ visible: true }).count();

/** Whether the focus is nowhere after something was closed. */
export const lostFocus = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { activeElement, body } = document;
    return activeElement === null || activeElement === body || !activeElement.checkVisibility();
  });

/** Runs in the page and keeps its state between two keys. */
function beginWalk() {
  const CONTROLS =
    'button, a[href], input, select, textarea, summary, [role=button], [role=link], [role=tab], [role=checkbox], [role=radio], [role=switch], [role=menuitem], [role=menuitemradio], [contenteditable=true], [tabindex="0"]';
  const WIDGETS =
    '[role=tablist], [role=radiogroup], [role=treegrid], [role=grid], [role=listbox], [role=toolbar], [role=menu], [role=group]';
  const LANDMARKS = 'main, nav, header, aside, footer, form, dialog, [role=dialog], [role=alertdialog], [role=region]';
  const faults = new Set<string>();
  const reached: HTMLElement[] = [];
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest('[inert], [aria-hidden=true]') === null;
  const name = (element: Element) => {
    const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
    const text = element.getAttribute('aria-label') ?? (labels[0] ?? element).textContent ?? '';
    return `${element.tagName.toLowerCase()}.${element.className.toString().split(' ')[0] ?? ''} “${text.trim().slice(0, 40)}”`;
  };
  const isCopying = (element: Element) => /^copy\b/i.test(element.getAttribute('aria-label') ?? '');
  const last = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(isShown).at(-1);
  const menu = last('[role=menu]');
  const layer = menu ?? last('dialog[open], [role=dialog], [role=alertdialog]');
  /** A popover is not a modal dialog: it closes when the focus leaves it. */
  const endOfPopover =
    layer === undefined || layer === menu || layer.matches('dialog')
      ? undefined
      : [...layer.querySelectorAll<HTMLElement>(CONTROLS)]
          .filter((element) => isShown(element) && element.tabIndex >= 0 && !element.matches(':disabled'))
          .at(-1);
  const before = document.activeElement as HTMLElement | null;
  const isPopup = last('[role=combobox][aria-expanded=true]') !== undefined;
  if (!isPopup && layer === undefined) {
    // The next Tab focuses the first control of the page.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  }
  if (layer !== undefined && !layer.contains(before)) faults.add(`the focus is not in what was opened: ${name(layer)}`);

  const PARTS = 8;
  let [timesBefore, timesOutside, timesHere] = [0, 0, 0];
  /** A hidden input is visible by its label. */
  const face = (element: Element) => element.closest('label') ?? element;
  /** Outlines and shadows of the control, its descendants and the boxes around it. */
  const look = (element: Element) => {
    const around: Element[] = [];
    for (let box = face(element).parentElement; box !== null && around.length < 3; box = box.parentElement)
      around.push(box);
    const inside = [...face(element).querySelectorAll('*')].slice(0, 40);
    return [face(element), ...inside, ...around]
      .flatMap((one) => ['', '::before', '::after'].map((pseudo) => getComputedStyle(one, pseudo)))
      .map(({ outlineStyle, outlineWidth, outlineColor, boxShadow }) =>
        outlineStyle === 'none' ? boxShadow : `${outlineWidth} ${outlineColor} ${boxShadow}`,
      )
      .join('|');
  };
  /**
   * Compares the same place with and without focus, because one box may show the focus of several controls.
   */
  const isSeen = async (element: HTMLElement) => {
    const focused = look(element);
    element.blur();
    let blurred = look(element);
    // A component may draw the focus in the next frame.
    if (focused === blurred) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    blurred = look(element);
    element.focus({ preventScroll: true });
    return focused !== blurred;
  };
  const isAtEdge = (element: Element) => {
    for (let box: Element | null = element; box !== null; box = box.parentElement)
      if (/fixed|sticky/.test(getComputedStyle(box).position)) return true;
    return false;
  };
  const isCovered = (element: Element) => {
    const { left, right, top, bottom } = face(element).getBoundingClientRect();
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const above = document.elementFromPoint(x, y);
    // Escape closes the activity log wherever the focus is, and a notice disappears by itself.
    const passing = '[data-until-escape], [popover][aria-label=Notices]';
    if (above !== null && above.closest(passing) !== null) return false;
    return above === null || !(face(element).contains(above) || above.contains(element));
  };

  return {
    key: isPopup ? null : menu === undefined ? 'Tab' : 'ArrowDown',
    /** Called after each key. True once every stop was visited. */
    async isOver() {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) {
        // Tab leaves the dialog for the browser's toolbar, and the next Tab returns.
        if (reached.length === 0) timesBefore += 1;
        else timesOutside += 1;
        const isLost = timesBefore > 1 || timesOutside > 1;
        if (layer !== undefined && isLost) faults.add('the focus falls out of what is open');
        return layer === undefined || isLost;
      }
      const was = reached.at(-1);
      // Day, month and year are stops in one field.
      timesHere = element === was ? timesHere + 1 : 0;
      if (element === was && reached.length > 1 && timesHere < PARTS) return false;
      if (was !== undefined && reached.includes(element)) {
        if (element !== reached[0]) faults.add(`there is no way on from ${name(was)}`);
        return true;
      }
      if (layer !== undefined && !layer.contains(element)) {
        faults.add(`the focus leaves what is open for ${name(element)}`);
        return true;
      }
      if (element.closest('[aria-hidden=true]') !== null) faults.add(`hidden from readers: ${name(element)}`);
      if (isCovered(element)) faults.add(`something lies over it: ${name(element)}`);
      if (!(await isSeen(element))) faults.add(`the focus cannot be seen: ${name(element)}`);
      reached.push(element);
      return element === endOfPopover;
    },
    end(): readonly string[] {
      if (this.key === null) return [];
      const within = layer ?? document.body;
      const missed = [...within.querySelectorAll<HTMLElement>(CONTROLS)].filter((element) => {
        if (!isShown(element) || element.matches(':disabled, [aria-disabled=true], [type=hidden]')) return false;
        if (reached.includes(element) || reached.some((one) => element.contains(one) && element.tabIndex < 0))
          return false;
        // For screen readers only, or the input behind a button.
        if (element.tabIndex < 0 && element.getBoundingClientRect().width <= 1) return false;
        const widget = element.tabIndex < 0 ? element.closest(WIDGETS) : null;
        if (this.key === 'Tab' && widget !== null && reached.some((one) => widget.contains(one))) return false;
        // A press on a hidden value copies it, as the Copy button of its row does.
        const row = element.tabIndex < 0 && isCopying(element) ? element.closest('tr, [role=row], li') : null;
        if (row !== null && reached.some((one) => row.contains(one) && isCopying(one))) return false;
        const group = element instanceof HTMLInputElement && element.type === 'radio' ? element.name : null;
        return group === null || !reached.some((one) => one instanceof HTMLInputElement && one.name === group);
      });
      for (const element of missed) faults.add(`never reached: ${name(element)}`);
      // The focus may start in the middle of a dialog.
      const isBefore = (a: Element, b: Element) =>
        (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
      const first = reached.findIndex((element) => reached.every((one) => one === element || isBefore(element, one)));
      const round = [...reached.slice(first), ...reached.slice(0, first)];
      round.forEach((element, at) => {
        const next = round[at + 1];
        if (next === undefined || element.closest(LANDMARKS) !== next.closest(LANDMARKS)) return;
        if (!isBefore(element, next)) faults.add(`not in the order of the page: ${name(element)}, ${name(next)}`);
        // Cells of a row keep their DOM order in narrow windows, and a fixed or sticky bar has no place in
        // the order.
        const row = element.closest('[role=row], tr');
        if ((row !== null && row === next.closest('[role=row], tr')) || isAtEdge(element) || isAtEdge(next)) return;
        const [a, b] = [face(element).getBoundingClientRect(), face(next).getBoundingClientRect()];
        const isSameColumn = a.left < b.right && b.left < a.right;
        const isSameLine = a.top < b.bottom && b.top < a.bottom;
        if (isSameColumn && b.bottom <= a.top) faults.add(`back up from ${name(element)} to ${name(next)}`);
        if (isSameLine && b.right <= a.left) faults.add(`back left from ${name(element)} to ${name(next)}`);
      });
      if (reached.length === 0) faults.add('nothing is reached');
      before?.focus({ preventScroll: true });
      return [...faults];
    },
  };
}
