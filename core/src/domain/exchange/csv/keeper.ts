/** Keeper's CSV has no header (as Keeper's pages and Proton Pass's importer describe it). */
import { noteField, passwordField, type TreeBuilder } from '../tree-builder.ts';
import { addFound, type Column, type Dialect, findParts, pathOf } from './found.ts';
import { type CsvRow, doesNotFit } from './rows.ts';

const COLUMNS: readonly Column[] = [
  { name: 'Folder', part: 'group' },
  { name: 'Title', part: 'title' },
  { name: 'Login', part: 'login' },
  { name: 'Password', part: 'password' },
  { name: 'URL', part: 'url' },
  { name: 'Notes', part: 'notes' },
  { name: 'Shared folder', part: 'none' },
];
const DIALECT: Dialect = { separator: /\\/ };
const SECRET = /^\$?(?:pin ?code|secret|password|hidden field|key ?pair|private ?key|account ?number|payment ?card)/i;

/** Folder, title, login, password, address, notes, shared folder; then names and values by turns. */
export function addKeeperRow(tree: TreeBuilder, { cells, line }: CsvRow): void {
  if (cells.length < COLUMNS.length || (cells.length - COLUMNS.length) % 2 !== 0) throw doesNotFit(line);
  const found = findParts(COLUMNS, cells, DIALECT);
  const shared = cells[COLUMNS.length - 1] ?? '';
  if (found.path.length === 0) found.path = pathOf(shared, DIALECT.separator);
  else if (shared !== '') found.others.push(noteField('Shared folder', shared));
  for (let at = COLUMNS.length; at < cells.length; at += 2) {
    const [name = '', value = ''] = cells.slice(at, at + 2);
    if (value === '') continue;
    if (name === 'TFC:Keeper' || name.startsWith('$oneTimeCode')) found.codes.push(value);
    else found.others.push(SECRET.test(name) ? passwordField(name, '', value) : noteField(name, value));
  }
  addFound(tree, found);
}
