/** Programs whose CSV needs more than a place for each column. */
import { EXCHANGE_LIMITS as LIMITS } from '../exchange-error.ts';
import { noteField, passwordField } from '../tree-builder.ts';
import type { TreeField } from '../tree.ts';
import { type CsvKind, hostOf, pathOf } from './found.ts';

const SLASH = /\//;

export const FIREFOX: CsvKind = {
  // Header: LoginExport.sys.mjs of Firefox 79 and later; times in ms.
  id: 'firefox-csv',
  label: 'Firefox (CSV)',
  columns: {
    url: 'url',
    username: 'login',
    password: 'password',
    httprealm: { text: 'Realm' },
    formactionorigin: 'none',
    guid: 'none',
    timecreated: 'created',
    timelastused: { leftOut: 'usage date' },
    timepasswordchanged: 'modified',
  },
  optional: ['guid', 'timecreated', 'timelastused', 'timepasswordchanged'],
  adjust(found, cell) {
    const action = cell('formactionorigin');
    if (action !== '' && hostOf(action) !== hostOf(cell('url'))) found.others.push(noteField('Form address', action));
    return true;
  },
};

/** The program names it in the language of its user. */
const RECYCLE_BIN =
  /^(?:Recycle Bin|Papierkorb|Corbeille|Papelera(?: de reciclaje)?|Cestino|Lixeira|Reciclagem|Prullenbak|Kosz)$/;

export const KEEPASSXC: CsvKind = {
  // Header: written by keepassxc-cli 2.7.4; versions before 2.7 end with Notes.
  id: 'keepassxc-csv',
  label: 'KeePassXC (CSV)',
  better: 'KDBX',
  columns: {
    group: 'group',
    title: 'title',
    username: 'login',
    password: 'password',
    url: 'url',
    notes: 'notes',
    totp: 'totp',
    icon: { leftOut: 'icon' },
    'last modified': 'modified',
    created: 'created',
  },
  optional: ['totp', 'icon', 'last modified', 'created'],
  isIts: (header) => header.includes('icon') || header[0] === 'group',
  separator: SLASH,
  adjust(found, _cell, tree) {
    // The first group is the root of the database.
    const [, ...path] = found.path;
    found.path = path;
    if (!RECYCLE_BIN.test(path[0]?.trim() ?? '')) return true;
    tree.leaveOut('entry', 'in the recycle bin', tree.placeOf(0, found.title));
    return false;
  },
};

export const ONE_PASSWORD: CsvKind = {
  // Header: 1Password 8, as Bitwarden's and Proton Pass's importers expect it.
  id: '1password-csv',
  label: '1Password (CSV)',
  better: '1PUX',
  columns: {
    title: 'title',
    url: 'url',
    username: 'login',
    password: 'password',
    otpauth: 'totp',
    favorite: 'favourite',
    archived: 'archived',
    tags: 'tags',
    notes: 'notes',
  },
};

export const BITWARDEN: CsvKind = {
  // Header: Bitwarden's own export (vault-export-csv); organisations have `collections` in place of the first two.
  id: 'bitwarden-csv',
  label: 'Bitwarden (CSV)',
  better: 'JSON',
  columns: {
    folder: 'group',
    collections: 'group',
    favorite: 'favourite',
    type: 'none',
    name: 'title',
    notes: 'notes',
    fields: 'none',
    reprompt: { leftOut: 'password prompt' },
    archiveddate: 'archived',
    login_uri: 'url',
    login_username: 'login',
    login_password: 'password',
    login_totp: 'totp',
  },
  optional: ['folder', 'collections', 'favorite', 'reprompt', 'archiveddate'],
  separator: SLASH,
  urls: splitAddresses,
  adjust(found, cell, tree) {
    const collections = cell('collections');
    if (collections.includes(',')) {
      found.path = pathOf(collections.slice(0, collections.indexOf(',')), SLASH);
      tree.leaveOut('entry', 'in several groups, kept in the first', found.title);
    }
    found.others.push(...lineFields(cell('fields')));
    const type = cell('type');
    if (type !== 'login' && type !== 'note') found.others.push(noteField('Type', type));
    return true;
  },
};

/** At commas before something that looks like an address: one may have a comma in itself. */
export function splitAddresses(cell: string): string[] {
  return cell.split(/,(?=\s*(?:[a-z][\w+.-]*:|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/:,]|$)))/i);
}

/** 'name: value' in lines; a line without a name belongs to the one before. */
function lineFields(text: string): TreeField[] {
  const fields: [name: string, value: string][] = [];
  for (const line of text === '' ? [] : text.split(/\r?\n/)) {
    const [, name, value] = /^([^:]{1,255}): ?(.*)$/s.exec(line) ?? [];
    const last = fields.at(-1);
    if (name !== undefined && value !== undefined) fields.push([name, value]);
    else if (last === undefined) fields.push(['Text', line]);
    else last[1] += `\n${line}`;
  }
  return fields.map(([name, value]) => noteField(name, value));
}

