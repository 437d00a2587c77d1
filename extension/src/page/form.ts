/**
 * Injected into the top frame of a tab, in the isolated world of the extension: reads the forms of the page, and fills one that was read. No script of the page
 * can reach it or its variables.
 */
import { urlOf } from '@passwordbroker/core/domain/url';
import { all, hasAttribute, nearest, rectOf, searchTree, setValue, titleOfPage, valueOf } from './dom.ts';
import { cleaned } from './context.ts';
import type { FillOrder, FillResult, FormReading, FoundForm, ReadOptions, Role } from './form-types.ts';
import { type Form, choose, findForms, valuesOf } from './forms.ts';
import { isReachable, scrollTo, uncover } from './visible.ts';

export interface PageForms {
  look(): void;
  /** Where the value of a field comes from, if it is still the one that was filled: a saved sign-in, or a new password. */
  filledFrom(input: HTMLInputElement): 'saved' | 'new' | null;
  read(options: ReadOptions): FormReading;
  fill(order: FillOrder): FillResult;
}

interface Read {
  readonly mark: string;
  readonly forms: readonly Form[];
  readonly rects: ReadonlyMap<HTMLInputElement, DOMRect>;
}

interface Target {
  readonly input: HTMLInputElement;
  readonly role: Role;
  readonly value: string;
}

const ROLES = ['userName', 'password', 'newPassword', 'code'] as const satisfies readonly Role[];
const CHANGED: FillResult = { result: 'changed' };
const MOST_FRAMES = 5;
const LEAST_FRAME_SIDE = 8;

let last: Read | null = null;
const filledValues = new WeakMap<HTMLInputElement, Target>();
let reachable = new Set<HTMLInputElement>();

/** Finds the forms of the page and keeps them under a new mark. Runs no script of the page. */
function read({ purpose = 'sign-in', withValues = false }: ReadOptions): FormReading {
  const forms = visibleForms() ?? [];
  const mark = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  const inputs = forms.flatMap(({ roles }) => ROLES.flatMap((role) => roles[role]));
  last = { mark, forms, rects: new Map(inputs.map((input) => [input, rectOf(input)])) };
  return {
    mark,
    origin: location.origin,
    isTop: isTopFrame(),
    title: cleaned(titleOfPage(), 200),
    forms: forms.map((form, id) => described(form, id, withValues)),
    choice: choose(forms, purpose),
    frames: frames(),
  };
}

/**
 * Fills a form that was read. Checks everything before it sets anything, sets all values before a script of the page can run, and tells the page after that.
 * @returns what the fields hold afterwards
 */
function fill(order: FillOrder): FillResult {
  const before = last;
  last = null;
  if (before === null || before.mark !== order.mark || order.origin !== location.origin || !isTopFrame())
    return CHANGED;
  const form = before.forms[order.form];
  if (form === undefined) return CHANGED;
  const targets = targetsFor(form, order);
  if (targets === null) return CHANGED;
  const [first] = targets;
  if (first === undefined) return { result: 'filled', filled: [] };
  const moved = !targets.every(({ input }) => isWhereItWas(input, before.rects.get(input)));
  if (moved || !isUnchanged(form, targets)) return CHANGED;
  scrollTo(first.input);
  if (!setAll(targets)) return CHANGED;
  for (const target of targets) filledValues.set(target.input, target);
  return { result: 'filled', filled: announce(targets) };
}

/** Notes which fields a click reaches, before the background makes overlays visible to hit tests. Runs at each injection. */
function look(): void {
  reachable = new Set();
  findForms(searchTree(), (input) => {
    if (isReachable(input)) reachable.add(input);
    return true;
  });
}

function visibleForms(): readonly Form[] | null {
  const tree = searchTree();
  const test = uncover(tree.roots);
  if (test === null) return null;
  try {
    return findForms(tree, (input) => reachable.has(input) && test.isVisible(input));
  } finally {
    test.end();
  }
}

function filledFrom(input: HTMLInputElement): 'saved' | 'new' | null {
  const target = filledValues.get(input);
  if (target === undefined || target.value !== valueOf(input)) return null;
  return target.role === 'newPassword' ? 'new' : 'saved';
}

