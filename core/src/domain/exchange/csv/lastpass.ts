/** LastPass: sites, notes of a kind, and profiles that fill forms. */
import type { TreeField } from '../tree.ts';
import { noteField, passwordField } from '../tree-builder.ts';
import type { CsvKind, Found } from './found.ts';

export const LASTPASS_KINDS: readonly CsvKind[] = [
  {
    // Header: LastPass's export; `totp` came later, and Passbolt writes it without `fav`.
    id: 'lastpass-csv',
    label: 'LastPass (CSV)',
    columns: {
      url: 'url',
      username: 'login',
      password: 'password',
      totp: 'totp',
      extra: 'notes',
      name: 'title',
      grouping: 'group',
      fav: 'favourite',
    },
    optional: ['totp', 'fav'],
    separator: /\\/,
    text: 'entities',
    adjust(found, cell, tree) {
      if (found.path.length === 1 && found.path[0] === '(none)') found.path = [];
      // A folder without entries.
      if (cell('url') === 'http://group') {
        tree.group([...found.path, ...(found.title === '' ? [] : [found.title])]);
        return false;
      }
      if (cell('url') === 'http://') found.urls = [];
      if (cell('url') !== 'http://sn') return true;
      found.urls = [];
      if (cell('extra').startsWith('NoteType:')) readTypedNote(found, cell('extra'));
      return true;
    },
  },
  {
    // Header: LastPass's export of form fill profiles, about 60 columns; the names of those that are secret as other importers know them.
    id: 'lastpass-forms-csv',
    label: 'LastPass, form fill profiles (CSV)',
    columns: {
      profilename: 'title',
      firstname: 'text',
      lastname: 'text',
      notes: 'notes',
      ssn: 'secret',
      ccnum: 'secret',
      cccsc: 'secret',
      bankacctnum: 'secret',
    },
    optional: ['notes', 'ssn', 'ccnum', 'cccsc', 'bankacctnum'],
    isOpen: true,
    text: 'entities',
  },
];

const SECRET =
  /^(?:password|pin|passphrase|private key|security code|license key|licence key|iban number|(?:account |ssn |)number)$/i;

/** 'Key:Value' in lines; a line without a key belongs to the one before, and `Notes` takes the rest. */
function readTypedNote(found: Found, extra: string): void {
  found.notes = [];
  const values: [key: string, value: string][] = [];
  const lines = extra.split('\n');
  for (const [at, line] of lines.entries()) {
    const [, key, value] = /^([^:]{1,60}):(.*)$/s.exec(line) ?? [];
    if (key === 'Notes' && value !== undefined) {
      found.notes.push([value, ...lines.slice(at + 1)].join('\n'));
      break;
    }
    const last = values.at(-1);
    if (key !== undefined && value !== undefined) values.push([key, value]);
    else if (last !== undefined) last[1] += `\n${line}`;
  }
  const type = values.find(([key]) => key === 'NoteType')?.[1] ?? '';
  // The language is that of the form.
  const shown = values.filter(([key, value]) => key !== 'Language' && value.trim() !== '');
  const user = /^(?:Wi-Fi Password|Server|Database|Email Account|Instant Messenger)$/.test(type) ? 'Username' : null;
  for (const [key, value] of shown) {
    if (key === user) found.login ??= value;
    else if (key === 'Password' && found.password === null) found.password = value;
    else found.others.push(fieldOf(key, value));
  }
}

const fieldOf = (key: string, value: string): TreeField =>
  SECRET.test(key) ? passwordField(key, '', value) : noteField(key === 'NoteType' ? 'Kind' : key, value);
