/** What an input is for, by its own attributes and the words around it. */
import { all, attribute, drawnParent, nearest, rootOf, tagOf, text } from './dom.ts';

/** `user`: could be a user name. `box`: one character of a code. `other`: never filled. */
export type Meaning = 'user' | 'password' | 'current-password' | 'new-password' | 'code' | 'box' | 'card' | 'other';

export interface Field {
  readonly input: HTMLInputElement;
  readonly meaning: Meaning;
  /** How surely a field with the meaning `user` is the user name, 0 to 100. 0: its words name something else. */
  readonly certainty: number;
  /** Its words say that it is new; `autocomplete` alone often says so to stop browsers from filling. */
  readonly isNamedNew: boolean;
  /** Repeats the password before it. */
  readonly isConfirmation: boolean;
}

const MOST_WORDS = 300;
const TEXT_TYPES = new Set(['text', 'email', 'tel', 'number', 'password']);

/** In text without accents and in lower case; English, German, French, Spanish and the commonest words of other languages. */
const WORDS = {
  userName:
    /\b(?:user ?(?:name|id)?|login(?: ?name)?|logon|uid|identif\w+|utilisateur|benutzer\w*|nutzer\w*|anmeldename|kennung|usuario|iam)\b|ユーザー|用户|логин|المستخدم/,
  email: /\be ?mail\b|courriel|correo|メール|邮箱|почта/,
  account: /\b(?:account|acct|konto\w*|member\w*|mitglied\w*|customer|kunden\w*|kdnr|client\w*|cliente)\b/,
  phone: /\b(?:phone|mobile|handy\w*|telefon\w*|telephone|msisdn|tel|movil)\b/,
  password:
    /\b(?:pass ?words?|passwd|passwort|kennwort|pwd|pass ?phrase|mot de passe|contrasena|clave)\b|パスワード|密码|пароль|كلمة المرور/,
  current: /\b(?:current|old|existing|aktuell\w*|alte?s?|bisherig\w*|actuel|ancien|actual|antigua|anterior)\b/,
  fresh: /\b(?:new|neue?s?|nouveau|nueva|nuevo|choose|create|wahlen)\b/,
  confirmation: /\b(?:confirm\w*|repeat|again|re ?type|re ?enter|wiederhol\w*|repet\w*|repite|pass(?:word)? ?2)\b/,
  oneTime:
    /\b(?:otp\w*|otc|totp|one time|einmal\w*|2fa|mfa|tfa|two factor|(?:verification|authentication|security|authenticator) code|(?:sicherheits|bestatigungs|verifizierungs)code|code de (?:verification|securite)|codigo de (?:verificacion|seguridad))\b|認証コード|验证码/,
  code: /\bcodes?\b/,
  otherCode:
    /coupon|voucher|discount|promo|gift|gutschein|rabatt|postal|post ?code|\bzip\b|\bplz\b|country|area|lander|card|referral|invit|sort code|\bbank code|\bqr\b|product|source|language|recovery|backup|wiederherstell|secours|recuperacion/,
  card: /\b(?:card ?(?:number|no)|credit ?card|cc ?(?:n|num\w*|number)|cvc2?|cvv2?|csc|kartennummer|prufnummer|numero de (?:carte|tarjeta))\b/,
  noUserName:
    /\b(?:q|query|search\w*|such\w*|recherche\w*|buscar|captcha|cap|first ?name|last ?name|vorname|nachname|surname|full ?name|firma|compan\w+|tenant|mandant|organi[sz]ation|domain|host|server|street|strasse|city|ort|zip|plz|newsletter|subscribe|website|url|subject|message|comment\w*|ssid|port|amount|iban|bic|birth\w*|geburts\w*|coupon|voucher|gutschein|filter|title|hint|pet|question)\b/,
  /** Passwords of other things than the person's sign-in here. */
  otherSecret:
    /\b(?:smtp|imap|pop3|ldap|proxy|psk|wpa\w*|wifi|wlan|network|api|client secret|bind|database|db|answer|antwort|reponse|respuesta|question|frage|pet|maiden)\b/,
} as const;

/** Tokens of `autocomplete` that say what else the field is. */
const OTHER_TOKENS =
  /^(?:cc-.*|name|.*-name|honorific-.*|organization.*|street-address|address-.*|country.*|postal-code|transaction-.*|bday.*|sex|url|photo|language|impp|search)$/;

