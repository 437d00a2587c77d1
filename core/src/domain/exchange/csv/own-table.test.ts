/** Our own CSV files: what is written reads back (IM8, EX1). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf, text } from '../../../testing/arbitraries.ts';
import { concat, utf8 } from '../../../crypto/bytes.ts';
import { distinctTags, tagProblem } from '../../entry-marks.ts';
import { fileArgon2 } from '../file-argon2.ts';
import { detectFormat } from '../formats.ts';
import type { ExchangeTree, PlainContent, TreeEntry, TreeGroup } from '../tree.ts';
import { lossOf, WRITERS } from '../writers.ts';

const NOW = Date.UTC(2026, 10, 1);

async function written(format: string, tree: ExchangeTree): Promise<Uint8Array<ArrayBuffer>> {
  const { write } = (await WRITERS.find(({ id }) => id === format)?.load()) ?? {};
  const parts: Uint8Array[] = [];
  for await (const part of write?.(tree, { password: '', now: NOW, argon2: fileArgon2 }) ?? []) parts.push(part);
  return concat(...parts);
}

async function readBack(bytes: Uint8Array<ArrayBuffer>) {
  const file = new Blob([bytes]);
  const { format } = await detectFormat(file);
  const tree = await (await format.load())(file, {}, { now: NOW, argon2: fileArgon2 });
  return { id: format.id, tree };
}

/** Beginnings that table programs run, and signs that mean something in a CSV file. */
const tricky = fc
  .tuple(fc.constantFrom('', '=', '+', '-', '@', '\t', "'", "''=", '"', '\\', '/', '﻿', ' '), text(12))
  .map(([start, rest]) => `${start}${rest}`.replaceAll('\0', ''));
const value = fc
  .oneof(
    tricky,
    tricky.map((one) => `${one}\r\n${one},;\t"\r`),
  )
  .filter((one) => one !== '');
const title = tricky.map((one) => one.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '').trim()).filter((one) => one !== '');
const time = fc.option(fc.integer({ min: Date.UTC(1990, 0, 1), max: NOW }), { nil: null });

const content: fc.Arbitrary<PlainContent> = fc.oneof(
  fc.record({
    type: fc.constant('password' as const),
    title,
    login: tricky.map((one) => one.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '')),
    value,
  }),
  fc.record({ type: fc.constantFrom('link' as const, 'note' as const), title, value }),
  fc.record({
    type: fc.constant('TOTP' as const),
    title,
    value: fc.constantFrom('JBSWY3DPEHPK3PXP', 'GEZDGNBVGY3TQOJR'),
    algorithm: fc.constantFrom('sha1' as const, 'sha256' as const, 'sha512' as const),
    period: fc.integer({ min: 1, max: 10_000 }),
  }),
);

const tree: fc.Arbitrary<ExchangeTree> = fc
  .record({ names: fc.uniqueArray(title, { maxLength: 4 }), times: fc.array(time, { minLength: 20, maxLength: 20 }) })
  .chain(({ names, times }) => {
    // A chain of groups and its branches: parents come first.
    const groups: TreeGroup[] = [
      { name: '', parent: null, created: null, modified: null },
      ...names.map((name, at) => ({
        name,
        parent: Math.floor(at / 2),
        created: times[at] ?? null,
        modified: times[at + 5] ?? null,
      })),
    ];
    const entry: fc.Arbitrary<TreeEntry> = fc.record({
      group: fc.nat(groups.length - 1),
      title,
      tags: fc
        .array(title, { maxLength: 3 })
        .map((tags) => distinctTags(tags.filter((tag) => tagProblem(tag) === null))),
      expires: fc.option(
        fc.integer({ min: 1, max: 40_000 }).map((day) => Date.UTC(2000, 0, 1) + day * 86_400_000),
        { nil: null },
      ),
      created: time,
      modified: time,
      fields: fc.array(
        content.map((one) => ({ type: one.type, revisions: [{ content: one, at: null }] })),
        { minLength: 1, maxLength: 5 },
      ),
    });
    return fc.array(entry, { maxLength: 6 }).map((entries) => ({ groups, entries, skipped: [] }));
  });

test('EX1: a tree without files and history is the same after csv-table', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (one) => {
      expect(await lossOf('csv-table', one)).toEqual([]);
      const { id, tree: back } = await readBack(await written('csv-table', one));
      expect(id).toBe('csv-table');
      expect({ groups: back.groups, entries: back.entries }).toEqual({ groups: one.groups, entries: one.entries });
    }),
    { numRuns: runsOf(150, 3000) },
  );
});

const entry = (contents: readonly PlainContent[], more: Partial<TreeEntry> = {}): TreeEntry => ({
  group: 0,
  title: '=cmd()',
  tags: [],
  expires: null,
  created: null,
  modified: null,
  fields: contents.map((one) => ({ type: one.type, revisions: [{ content: one, at: null }] })),
  ...more,
});
const ROOT: TreeGroup = { name: '', parent: null, created: null, modified: null };
const note = (name: string, text_: string): PlainContent => ({ type: 'note', title: name, value: text_ });
const password = (name: string, login: string, secret: string): PlainContent => ({
  type: 'password',
  title: name,
  login,
  value: secret,
});