/** The inputs and their values; null if a value cannot go into its field. */
function targetsFor(form: Form, order: FillOrder): Target[] | null {
  const targets: Target[] = [];
  for (const role of ROLES) {
    const value = order[role] ?? '';
    const inputs = form.roles[role];
    if (value === '' || inputs.length === 0) continue;
    if (role === 'code' && inputs.length > 1) {
      const characters = [...value];
      if (characters.length !== inputs.length) return null;
      targets.push(...inputs.map((input, i) => ({ input, role, value: characters[i] ?? '' })));
    } else targets.push(...inputs.map((input) => ({ input, role, value })));
  }
  return targets;
}

/** Still overlaps the place that it had when it was read. */
function isWhereItWas(input: HTMLInputElement, before: DOMRect | undefined): boolean {
  const now = rectOf(input);
  if (before === undefined) return false;
  return now.left < before.right && now.right > before.left && now.top < before.bottom && now.bottom > before.top;
}

/** Reads the page again: it must give the same form, with the same inputs in the same roles, visible, sending to the same place. */
function isUnchanged(form: Form, targets: readonly Target[]): boolean {
  const now = visibleForms()?.find((one) => targets.every(({ input, role }) => one.roles[role].includes(input)));
  return now !== undefined && now.element === form.element && now.action?.origin === form.action?.origin;
}

/** Sets all values or none. No script of the page runs in between. */
function setAll(targets: readonly Target[]): boolean {
  const before = targets.map(({ input }) => valueOf(input));
  for (const { input, value } of targets) setValue(input, value);
  if (targets.every(({ input, value }) => valueOf(input) === value)) return true;
  // A type of field refused its value, such as letters in a number.
  for (const [i, { input }] of targets.entries()) setValue(input, before[i] ?? '');
  return false;
}

/**
 * Sends `input` and `change`. Scripts that keep the values themselves may write their old one back when another field changes, so each is set again if its
 * field is still what it was; else it is emptied.
 */
function announce(targets: readonly Target[]): Role[] {
  const types = targets.map(({ input }) => input.type);
  for (const [i, { input, value }] of targets.entries()) {
    const isSame = input.isConnected && !input.disabled && !input.readOnly && input.type === types[i];
    if (isSame && valueOf(input) !== value) setValue(input, value);
    else if (!isSame) setValue(input, '');
    if (!isSame) continue;
    input.dispatchEvent(
      new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertReplacementText', data: null }),
    );
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }
  const holds = (role: Role) => {
    const own = targets.filter((target) => target.role === role);
    return own.length > 0 && own.every(({ input }) => input.isConnected && valueOf(input) !== '');
  };
  return ROLES.filter(holds);
}

function described(form: Form, id: number, withValues: boolean): FoundForm {
  const { kind, roles, label, isFocused, action } = form;
  const has = {
    userName: roles.userName.length > 0,
    password: roles.password.length > 0,
    newPasswords: roles.newPassword.length,
    code: roles.code.length > 0,
  };
  return { id, kind, has, label, isFocused, action, ...(withValues ? { values: valuesOf(form) } : {}) };
}

/** Origins of visible frames that could hold the form. */
function frames(): string[] {
  const origins = new Set<string>();
  for (const frame of all<HTMLIFrameElement>(document, 'iframe').slice(0, 200)) {
    const { width, height } = rectOf(frame);
    const { src } = frame;
    if (width < LEAST_FRAME_SIDE || height < LEAST_FRAME_SIDE || nearest(frame, '[hidden]') !== null) continue;
    const url = urlOf(src);
    if (url !== null) origins.add(url.protocol === 'about:' ? location.origin : url.origin);
    else if (hasAttribute(frame, 'srcdoc')) origins.add(location.origin);
  }
  return [...origins].filter((origin) => origin !== 'null').slice(0, MOST_FRAMES);
}

const isTopFrame = () => window.top === window;

// Named elements of the page are visible as globals; an own property hides them.
if (!Object.hasOwn(globalThis, 'passwordBrokerPage')) {
  const page: PageForms = { look, read, fill, filledFrom };
  Object.defineProperty(globalThis, 'passwordBrokerPage', { value: page });
}
(globalThis as unknown as { passwordBrokerPage: PageForms }).passwordBrokerPage.look();
