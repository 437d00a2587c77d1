/** The forms of a page that a sign-in, a code or a new password could go into, and which one is meant. */
import { urlOf } from '@passwordbroker/core/domain/url';
import { type Context, contextOf } from './context.ts';
import { type Tree, all, attribute, drawnAncestors, focused, nearest, ownerForm, targetsOf, valueOf } from './dom.ts';
import { type Field, describe } from './fields.ts';
import type { FormAction, FormKind, Purpose, Role } from './form-types.ts';
import { isDrawn } from './visible.ts';

export interface Form {
  readonly kind: FormKind;
  /** The form element; null: the fields are in none. */
  readonly element: HTMLFormElement | null;
  /** Inputs of each role, in the order of the page. */
  readonly roles: Readonly<Record<Role, readonly HTMLInputElement[]>>;
  readonly label: string;
  readonly isFocused: boolean;
  readonly action: FormAction | null;
}

const MOST_FORMS = 20;
/** More fields than this in one group are a table and no sign-in. */
const MOST_FIELDS = 60;
const MOST_TESTS = 300;
/** Of a field that `autocomplete` calls a user name. */
const CERTAIN = 100;
const NAMED = 50;
const CONTAINERS = 'dialog,[role=dialog],[role=form],[popover],section,article,aside,header,footer,nav';

/** All forms with fields that the person can type into. `isVisible` is asked for those that are drawn, at most 300 times. */
export function findForms({ inputs }: Tree, isVisible: (input: HTMLInputElement) => boolean): readonly Form[] {
  const groups = new Map<Element | Document, Field[]>();
  for (const input of inputs) {
    if (input.disabled || input.readOnly || input.matches(':disabled')) continue;
    const field = describe(input);
    if (field === null) continue;
    const key = groupOf(input);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [field]);
    else group.push(field);
  }
  const active = focused();
  const forms: Form[] = [];
  let asked = 0;
  const isSeen = (input: HTMLInputElement) => {
    asked += 1;
    return asked <= MOST_TESTS && isDrawn(input) && isVisible(input);
  };
  for (const [container, fields] of groups) {
    if (forms.length >= MOST_FORMS) break;
    if (fields.length > MOST_FIELDS || fields.every(({ meaning }) => meaning === 'other')) continue;
    const seen = fields.filter(({ input }) => isSeen(input));
    const form = formOf(container, seen, active);
    if (form !== null) forms.push(form);
  }
  return forms;
}

/** The form that a purpose means. With `ask` several are as likely. */
export function choose(forms: readonly Form[], purpose: Purpose): number | null | 'ask' {
  const having = (...kinds: FormKind[]) => forms.filter(({ kind }) => kinds.includes(kind));
  const preferences: Record<Purpose, (readonly Form[])[]> = {
    'sign-in': [
      having('sign-in', 'password'),
      having('user-name'),
      having('code'),
      having('new-password').filter(({ roles }) => roles.password.length > 0),
    ],
    code: [forms.filter(({ roles }) => roles.code.length > 0)],
    new: [having('new-password')],
  };
  const likely = preferences[purpose].find((some) => some.length > 0) ?? [];
  const [only] = likely.length === 1 ? likely : likely.filter(({ isFocused }) => isFocused);
  if (only !== undefined) return forms.indexOf(only);
  return likely.length === 0 ? null : 'ask';
}

/** The form of an input, also around the shadow roots that it is in; else the part of the page. */
function groupOf(input: HTMLInputElement): Element | Document {
  const own = ownerForm(input);
  if (own !== null) return own;
  const ancestors = drawnAncestors(input);
  return (
    ancestors.find((element) => element instanceof HTMLFormElement) ??
    ancestors.find((element) => nearest(element, CONTAINERS) === element) ??
    document
  );
}

function formOf(container: Element | Document, fields: readonly Field[], active: Element | null): Form | null {
  const [first] = fields;
  if (first === undefined || fields.some(({ meaning }) => meaning === 'card')) return null;
  const context = contextOf(container, fields);
  const roles = rolesOf(fields, context);
  const kind = kindOf(roles, fields, context);
  if (kind === null) return null;
  const element = container instanceof HTMLFormElement ? container : null;
  return {
    kind,
    element,
    roles,
    label: context.label,
    isFocused: fields.some(({ input }) => input === active),
    action: element === null ? null : actionOf(element),
  };
}

type Roles = Form['roles'];

