/** The forms of a page that a sign-in, a code or a new password could go into, and which one is meant. */
import {
  type Tree,
  all,
  attribute,
  drawnAncestors,
  focused,
  nearest,
  ownerForm,
  rootOf,
  tagOf,
  targetsOf,
  text,
} from './dom.ts';
import { type Field, describe, plain } from './fields.ts';
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
const BUTTONS = 'button,input[type=submit],input[type=button],input[type=image],[role=button]';
const HEADINGS = 'h1,h2,h3,h4,legend,[role=heading]';

const SIGN_UP =
  /\b(?:sign ?up|register|registration|registrier\w*|create (?:\w+ )?(?:account|password)|join|konto (?:erstellen|anlegen)|s inscrire|inscription|creer|crear cuenta|registr\w+|(?:change|reset|new|set|update|choose) (?:\w+ )?password|passwort andern|neues passwort)\b/;
const SIGN_IN =
  /\b(?:(?:log|sign) ?[io]n|logon|login|signin|welcome back|anmeld\w+|einloggen|connexion|connecter|connectez|iniciar sesion|acceder|entrar)\b|ログイン|登录|войти|تسجيل الدخول/;
const NEXT = /^(?:next|continue|proceed|weiter|fortfahren|suivant|continuer|siguiente|continuar)$/;
const NO_SIGN_IN =
  /newsletter|subscri|abonn|contact|comment|kontakt|checkout|guest|deliver|notify|search|coupon|feedback|waitlist|demo|quote/;

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

interface Context {
  readonly heading: string;
  readonly label: string;
  readonly isSignIn: boolean;
  readonly isSignUp: boolean;
  readonly isCode: boolean;
  /** Its button goes to a next step. */
  readonly isFirstStep: boolean;
  /** Newsletters, comments, contacts and the like. */
  readonly isElsewhere: boolean;
}

/** What headings, buttons, names and the address around the fields say. */
function contextOf(container: Element | Document, fields: readonly Field[]): Context {
  const inputs = fields.map(({ input }) => input);
  const heading = headingOf(container, inputs);
  const buttons = buttonsOf(container, inputs).map((button) =>
    tagOf(button) === 'input' ? attribute(button, 'value') : text(button),
  );
  const names =
    container instanceof Element
      ? ['id', 'class', 'name', 'action', 'aria-label'].map((name) => attribute(container, name))
      : [];
  const words = [heading, ...buttons, ...names].map(plain);
  const joined = words.join(' | ');
  const page = plain(location.pathname);
  const hasText = container instanceof Element && all(container, 'textarea').length > 0;
  return {
    heading: cleaned(heading),
    label:
      cleaned(heading) ||
      cleaned(container instanceof Element ? attribute(container, 'aria-label') : '') ||
      cleaned(buttons.at(-1) ?? ''),
    isSignIn: SIGN_IN.test(joined) || (SIGN_IN.test(page) && !SIGN_UP.test(joined)),
    isSignUp: SIGN_UP.test(joined),
    isCode: /\bcode\b|\botp\b|authenticat|verif/.test(joined),
    isFirstStep: buttons.some((button) => NEXT.test(plain(button))),
    isElsewhere:
      hasText ||
      NO_SIGN_IN.test(joined) ||
      inputs.some((input) =>
        NO_SIGN_IN.test(
          plain(`${attribute(input, 'name')} ${attribute(input, 'id')} ${attribute(input, 'placeholder')}`),
        ),
      ),
  };
}

function headingOf(container: Element | Document, inputs: readonly HTMLInputElement[]): string {
  const [first] = inputs;
  if (first === undefined) return '';
  const own =
    container instanceof Element ? all(container, HEADINGS).find((heading) => text(heading).trim() !== '') : undefined;
  if (own !== undefined) return text(own);
  const root = rootOf(first);
  const before = (within: Document | ShadowRoot, node: Node) =>
    all(within, HEADINGS)
      .slice(0, 200)
      .findLast((heading) => (heading.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
  const outermost = drawnAncestors(first).find((element) => rootOf(element) === document);
  const found =
    (root instanceof ShadowRoot ? before(root, first) : undefined) ??
    (outermost === undefined ? undefined : before(document, outermost));
  return found === undefined ? '' : text(found);
}

/** Buttons in the form, or in the nearest element around the fields that has one. */
function buttonsOf(container: Element | Document, inputs: readonly HTMLInputElement[]): Element[] {
  const last = inputs.at(-1);
  if (last === undefined) return [];
  if (container instanceof HTMLFormElement) {
    const own = all(container, BUTTONS);
    if (own.length > 0) return own.slice(0, 20);
  }
  for (const element of drawnAncestors(last).slice(1, 9)) {
    const found = all(element, BUTTONS);
    if (found.length > 0) return found.slice(0, 20);
  }
  return [];
}

/** One line for the popup. */
export const cleaned = (words: string, most = 80): string =>
  words
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
    .slice(0, most);

/** The first foreign target, one without encryption before others. */
function actionOf(form: HTMLFormElement): FormAction | null {
  const found: FormAction[] = [];
  for (const target of targetsOf(form)) {
    if (!URL.canParse(target)) continue;
    const { origin, host, protocol } = new URL(target);
    if (protocol !== 'http:' && protocol !== 'https:') continue;
    if (origin !== location.origin)
      found.push({ origin, host, isPlainHttp: protocol === 'http:' && location.protocol === 'https:' });
  }
  return found.find(({ isPlainHttp }) => isPlainHttp) ?? found[0] ?? null;
}