test('IM8: cells that a table program would run begin with an apostrophe in csv-table', async () => {
  const bytes = await written('csv-table', {
    groups: [ROOT],
    entries: [entry([password('Password', '@user', "'-1"), note('Notes', '\tx')])],
    skipped: [],
  });
  expect(new TextDecoder().decode(bytes).split('\r\n')).toEqual([
    "group 'pb1',entry,title,type,field,login,value,tags,expires,created,modified",
    `,1,"'=cmd()",password,Password,"'@user","''-1",,,,`,
    `,1,"'=cmd()",note,Notes,,"'\tx",,,,`,
    '',
  ]);
});

test('csv-table: rows that a table program has sorted, and its semicolons', async () => {
  const text_ = [
    "modified;created;expires;tags;value;login;field;type;title;entry;group 'pb1'",
    ';;;;second;;Notes;note;B;2;',
    String.raw`;;2027-01-31;x, y;first;anna;Password;password;A;1;Work\/Home/In \\ out`,
    ';;;;more;;Notes;note;B;2;',
  ].join('\n');
  const { tree: back } = await readBack(utf8(text_));
  expect(back.groups.map(({ name }) => name)).toEqual(['', 'Work/Home', String.raw`In \ out`]);
  expect(back.entries.map(({ title: name, tags, fields }) => [name, tags, fields.length])).toEqual([
    ['B', [], 2],
    ['A', ['x', 'y'], 1],
  ]);
});

test('csv-manager: one row a password, exact values; the rest is told before', async () => {
  const file: PlainContent = { type: 'file', title: 'f', name: 'f', bytes: new Uint8Array(1) };
  const totp: PlainContent = { type: 'TOTP', title: 'x', value: 'JBSWY3DPEHPK3PXP', algorithm: 'sha1', period: 30 };
  const link = (url: string): PlainContent => ({ type: 'link', title: 'URL', value: url });
  const given: ExchangeTree = {
    groups: [ROOT, { ...ROOT, name: 'Work', parent: 0 }],
    entries: [
      entry(
        [
          password('Password', 'anna', "'=1"),
          password('PIN', '', '=1+1'),
          link('https://a.example.org'),
          link('https://b.example.org'),
          note('Notes', 'first'),
          note('Port', '22'),
          totp,
          file,
        ],
        { tags: ['x'], expires: Date.UTC(2027, 0, 31) },
      ),
      entry([note('Notes', 'only a note')], { title: 'Note' }),
      entry([totp], { title: 'Code' }),
    ],
    skipped: [],
  };
  const bytes = await written('csv-manager', given);
  expect(new TextDecoder().decode(bytes)).toBe(
    [
      'name,url,username,password,note',
      `=cmd(),https://a.example.org,anna,'=1,"first\n\nPort: 22"`,
      '=cmd() › PIN,https://a.example.org,,=1+1,',
      'Note,,,,only a note',
      '',
    ].join('\r\n'),
  );
  expect((await readBack(bytes)).id).toBe('chrome-csv');
  const kept = 'not kept in a CSV file';
  expect(await lossOf('csv-manager', given)).toEqual([
    { kind: 'group', reason: kept, count: 1 },
    { kind: 'one-time password', reason: kept, count: 2 },
    { kind: 'link', reason: 'beside the first of its entry', count: 1 },
    { kind: 'tag', reason: kept, count: 1 },
    { kind: 'due date', reason: kept, count: 1 },
    { kind: 'file', reason: kept, count: 1 },
    { kind: 'entry', reason: 'without a password, link or note', count: 1 },
    {
      kind: 'cell',
      reason: 'with a beginning that table programs run as a formula: do not open the file in one',
      count: 3,
    },
  ]);
});

test('what csv-table cannot hold', async () => {
  const file: PlainContent = { type: 'file', title: 'f', name: 'f', bytes: new Uint8Array(1) };
  const two = { content: note('Notes', 'x'), at: null };
  const given: ExchangeTree = {
    groups: [ROOT, { ...ROOT, name: 'Work', parent: 0 }, { ...ROOT, name: 'Work', parent: 0 }],
    entries: [entry([file]), entry([], { fields: [{ type: 'note', revisions: [two, two] }] })],
    skipped: [],
  };
  expect(await lossOf('csv-table', given)).toEqual([
    { kind: 'file', reason: 'not kept in a CSV file', count: 1 },
    { kind: 'version', reason: 'not kept in a CSV file', count: 1 },
    { kind: 'entry', reason: 'without any text', count: 1 },
    { kind: 'group', reason: 'of the same name beside another, so they become one', count: 1 },
  ]);
});
