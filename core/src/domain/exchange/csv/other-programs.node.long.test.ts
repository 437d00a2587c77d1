/** EX3: CSV files between us and the `csv` module of Python, a second reader and writer. Skipped where it is not installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { concat } from '../../../crypto/bytes.ts';
import { text } from '../../../testing/arbitraries.ts';
import { readFile } from '../../../testing/exchange/read-file.ts';
import type { ExchangeTree } from '../tree.ts';
import { writeManagerCsv } from './manager-csv.ts';
import { writeTable } from './own-table.ts';

const PYTHON = 'python3';
const hasPython = spawnSync(PYTHON, ['-c', 'import csv']).status === 0;
const named = (name: string) => (hasPython ? name : `${name} (skipped: python3 is not installed)`);

const python = (script: string, input: string | Uint8Array): Buffer =>
  execFileSync(PYTHON, ['-c', script], {
    input,
    maxBuffer: 256 * 1024 * 1024,
    env: { ...process.env, PYTHONUTF8: '1' },
  });

const READ = `
import csv, io, json, sys
rows = csv.reader(io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8-sig', newline=''), strict=True)
json.dump(list(rows), sys.stdout)`;

const written = (dialect: string) => `
import csv, io, json, sys
out = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8', newline='')
csv.writer(out, ${dialect}).writerows(json.load(sys.stdin))
out.flush()`;

const SIGNS = ['', '"', '""', ',', ';', '\t', '\n', '\r\n', '\r', "'", '=', ' ', '\\', 'ü', '🔑'];
const cell = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS), text(6)), { maxLength: 6 })
  .map((parts) => parts.join('').replaceAll('\0', ''));
const rows = fc.sample(fc.tuple(cell, cell, cell), { numRuns: 3000, seed: 7 });

const treeOfRows = (): ExchangeTree => ({
  groups: [{ name: '', parent: null, created: null, modified: null }],
  entries: rows.map(([login, value, note], at) => ({
    group: 0,
    title: `Entry ${at}`,
    tags: [],
    expires: null,
    created: null,
    modified: null,
    fields: [
      { type: 'password', revisions: [{ content: { type: 'password', title: 'Password', login, value }, at: null }] },
      { type: 'note', revisions: [{ content: { type: 'note', title: 'Notes', value: note }, at: null }] },
    ],
  })),
  skipped: [],
});

async function whole(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return concat(...all);
}

test.skipIf(!hasPython)(named('Python reads what we write for other programs'), async () => {
  const read = JSON.parse(python(READ, await whole(writeManagerCsv(treeOfRows()))).toString()) as string[][];
  expect(read).toEqual([
    ['name', 'url', 'username', 'password', 'note'],
    ...rows.map(([login, value, note], at) => [`Entry ${at}`, '', login, value, note]),
  ]);
});

test.skipIf(!hasPython)(named('Python reads what we write for table programs'), async () => {
  const read = JSON.parse(python(READ, await whole(writeTable(treeOfRows()))).toString()) as string[][];
  const escaped = (value: string) => (/^['=+\-@\t\r]/.test(value) ? `'${value}` : value);
  expect(read.slice(1).filter(([, , , type]) => type === 'password')).toEqual(
    rows.map(([login, value], at) => [
      '',
      String(at + 1),
      `Entry ${at}`,
      'password',
      'Password',
      escaped(login),
      escaped(value),
      '',
      '',
      '',
      '',
    ]),
  );
});

test.skipIf(!hasPython).each([
  ['commas, CRLF', "dialect='excel'"],
  ['tabs', "dialect='excel-tab'"],
  ['all quoted, LF', "dialect='unix'"],
  ['semicolons, CR', String.raw`delimiter=';', lineterminator='\r'`],
])(named('we read what Python writes: %s'), async (_name, dialect) => {
  const given = [
    ['name', 'url', 'username', 'password', 'note'],
    ...rows.map(([login, value, note], at) => [`Entry ${at}`, '', login, `p${value}`, note]),
  ];
  const { id, tree } = await readFile(new Uint8Array(python(written(dialect), JSON.stringify(given))));
  expect(id).toBe('chrome-csv');
  const read = tree.entries.map(({ title, fields }) => {
    const [password, note] = fields.map(({ revisions }) => revisions[0]?.content);
    const logins = fields.flatMap(({ revisions: [one] }) =>
      one?.content.type === 'note' && one.content.title === 'User name' ? [one.content.value] : [],
    );
    const [login] = logins.length > 0 ? logins : password?.type === 'password' ? [password.login] : [''];
    const last = fields.at(-1)?.revisions[0]?.content;
    return [
      title,
      login,
      password?.type === 'password' ? password.value : '',
      note !== undefined && last?.type === 'note' && last.title === 'Notes' ? last.value : '',
    ];
  });
  expect(read).toEqual(
    rows.map(([login, value, note], at) => [`Entry ${at}`, login, `p${value}`, note.trim() === '' ? '' : note]),
  );
});