export const PROTON_PASS: CsvKind = {
  // Header: Proton Pass (lib/export/csv.ts); `email` and `autofillUrls` came later.
  id: 'proton-csv',
  label: 'Proton Pass (CSV)',
  better: 'ZIP',
  columns: {
    type: 'none',
    name: 'title',
    url: 'url',
    autofillurls: 'none',
    email: 'none',
    username: 'login',
    password: 'password',
    note: 'notes',
    totp: 'totp',
    createtime: 'created',
    modifytime: 'modified',
    vault: 'group',
  },
  optional: ['autofillurls', 'email', 'vault'],
  separator: null,
  urls: (cell) => cell.split(', '),
  adjust(found, cell, tree) {
    for (const one of jsonOf(cell('autofillurls'), isArray) ?? []) {
      found.urls.push(...urlOf(one));
      if (isObject(one) && typeof one['mode'] === 'string' && one['mode'] !== 'default')
        tree.leaveOut('match rule', 'of a link, not supported', found.title);
    }
    const type = cell('type');
    if (!TYPES.has(type)) found.others.push(noteField('Type', type));
    const email = cell('email');
    if (type === 'alias') found.others.push(noteField('Alias', email));
    else if (found.login === null) found.login = email === '' ? null : email;
    else found.others.push(noteField('E-mail', email));
    const members =
      cell('type') === 'creditCard' || cell('type') === 'identity' ? jsonOf(cell('note'), isObject) : null;
    if (members === null) return true;
    found.notes = [];
    for (const [name, value] of Object.entries(members)) {
      if (name === 'note' && typeof value === 'string') found.notes.push(value);
      else found.others.push(...memberField(name, value));
    }
    return true;
  },
};

const TYPES = new Set(['login', 'note', 'alias', 'creditCard', 'identity']);
const SECRET = /^(?:number|verificationNumber|pin|socialSecurityNumber|passportNumber|licenseNumber)$/;

function memberField(name: string, value: unknown): TreeField[] {
  if (value === null || value === '' || (isArray(value) && value.length === 0)) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [SECRET.test(name) ? passwordField(name, '', text) : noteField(name, text)];
}

const urlOf = (one: unknown): string[] => {
  if (typeof one === 'string') return [one];
  return isObject(one) && typeof one['url'] === 'string' ? [one['url']] : [];
};

export const isArray = (value: unknown): value is readonly unknown[] => Array.isArray(value);
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !isArray(value);

/** Null for a cell that is no JSON of this kind, or is nested too deeply. */
export function jsonOf<T>(cell: string, is: (value: unknown) => value is T): T | null {
  if (cell === '' || depthOf(cell) > LIMITS.depth) return null;
  try {
    const value: unknown = JSON.parse(cell);
    return is(value) ? value : null;
  } catch {
    return null;
  }
}

/** At most: brackets in texts count, too. */
function depthOf(json: string): number {
  let [depth, most] = [0, 0];
  for (const sign of json) {
    if (sign === '[' || sign === '{') most = Math.max(most, (depth += 1));
    else if (sign === ']' || sign === '}') depth -= 1;
  }
  return most;
}

export const TEAMPASS: CsvKind = {
  // Header: TeamPass 2 and 3 (export.queries.php); the folder came later.
  id: 'teampass-csv',
  label: 'TeamPass (CSV)',
  columns: {
    id: 'none',
    label: 'title',
    description: 'none',
    pw: 'password',
    login: 'login',
    restricted_to: { leftOut: 'restriction' },
    perso: { leftOut: 'restriction' },
    url: 'url',
    email: { text: 'E-mail' },
    kb: { text: 'Knowledge base' },
    tag: 'tags',
    folder: 'group',
  },
  optional: ['url', 'email', 'kb', 'tag', 'folder'],
  separator: /[»>/\\]/,
  tagSeparator: /[\s,;]+/,
  adjust(found, cell) {
    found.notes.push(withoutTags(cell('description')));
    return true;
  },
};

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' };

/** Undoes entities of HTML; unknown ones stay. */
export const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? whole;
    const code = Number.parseInt(String(decimal ?? hex), decimal === undefined ? 16 : 10);
    return code > 0x10_ff_ff || code === 0 ? whole : String.fromCodePoint(code);
  });

const LINE = /^(?:br|\/(?:p|div|li|h\d|tr))$/i;

/** The text of a description in HTML; a line for each of its lines and paragraphs, and the address before the text of a link. */
function withoutTags(html: string): string {
  const text = html.replaceAll(/<(\/?[a-z][a-z\d]*)[^<>]*>/gi, (tag: string, name: string) => {
    const address = name.toLowerCase() === 'a' ? /\shref\s?=\s?["']([^"']*)/i.exec(tag)?.[1] : undefined;
    return LINE.test(name) ? '\n' : address === undefined ? '' : `${address} `;
  });
  return withoutEntities(text).trim();
}
