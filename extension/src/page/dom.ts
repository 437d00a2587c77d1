/**
 * The DOM without the properties that a page can replace. Scripts of an extension have prototypes of their own, but named elements (`<input name=action>`,
 * `<img name=querySelectorAll>`) hide properties of forms and of the document in every world, so getters and methods are taken from the prototypes.
 */

type Root = Document | ShadowRoot;

/** The getter of a property of a prototype, as a function of the object. */
function getter<T extends object, K extends keyof T>(prototype: T, name: K): (of: T) => T[K] {
  return (of) => Reflect.get(prototype, name, of) as T[K];
}

/** A method of a prototype, as a function of the object. */
function method<T extends object, A extends unknown[], R>(prototype: T, name: keyof T): (of: T, ...given: A) => R {
  const run: unknown = Reflect.get(prototype, name);
  if (typeof run !== 'function') throw new Error(`No method ${String(name)}`);
  return (of, ...given) => Reflect.apply(run, of, given) as R;
}

type Query<T> = (of: T, selector: string) => NodeListOf<Element>;
type Stack<T> = (of: T, x: number, y: number) => Element[];

const documentQuery: Query<Document> = method(Document.prototype, 'querySelectorAll');
const fragmentQuery: Query<DocumentFragment> = method(DocumentFragment.prototype, 'querySelectorAll');
const elementQuery: Query<Element> = method(Element.prototype, 'querySelectorAll');
const documentStack: Stack<Document> = method(Document.prototype, 'elementsFromPoint');
const shadowStack: Stack<ShadowRoot> = method(ShadowRoot.prototype, 'elementsFromPoint');
const root: (node: Node) => Node = method(Node.prototype, 'getRootNode');
const readAttribute: (of: Element, name: string) => string | null = method(Element.prototype, 'getAttribute');
const visibility: (of: Element, options: CheckVisibilityOptions) => boolean = method(
  Element.prototype,
  'checkVisibility',
);

export const hasAttribute: (of: Element, name: string) => boolean = method(Element.prototype, 'hasAttribute');
export const setAttribute: (of: Element, name: string, value: string) => void = method(
  Element.prototype,
  'setAttribute',
);
export const removeAttribute: (of: Element, name: string) => void = method(Element.prototype, 'removeAttribute');
export const rectOf: (of: Element) => DOMRect = method(Element.prototype, 'getBoundingClientRect');
export const nearest: (of: Element, selector: string) => Element | null = method(Element.prototype, 'closest');
export const matches: (of: Element, selector: string) => boolean = method(Element.prototype, 'matches');
export const scrollIntoView: (of: Element, options: ScrollIntoViewOptions) => void = method(
  Element.prototype,
  'scrollIntoView',
);
export const scrollElement: (of: Element, options: ScrollToOptions) => void = method(Element.prototype, 'scrollTo');

export const ownerForm = getter(HTMLInputElement.prototype, 'form');
export const valueOf = getter(HTMLInputElement.prototype, 'value');
const parentOf = getter(Node.prototype as Node, 'parentNode');
const slotOf = getter(Element.prototype as Element, 'assignedSlot');
const actionOf = getter(HTMLFormElement.prototype, 'action');
const activeOf = getter(Document.prototype, 'activeElement');
const activeIn = getter(ShadowRoot.prototype as ShadowRoot, 'activeElement');
const titleOf = getter(Document.prototype, 'title');
const textOf = getter(Node.prototype as Node, 'textContent');
const nameOf = getter(Element.prototype, 'localName');
const openRootOf = getter(Element.prototype as Element, 'shadowRoot');
const buttonAction = getter(HTMLButtonElement.prototype, 'formAction');
const inputAction = getter(HTMLInputElement.prototype, 'formAction');

/** Elements that may have a shadow root besides those with a hyphen in their name. */
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** Pages with more elements than this are not searched to their end. */
const MOST_ELEMENTS = 60_000;
const MOST_INPUTS = 3_000;
const DEEPEST = 400;