function rolesOf(fields: readonly Field[], context: Context): Roles {
  const of = (...meanings: Field['meaning'][]) => fields.filter(({ meaning }) => meanings.includes(meaning));
  const { password, newPassword } = passwordsOf(of('password', 'current-password', 'new-password'), context);
  const boxes = of('box');
  const isCode =
    boxes.length >= 4 && boxes.length <= 8 && (boxes.every(({ input }) => input.type !== 'password') || context.isCode);
  const code = isCode ? boxes : of('code').slice(0, 1);
  const firstPassword = [...password, ...newPassword][0];
  const before =
    firstPassword === undefined
      ? of('user')
      : fields.slice(0, fields.indexOf(firstPassword)).filter(({ meaning }) => meaning === 'user');
  // A change of password often stands in a profile, whose fields are not for a user name.
  const least = password.length > 0 && newPassword.length > 0 ? CERTAIN : context.isSignIn ? 0 : 1;
  const most = Math.max(least, ...before.map(({ certainty }) => certainty));
  const userName = before.findLast(({ certainty }) => certainty === most);
  const inputs = (some: readonly Field[]) => some.map(({ input }) => input);
  return {
    userName: userName === undefined ? [] : [userName.input],
    password: inputs(password),
    newPassword: inputs(newPassword),
    code: inputs(code),
  };
}

/** Which passwords are the present one and which are new, by their words, else by their number and order. */
function passwordsOf(all: readonly Field[], context: Context): { password: Field[]; newPassword: Field[] } {
  const known = all.filter(({ meaning, isConfirmation }) => meaning !== 'password' || isConfirmation);
  const [first, second, third, ...more] = all;
  if (first === undefined) return { password: [], newPassword: [] };
  const isNew = ({ meaning, isConfirmation }: Field) => meaning === 'new-password' || isConfirmation;
  if (second === undefined) {
    const isForSignIn = context.isSignIn && !context.isSignUp;
    const isFresh =
      (first.meaning === 'new-password' && (first.isNamedNew || !isForSignIn)) ||
      (first.meaning === 'password' && context.isSignUp && !context.isSignIn);
    return isFresh ? { password: [], newPassword: [first] } : { password: [first], newPassword: [] };
  }
  const current = all.filter(({ meaning }) => meaning === 'current-password');
  if (more.length > 0 || current.length > 1)
    return known.length === all.length
      ? { password: current.slice(0, 1), newPassword: all.filter(isNew) }
      : { password: [], newPassword: [] };
  if (third !== undefined) {
    const [old = first] = current;
    return { password: [old], newPassword: all.filter((field) => field !== old) };
  }
  if (current.length === 1) return { password: current, newPassword: all.filter((field) => !current.includes(field)) };
  // A present password and one new one, or a new one twice: without a word for it, a second field repeats the first.
  return second.meaning === 'new-password' &&
    !second.isConfirmation &&
    first.meaning === 'password' &&
    !context.isSignUp
    ? { password: [first], newPassword: [second] }
    : { password: [], newPassword: [first, second] };
}

function kindOf(roles: Roles, fields: readonly Field[], context: Context): FormKind | null {
  if (roles.newPassword.length > 0) return 'new-password';
  if (roles.password.length > 0) return roles.userName.length > 0 ? 'sign-in' : 'password';
  if (roles.code.length > 0) return 'code';
  const [input] = roles.userName;
  const field = fields.find((one) => one.input === input);
  if (field === undefined) return null;
  const users = fields.filter(({ meaning }) => meaning === 'user');
  if (field.certainty === CERTAIN) return 'user-name';
  if (users.length > 1 || field.certainty === 0 || context.isElsewhere || context.isSignUp) return null;
  const isFirstStep = context.isFirstStep && (context.heading === '' || field.certainty >= NAMED);
  return context.isSignIn || isFirstStep ? 'user-name' : null;
}

/** The first foreign target, one without encryption before others. */
function actionOf(form: HTMLFormElement): FormAction | null {
  const found: FormAction[] = [];
  for (const target of targetsOf(form)) {
    const url = urlOf(target);
    if (url === null) continue;
    const { origin, host, protocol } = url;
    if (protocol !== 'http:' && protocol !== 'https:') continue;
    if (origin !== location.origin)
      found.push({ origin, host, isPlainHttp: protocol === 'http:' && location.protocol === 'https:' });
  }
  return found.find(({ isPlainHttp }) => isPlainHttp) ?? found[0] ?? null;
}

/** What the person typed; the user name also from a field that the page hides in a second step. */
export function valuesOf({ roles, element }: Form): { userName: string; password: string } {
  const first = (inputs: readonly HTMLInputElement[]) => inputs.map(valueOf).find((value) => value !== '') ?? '';
  const kept = element === null ? [] : all<HTMLInputElement>(element, 'input').filter(isKeptUserName);
  return {
    userName: first(roles.userName) || first(kept),
    password: first(roles.newPassword) || first(roles.password),
  };
}

function isKeptUserName(input: HTMLInputElement): boolean {
  if (/\busername\b/.test(attribute(input, 'autocomplete'))) return true;
  return (
    (input.type === 'hidden' || input.readOnly) &&
    /^(?:e-?mail|user(?:name|_?id)?|login|identifier)$/i.test(attribute(input, 'name'))
  );
}
