/**
 * Runs in the pages of sites where the person allowed offers to save, in the isolated world of the top frame. When a form is sent after the person typed, it
 * tells the background the user name and the password of the form. It draws nothing and hears nothing; what it sent last it keeps until the page is left, so that it is sent once.
 */
import { nearest, searchTree, shadowOf, valueOf } from './dom.ts';
import type { PageForms } from './form.ts';
import { type Form, findForms, valuesOf } from './forms.ts';

const BUTTONS = 'button,input[type=submit],input[type=button],input[type=image],[role=button],a';
/** Longer values are no sign-in. */
const LONGEST = { userName: 500, password: 2_000 };

interface Extension {
  readonly runtime?: { sendMessage(message: unknown): Promise<unknown> };
}

let hasTyped = false;
/** Of the first step of a sign-in in two steps on one page. */
let earlierUserName = '';
let lastSent = '';

/** Sends the sign-in of the form around an element, else of the only form with a password, unless it came from the vault. */
function capture(at: Element | null): void {
  const forms = findForms(searchTree(), () => true);
  const around = at === null ? null : nearest(at, 'form');
  const filled = forms.filter((form) => form.kind !== 'code' && valuesOf(form).password !== '');
  const form =
    filled.find(({ element }) => element !== null && element === around) ??
    (filled.length === 1 ? filled[0] : undefined);
  if (form === undefined) {
    earlierUserName = userNameOf(forms) || earlierUserName;
    return;
  }
  const origin = originOf(form);
  if (origin === 'saved' || (origin === null && !hasTyped)) return;
  const { userName: own, password } = valuesOf(form);
  const userName = own || earlierUserName;
  const isLong = userName.length > LONGEST.userName || password.length > LONGEST.password;
  const line = JSON.stringify([userName, password]);
  if (isLong || line === lastSent) return;
  lastSent = line;
  send({ userName, password });
}

/** Where the password comes from that would be saved. A named element of the page is no own property. */
function originOf({ roles }: Form): 'saved' | 'new' | null {
  const { passwordBrokerPage: ours } = globalThis as { passwordBrokerPage?: PageForms };
  if (!Object.hasOwn(globalThis, 'passwordBrokerPage') || ours === undefined) return null;
  const [input] = [...roles.newPassword, ...roles.password].filter((one) => valueOf(one) !== '');
  return input === undefined ? null : ours.filledFrom(input);
}

const userNameOf = (forms: readonly Form[]): string => {
  const [step] = forms.filter(({ kind }) => kind === 'user-name');
  return step === undefined ? '' : valuesOf(step).userName;
};

function send(input: { readonly userName: string; readonly password: string }): void {
  const { browser, chrome } = globalThis as { readonly browser?: Extension; readonly chrome?: Extension };
  const message = { name: 'saves.captured', input };
  try {
    // Rejected when the extension was updated or removed since the page was loaded.
    (browser ?? chrome)?.runtime?.sendMessage(message).catch(() => {});
  } catch {
    hasTyped = false;
  }
}

/** The innermost element of an event, in open shadow roots, too. */
const targetOf = (event: Event): Element | null => {
  const [target] = event.composedPath();
  return target instanceof Element ? target : null;
};

/** Inside it may be a button or a field: events do not tell. */
const isClosed = (element: Element | null): boolean => element !== null && shadowOf(element) !== null;

if (window.top === window) {
  // Events that scripts of the page make are not trusted and count for nothing.
  const onTrusted = (type: string, heard: (event: Event) => void) =>
    addEventListener(type, (event) => event.isTrusted && heard(event), { capture: true, passive: true });
  onTrusted('input', () => {
    hasTyped = true;
  });
  onTrusted('submit', (event) => capture(targetOf(event)));
  onTrusted('keydown', (event) => {
    const target = targetOf(event);
    const isField = target instanceof HTMLInputElement || isClosed(target);
    if (event instanceof KeyboardEvent && event.key === 'Enter' && isField) capture(target);
  });
  onTrusted('click', (event) => {
    const target = targetOf(event);
    if (isClosed(target) || (target !== null && nearest(target, BUTTONS) !== null)) capture(target);
  });
}
