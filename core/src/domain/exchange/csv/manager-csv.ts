/** The CSV that every password manager and browser reads: name, address, user name, password, note. */
import Papa from 'papaparse';
import { utf8 } from '../../../crypto/bytes.ts';
import type { ExchangeTree, SkippedThing, TreeEntry } from '../tree.ts';
import { lossList, sharedLoss } from './own-table.ts';

const HEADER = ['name', 'url', 'username', 'password', 'note'];
const PORTION = 1000;
const PASSWORD = 'Password';

/** Values are exact: no cell is changed. */
export async function* writeManagerCsv({ entries }: ExchangeTree): AsyncGenerator<Uint8Array> {
  let rows = [HEADER];
  const written = () => {
    const text = Papa.unparse(rows, { newline: '\r\n' });
    rows = [];
    return utf8(`${text}\r\n`);
  };
  for (const entry of entries) {
    rows.push(...rowsOf(entry));
    if (rows.length >= PORTION) yield written();
  }
  if (rows.length > 0) yield written();
}

/** One row a password; an entry with notes or a link alone has one, too. */
function rowsOf(entry: TreeEntry): string[][] {
  const { title } = entry;
  const contents = contentsOf(entry);
  const url = contents.find(({ type }) => type === 'link')?.value ?? '';
  const note = contents
    .filter(({ type }) => type === 'note')
    .map((one) => (one.title === 'Notes' ? one.value : `${one.title}: ${one.value}`))
    .join('\n\n');
  const passwords = contents.flatMap((content, at) =>
    content.type === 'password'
      ? [[content.title === PASSWORD ? title : `${title} › ${content.title}`, url, content.login, content.value, at]]
      : [],
  );
  if (passwords.length === 0) return url === '' && note === '' ? [] : [[title, url, '', '', note]];
  return passwords.map(([name, link, login, value], at) => [
    String(name),
    String(link),
    String(login),
    String(value),
    at === 0 ? note : '',
  ]);
}

const contentsOf = ({ fields }: TreeEntry) =>
  fields.flatMap(({ revisions }) => {
    const content = revisions.at(-1)?.content;
    return content === undefined || content.type === 'file' ? [] : [content];
  });

export function lossOfManagerCsv(tree: ExchangeTree): readonly SkippedThing[] {
  const { files, versions } = sharedLoss(tree);
  let [codes, links, tags, dates, times, empty, formulas] = [0, 0, 0, 0, 0, 0, 0];
  for (const entry of tree.entries) {
    const contents = contentsOf(entry);
    codes += contents.filter(({ type }) => type === 'TOTP').length;
    links += Math.max(0, contents.filter(({ type }) => type === 'link').length - 1);
    tags += entry.tags.length;
    if (entry.expires !== null) dates += 1;
    if (entry.created !== null || entry.modified !== null) times += 1;
    const rows = rowsOf(entry);
    if (rows.length === 0) empty += 1;
    formulas += rows.flat().filter((cell) => FORMULA.test(cell)).length;
  }
  return lossList([
    ['group', tree.groups.length - 1],
    ['one-time password', codes],
    ['link', links, 'beside the first of its entry'],
    ['tag', tags],
    ['due date', dates],
    ['time', times, 'of creation and change'],
    ['file', files],
    ['version', versions],
    ['entry', empty, 'without a password, link or note'],
    ['cell', formulas, 'with a beginning that table programs run as a formula: do not open the file in one'],
  ]);
}

const FORMULA = /^[=+\-@\t\r]/;