/** Describes an input; null for kinds that are never filled: buttons, dates, search boxes, files. */
export function describe(input: HTMLInputElement): Field | null {
  const type = input.type;
  if (!TEXT_TYPES.has(type) || attribute(input, 'role') === 'searchbox') return null;
  const words = wordsOf(input);
  const tokens = attribute(input, 'autocomplete').toLowerCase().split(/\s+/);
  const meaning = meaningOf(input, tokens, words);
  const isConfirmation = WORDS.confirmation.test(words);
  const isNamedNew = WORDS.fresh.test(words);
  return {
    input,
    meaning,
    isConfirmation,
    isNamedNew,
    certainty: meaning === 'user' ? certaintyOf(type, tokens, words) : 0,
  };
}

function meaningOf(input: HTMLInputElement, tokens: readonly string[], words: string): Meaning {
  const { type, maxLength } = input;
  if (tokens.some((token) => token.startsWith('cc-')) || WORDS.card.test(words)) return 'card';
  if (tokens.includes('one-time-code')) return maxLength === 1 ? 'box' : 'code';
  if (maxLength === 1) return 'box';
  if (WORDS.otherSecret.test(words)) return 'other';
  if (tokens.includes('current-password')) return 'current-password';
  if (tokens.includes('new-password')) return 'new-password';
  if (isOneTimeCode(type, maxLength, words)) return 'code';
  if (type === 'password' || isMasked(input)) return passwordOf(words);
  if (tokens.includes('username')) return 'user';
  if (tokens.some((token) => OTHER_TOKENS.test(token)) || WORDS.noUserName.test(words)) return 'other';
  // Some pages show the password as text until it has the focus.
  if (type === 'text' && WORDS.password.test(words) && !WORDS.userName.test(words)) return passwordOf(words);
  return 'user';
}

function passwordOf(words: string): Meaning {
  if (WORDS.current.test(words)) return 'current-password';
  if (WORDS.fresh.test(words)) return 'new-password';
  return 'password';
}

function isOneTimeCode(type: string, maxLength: number, words: string): boolean {
  if (WORDS.otherCode.test(words) || type === 'email') return false;
  if (type === 'password') return WORDS.oneTime.test(words) && maxLength >= 4 && maxLength <= 8;
  if (WORDS.oneTime.test(words)) return true;
  return WORDS.code.test(words) && maxLength >= 4 && maxLength <= 8;
}

function certaintyOf(type: string, tokens: readonly string[], words: string): number {
  if (tokens.includes('username')) return 100;
  if (WORDS.userName.test(words)) return 50;
  if (tokens.includes('email') || type === 'email' || WORDS.email.test(words)) return 40;
  if (WORDS.account.test(words)) return 30;
  if (type === 'tel' || WORDS.phone.test(words)) return 20;
  return words === '' ? 10 : 0;
}

const isMasked = (input: HTMLInputElement): boolean => {
  const mask = getComputedStyle(input).getPropertyValue('-webkit-text-security');
  return mask !== '' && mask !== 'none';
};

/** Names and labels of an input in one string, as the patterns expect them. */
function wordsOf(input: HTMLInputElement): string {
  const named = ['name', 'id', 'placeholder', 'aria-label', 'title', 'formcontrolname', 'data-testid'];
  const labels = [...(input.labels ?? [])].map(text);
  const root = rootOf(input);
  const ids = attribute(input, 'aria-labelledby')
    .split(/\s+/)
    .filter((id) => id !== '');
  if (root !== null) for (const id of ids.slice(0, 4)) labels.push(...all(root, `#${CSS.escape(id)}`).map(text));
  if (labels.join('').trim() === '') labels.push(textBefore(input));
  return plain([...named.map((name) => attribute(input, name)), ...labels].join(' ')).slice(0, MOST_WORDS);
}

/** Text before an input without a label: in its parent, its table row or the paragraph above it. */
function textBefore(input: Element): string {
  let at: Element | null = input;
  for (let level = 0; at !== null && level < 3; level += 1) {
    for (let before = at.previousSibling; before !== null; before = before.previousSibling) {
      if (
        before instanceof Element &&
        (/^(?:input|button|select|form)$/.test(tagOf(before)) || all(before, 'input, select, button').length > 0)
      )
        return '';
      const isProse =
        before instanceof Text || (before instanceof Element && !/^(?:style|script|template)$/.test(tagOf(before)));
      const words = isProse ? text(before).trim() : '';
      if (words !== '') return words.slice(0, 100);
    }
    at = drawnParent(at);
    if (at !== null && nearest(at, 'form') === at) return '';
  }
  return '';
}

/** Lower case, without accents, camelCase and punctuation as spaces. */
export function plain(words: string): string {
  return words
    .slice(0, 2_000)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
