/** Whether the person sees an input: by style, by size, and by what is drawn above it. Reads the layout, changes nothing that stays. */
import {
  type Tree,
  all,
  attribute,
  drawnAncestors,
  isShownByStyle,
  matches,
  rectOf,
  removeAttribute,
  rootOf,
  scrollElement,
  scrollIntoView,
  setAttribute,
  shadowOf,
  stackAt,
  tagOf,
  text,
} from './dom.ts';
import { MARK_OF_UNCOVERING, UNCOVERING_RULES } from './form-types.ts';

/** CSS pixels. */
const LEAST_SIDE = 8;
const LEAST_OPACITY = 0.5;
/** Shadow roots in each other. */
const DEEPEST = 20;
/** Above the field, more transparent than this is as good as nothing. */
const CLEAR = 0.2;
/** Centre first, then halfway to each side. */
const POINTS = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
] as const;
const PICTURES = new Set(
  'audio canvas embed iframe img input meter object progress select svg textarea video'.split(' '),
);
/** Filters that change colours and hide nothing: dark modes use them. */
const HARMLESS_FILTER =
  /^(?:none|(?:(?:invert|hue-rotate|grayscale|sepia|saturate|drop-shadow)\((?:[^()]|\([^()]*\))*\)\s*)+)$/;

/** Shown by style and large enough; says nothing about what is above it, and whether it is scrolled into view. */
export function isDrawn(input: HTMLInputElement): boolean {
  if (!isShownByStyle(input)) return false;
  const { width, height, right, left } = rectOf(input);
  if (width < LEAST_SIDE || height < LEAST_SIDE) return false;
  // The page scrolls down to reach a field, never to the side.
  if (right + scrollX <= 0 || left >= innerWidth) return false;
  let opacity = 1;
  for (const element of drawnAncestors(input)) {
    const style = getComputedStyle(element);
    opacity *= Number(style.opacity);
    if (opacity < LEAST_OPACITY || !HARMLESS_FILTER.test(style.filter)) return false;
    if (style.maskImage !== 'none' || style.mixBlendMode !== 'normal') return false;
  }
  return true;
}

/**
 * Whether a click at the centre of the input reaches it, or a label of its own. Asked before the rules of `UNCOVERING_RULES` are in force: a clear layer that
 * takes the clicks hides nothing, but it says that the field is not to be used.
 */
export function isReachable(input: HTMLInputElement): boolean {
  const back = isInWindow(input) ? null : scrollTo(input);
  try {
    return isReached(input);
  } finally {
    back?.();
  }
}

function isReached(input: HTMLInputElement): boolean {
  const { left, top, width, height } = rectOf(input);
  let node: Element = input;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const root = rootOf(node);
    if (root === null) return false;
    const [topmost] = stackAt(root, left + width / 2, top + height / 2);
    if (topmost === undefined) return false;
    const isOwn = topmost === node || [...(input.labels ?? [])].some((label) => label.contains(topmost));
    if (!isOwn && !liesIn(topmost, input)) return false;
    if (root instanceof Document || topmost !== node) return true;
    node = root.host;
  }
  return false;
}

/** Hit tests of inputs, between `uncover` and `end`, which must be one task without any event in between. */
export interface Uncovered {
  /** Whether nothing covers the input. A field outside the window is scrolled into it for the test and back. */
  isVisible(input: HTMLInputElement): boolean;
  end(): void;
}

/**
 * User styles end at shadow roots: a style sheet of ours is added to them until `end`.
 * @returns null if the rules of `UNCOVERING_RULES` are not in force
 */