export function all<T extends Element = Element>(within: Root | Element, selector: string): T[] {
  if (within instanceof Document) return [...documentQuery(within, selector)] as T[];
  return [...(within instanceof ShadowRoot ? fragmentQuery(within, selector) : elementQuery(within, selector))] as T[];
}

export const tagOf = (element: Element): string => nameOf(element);
export const attribute = (element: Element, name: string): string => readAttribute(element, name) ?? '';
export const text = (node: Node): string => textOf(node) ?? '';
export const titleOfPage = (): string => titleOf(document);
export const rootOf = (node: Node): Root | null => {
  const found = root(node);
  return found instanceof Document || found instanceof ShadowRoot ? found : null;
};

/** All at a point, topmost first; elements of inner shadow trees as their host. */
export const stackAt = (within: Root, x: number, y: number): Element[] =>
  within instanceof Document ? documentStack(within, x, y) : shadowStack(within, x, y);

export const isShownByStyle = (element: Element): boolean =>
  visibility(element, { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });

interface ChromeDom {
  readonly dom?: { openOrClosedShadowRoot?(element: HTMLElement): ShadowRoot | null };
}

/** The shadow root of an element, closed ones included where the browser lets an extension see them. */
export function shadowOf(element: Element): ShadowRoot | null {
  const name = tagOf(element);
  if (!name.includes('-') && !HOSTS.has(name)) return null;
  const open = openRootOf(element);
  if (open !== null || !(element instanceof HTMLElement)) return open;
  const { chrome } = globalThis as { chrome?: ChromeDom };
  if (chrome?.dom?.openOrClosedShadowRoot !== undefined) return chrome.dom.openOrClosedShadowRoot(element);
  return (element as { openOrClosedShadowRoot?: ShadowRoot | null }).openOrClosedShadowRoot ?? null;
}

/** The parent in the tree that is drawn: through slots and out of shadow roots. */
export function drawnParent(node: Element): Element | null {
  const parent = slotOf(node) ?? parentOf(node);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/** The element and everything that contains it, inside out. */
export function drawnAncestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = element; at !== null && found.length < DEEPEST; at = drawnParent(at)) found.push(at);
  return found;
}

export interface Tree {
  readonly roots: readonly Root[];
  /** In the order of the tree: contents of a shadow root at the place of its host. */
  readonly inputs: readonly HTMLInputElement[];
}

/** All inputs of the page, in shadow roots, too. Empty for pages with too many elements. */
export function searchTree(): Tree {
  const roots: Root[] = [];
  const inputs: HTMLInputElement[] = [];
  let seen = 0;
  const walk = (within: Root): void => {
    roots.push(within);
    for (const element of all(within, '*')) {
      seen += 1;
      if (seen > MOST_ELEMENTS) return;
      if (element instanceof HTMLInputElement) inputs.push(element);
      else {
        const inner = shadowOf(element);
        if (inner !== null) walk(inner);
      }
    }
  };
  walk(document);
  return seen > MOST_ELEMENTS || inputs.length > MOST_INPUTS ? { roots: [], inputs: [] } : { roots, inputs };
}

/** The element with the focus, in its shadow root. */
export function focused(): Element | null {
  let at = activeOf(document);
  for (let depth = 0; at !== null && depth < DEEPEST; depth += 1) {
    const inner = shadowOf(at);
    const deeper = inner === null ? null : activeIn(inner);
    if (deeper === null) return at;
    at = deeper;
  }
  return at;
}

/** Addresses that the form or one of its buttons sends to. */
export function targetsOf(form: HTMLFormElement): string[] {
  const buttons = all(form, 'button[formaction], input[formaction]');
  return [
    ...(hasAttribute(form, 'action') ? [actionOf(form)] : []),
    ...buttons.map((button) =>
      button instanceof HTMLButtonElement ? buttonAction(button) : inputAction(button as HTMLInputElement),
    ),
  ];
}

/** Sets the value past any property that the page defined on the element. Runs no script of the page. */
export function setValue(input: HTMLInputElement, value: string): void {
  Reflect.set(HTMLInputElement.prototype, 'value', value, input);
}
