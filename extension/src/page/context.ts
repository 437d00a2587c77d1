/** What the words around the fields of a form say: headings, buttons, names and the address. */
import { all, attribute, drawnAncestors, rootOf, tagOf, text } from './dom.ts';
import { type Field, plain } from './fields.ts';

const BUTTONS = 'button,input[type=submit],input[type=button],input[type=image],[role=button]';
const HEADINGS = 'h1,h2,h3,h4,legend,[role=heading]';

const SIGN_UP =
  /\b(?:sign ?up|register|registration|registrier\w*|create (?:\w+ )?(?:account|password)|join|konto (?:erstellen|anlegen)|s inscrire|inscription|creer|crear cuenta|registr\w+|(?:change|reset|new|set|update|choose) (?:\w+ )?password|passwort andern|neues passwort)\b/;
const SIGN_IN =
  /\b(?:(?:log|sign) ?[io]n|logon|login|signin|welcome back|anmeld\w+|einloggen|connexion|connecter|connectez|iniciar sesion|acceder|entrar)\b|ログイン|登录|войти|تسجيل الدخول/;
const NEXT = /^(?:next|continue|proceed|weiter|fortfahren|suivant|continuer|siguiente|continuar)$/;
const NO_SIGN_IN =
  /newsletter|subscri|abonn|contact|comment|kontakt|checkout|guest|deliver|notify|search|coupon|feedback|waitlist|demo|quote/;

export interface Context {
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
export function contextOf(container: Element | Document, fields: readonly Field[]): Context {
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
