/**
 * Files that KeePassXC 2.7.4 exported itself (`keepassxc-cli export -f xml`): one of a KDBX 3.1
 * database, one of a KDBX 4 database.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readKeepassXml } from './read.ts';
import type { ExchangeTree } from '../exchange/tree.ts';

async function read(name: string): Promise<ExchangeTree> {
  const file = await readFile(new URL(`../../testing/fixtures/keepass/${name}`, import.meta.url));
  return readKeepassXml(new Uint8Array(file));
}

const entryOf = (tree: ExchangeTree, title: string) => {
  const entry = tree.entries.find((one) => one.title === title);
  if (entry === undefined) throw new Error(`No entry ${title}`);
  return entry;
};
const valuesOf = (tree: ExchangeTree, title: string) =>
  entryOf(tree, title).fields.map(({ revisions }) =>
    revisions.map(({ content }) => ('value' in content ? content.value : content.bytes)),
  );

describe('KDBX 3.1: nested groups, other scripts, four spellings of one-time passwords, attachments, a German recycle bin', async () => {
  const tree = await read('keepassxc-kdbx3.xml');

  test('groups and entries', () => {
    expect(tree.groups.map(({ name, parent }) => [name, parent])).toEqual([
      ['Passwörter', null],
      ['Büro – 東京', 0],
      ['Netz', 1],
      ['Switches', 2],
      ['OTP', 0],
    ]);
    expect(tree.entries.map(({ title }) => title)).toEqual([
      'PostgreSQL primary',
      '(no title)',
      'Mail',
      'Mail',
      'Ключи 🔑',
      'core-1',
      'otpauth',
      'keeotp',
      'timeotp',
      'seed',
    ]);
  });

  test('fields with their history', () => {
    expect(valuesOf(tree, 'PostgreSQL primary')).toEqual([
      ['first', 'second', 'Zx-9_plain <&> "quoted"'],
      ['https://console.ledger.internal/primary', 'https://console.ledger.internal:8443/primary'],
      ['5432'],
      ['otter maple quiet'],
      ['Line one', 'Line one\nLine two: ünïcödé'],
    ]);
    expect(entryOf(tree, 'PostgreSQL primary')).toMatchObject({
      tags: ['database', 'production'],
      expires: Date.UTC(2027, 0, 31),
    });
    expect(valuesOf(tree, 'core-1')).toEqual([['sw1tch', 'pw-new'], [new Uint8Array([0, 1, 2, 255, 254, 10, 13, 0])]]);
  });

  test('one-time passwords', () => {
    const totps = ['otpauth', 'keeotp', 'timeotp', 'seed'].map((title) => entryOf(tree, title).fields);
    expect(totps.map(([field]) => field?.revisions[0]?.content)).toEqual(
      [
        ['sha256', 60],
        ['sha512', 45],
        ['sha1', 30],
        ['sha1', 30],
      ].map(([algorithm, period]) => ({
        type: 'TOTP',
        title: 'One-time password',
        value: 'JBSWY3DPEHPK3PXP',
        algorithm,
        period,
      })),
    );
    expect(totps.every((fields) => fields.length === 1)).toBe(true);
  });

  test('reports omitted data', () => {
    expect(tree.skipped).toEqual([
      { kind: 'note', reason: 'of a group, which is not supported', count: 1 },
      { kind: 'entry', reason: 'in the recycle bin', count: 2 },
      { kind: 'group', reason: 'in the recycle bin', count: 1 },
    ]);
  });
});

test('KDBX 4: times in base64; missing attachments are reported', async () => {
  const tree = await read('keepassxc-kdbx4.xml');
  expect(tree.groups.map(({ name }) => name)).toEqual(['Passwords', 'Team']);
  expect(valuesOf(tree, 'Git')).toEqual([
    ['pw-one', 'pw-two'],
    ['https://example.org'],
    ['created by the command line'],
  ]);
  expect(new Date(entryOf(tree, 'Git').created ?? 0).toISOString()).toMatch(/^2026-11-21T06:29:0\d\.000Z$/);
  expect(tree.skipped).toEqual([
    { kind: 'attachment', reason: 'its content is not in the file', count: 1 },
    { kind: 'entry', reason: 'in the recycle bin', count: 1 },
  ]);
});