export function uncover(roots: Tree['roots']): Uncovered | null {
  if (getComputedStyle(document.documentElement).getPropertyValue(MARK_OF_UNCOVERING).trim() !== '1') return null;
  const shadows = roots.filter((root) => root instanceof ShadowRoot);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer{*,*::before,*::after{${UNCOVERING_RULES}}}`);
  const before = shadows.map((root) => [root, [...root.adoptedStyleSheets]] as const);
  for (const [root, sheets] of before) root.adoptedStyleSheets = [...sheets, sheet];
  // Styles of the page can be stronger than this sheet.
  const stubborn = shadows
    .flatMap((root) => all(root, '*'))
    .filter((element) => getComputedStyle(element).pointerEvents === 'none');
  return {
    isVisible: (input) => isVisible(input, shadows, stubborn),
    end: () => {
      for (const [root, sheets] of before) root.adoptedStyleSheets = [...sheets];
    },
  };
}

function isVisible(input: HTMLInputElement, shadows: readonly ShadowRoot[], stubborn: readonly Element[]): boolean {
  const ancestors = drawnAncestors(input);
  // No style lifts `inert`: other inert parts of the page are alive for the test.
  const inert = [document, ...shadows]
    .flatMap((root) => all(root, '[inert]'))
    .filter((element) => !ancestors.includes(element))
    .map((element) => [element, attribute(element, 'inert')] as const);
  for (const [element] of inert) removeAttribute(element, 'inert');
  const back = isInWindow(input) ? null : scrollTo(input);
  try {
    if (!isOnTop(input, ancestors)) return false;
    const layers = [
      ...stubborn.filter((element) => paints(getComputedStyle(element), false)),
      ...inertLayers(ancestors),
    ];
    return !layers.some((layer) => !ancestors.includes(layer) && overlap(layer, input));
  } finally {
    back?.();
    for (const [element, value] of inert) setAttribute(element, 'inert', value);
  }
}

/** Scrolls the input into the middle of the window. @returns what scrolls all containers back */
export function scrollTo(input: HTMLInputElement): () => void {
  const before = drawnAncestors(input).map((element) => [element, element.scrollLeft, element.scrollTop] as const);
  scrollIntoView(input, { block: 'center', inline: 'nearest', behavior: 'instant' });
  return () => {
    for (const [element, left, top] of before)
      if (element.scrollLeft !== left || element.scrollTop !== top)
        scrollElement(element, { left, top, behavior: 'instant' });
  };
}

function isInWindow(input: HTMLInputElement): boolean {
  const { left, top, width, height } = rectOf(input);
  const y = top + height / 2;
  const x = left + width / 2;
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false;
  return drawnAncestors(input).every((element) => {
    if (element === input || getComputedStyle(element).overflowY === 'visible') return true;
    if (element === document.body || element === document.documentElement) return true;
    const box = rectOf(element);
    return y >= box.top && y <= box.bottom;
  });
}

/** The centre and most other points of the input meet the input, or small text of its own, such as a label that lies in it. */
function isOnTop(input: HTMLInputElement, ancestors: readonly Element[]): boolean {
  const { left, top, width, height } = rectOf(input);
  const hits = POINTS.map(([x, y]) => whatIsAt(input, ancestors, left + width * x, top + height * y));
  const [centre] = hits;
  const own = hits.filter((hit) => hit === 'input').length;
  const texts = hits.filter((hit) => hit === 'text').length;
  return centre !== 'other' && own >= 2 && own + texts >= 3;
}

type Hit = 'input' | 'text' | 'other';

/** What is drawn topmost at a point of the input, through all shadow trees that it is in. */
function whatIsAt(input: HTMLInputElement, ancestors: readonly Element[], x: number, y: number): Hit {
  let hit: Hit = 'input';
  let node: Element = input;
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const root = rootOf(node);
    if (root === null) return 'other';
    const stack = stackAt(root, x, y);
    const place = stack.indexOf(node);
    if (place < 0) return 'other';
    for (const above of stack.slice(0, place)) {
      const one = whatCovers(above, input, ancestors, x, y);
      if (one === 'other') return 'other';
      if (one === 'text') hit = 'text';
    }
    if (root instanceof Document) return hit;
    node = root.host;
  }
  return 'other';
}

/** What an element above the input hides of it: `input` means nothing. */
function whatCovers(above: Element, input: HTMLInputElement, ancestors: readonly Element[], x: number, y: number): Hit {
  const inner = shadowOf(above);
  if (inner !== null) {
    const stack = stackAt(inner, x, y).filter((element) => rootOf(element) === inner);
    if (
      stack.some((element) => !ancestors.includes(element) && whatCovers(element, input, ancestors, x, y) !== 'input')
    )
      return 'other';
  }
  if (Number(getComputedStyle(above).opacity) <= CLEAR) return 'input';
  const pseudo = ['::before', '::after'].filter((part) => {
    const { content } = getComputedStyle(above, part);
    return content !== 'none' && content !== 'normal';
  });
  if (pseudo.some((part) => paints(getComputedStyle(above, part), true))) return 'other';
  if (ancestors.includes(above)) {
    // A container is met before its input if a pseudo-element of it is above, or if the input lies below its background.
    const isBelow = ancestors.some((element) => Number(getComputedStyle(element).zIndex) < 0);
    if (pseudo.length > 0 && !isBelow) return 'input';
    return paints(getComputedStyle(above), false) ? 'other' : 'input';
  }
  if (PICTURES.has(tagOf(above)) || above instanceof SVGElement) return 'other';
  const covers = paints(getComputedStyle(above), false);
  if (!covers && text(above).trim() === '') return 'input';
  return liesIn(above, input) ? 'text' : covers ? 'other' : hasTextAt(above, x, y) ? 'text' : 'input';
}

function paints(style: CSSStyleDeclaration, isPseudo: boolean): boolean {
  if (style.display === 'none' || style.visibility === 'hidden' || Number(style.opacity) <= CLEAR) return false;
  if (alphaOf(style.backgroundColor) > CLEAR || style.backgroundImage !== 'none') return true;
  if (style.backdropFilter !== 'none' || style.boxShadow.includes('inset')) return true;
  return isPseudo && !/^(?:""|'')$/.test(style.content);
}

/** 0 to 1 of a computed colour. */
function alphaOf(colour: string): number {
  const alpha = /^rgba\(.*,\s*([\d.]+)\)$/.exec(colour)?.[1] ?? /\/\s*([\d.]+)\)$/.exec(colour)?.[1];
  return alpha === undefined ? 1 : Number(alpha);
}

/** A label or placeholder of the input: no larger than it. */
function liesIn(element: Element, input: HTMLInputElement): boolean {
  const inside = rectOf(element);
  const box = rectOf(input);
  const slack = 12;
  return (
    inside.left >= box.left - slack &&
    inside.right <= box.right + slack &&
    inside.top >= box.top - slack &&
    inside.bottom <= box.bottom + slack
  );
}

function hasTextAt(element: Element, x: number, y: number): boolean {
  const range = new Range();
  for (const node of element.childNodes) {
    if (!(node instanceof Text)) continue;
    range.selectNodeContents(node);
    for (const { left, right, top, bottom } of range.getClientRects())
      if (x >= left && x <= right && y >= top && y <= bottom) return true;
  }
  return false;
}

/** Popovers outside the modal dialog of the input: no hit test meets them, although they may be drawn above it. */
function inertLayers(ancestors: readonly Element[]): Element[] {
  const isModal = ancestors.some((element) => element instanceof HTMLDialogElement && matches(element, ':modal'));
  return isModal ? all(document, ':popover-open') : [];
}

function overlap(layer: Element, input: HTMLInputElement): boolean {
  const box = rectOf(input);
  const { left, right, top, bottom } = rectOf(layer);
  return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
}
