import { describe, expect, test } from 'vitest';
import type { ExchangeTree } from '@passwordbroker/core/domain/exchange/tree';
import { exportTree, writeTree } from './export-tree.ts';

const AT = '2026-01-01T00:00:00.000Z';
const group = (id: string, parent: string | null) => ({
  entry_group_id: id,
  parent_entry_group_id: parent,
  name: id,
  created_at: AT,
  updated_at: AT,
});
/** As deep as the vault allows, the first above the second and so on. */
const CHAIN = Array.from({ length: 32 }, (_, at) => group(`g${at + 1}`, at === 0 ? null : `g${at}`));

describe('a tree as deep as an import takes', () => {
  test('one group above all others needs no other above it', () => {
    const { groups, skipped } = exportTree('all', { groups: CHAIN, entries: [] }).end();
    expect(groups.map(({ name }) => name)).toEqual(CHAIN.map(({ name }) => name));
    expect(skipped).toEqual([]);
  });

  test('with one more above, the deepest group gives its entries to the one above it and is said', () => {
    const { groups, skipped } = exportTree('all', { groups: [...CHAIN, group('other', null)], entries: [] }).end();
    expect(groups.map(({ name }) => name)).toEqual([
      'all',
      'g1',
      'other',
      ...CHAIN.slice(1, 31).map(({ name }) => name),
    ]);
    expect(skipped).toEqual([
      { kind: 'group', reason: 'below level 32, so its entries are in the group above', count: 1 },
    ]);
  });
});

test.each([
  ['with a file', [{ type: 'file', title: 'Scan', name: 'a.txt', bytes: new Uint8Array(3) }], 'zip', 'application/zip'],
  ['without one', [{ type: 'note', title: 'Note', value: 'text' }], 'json', 'application/json'],
] as const)('Bitwarden, not encrypted, %s: the name says what it is', async (_, contents, extension, mime) => {
  const tree: ExchangeTree = {
    groups: [{ name: 'all', parent: null, created: null, modified: null }],
    entries: [
      {
        group: 0,
        title: 'Contract',
        tags: [],
        expires: null,
        created: null,
        modified: null,
        fields: contents.map((content) => ({ type: content.type, revisions: [{ content, at: null }] })),
      },
    ],
    skipped: [],
  };
  const argon2 = () => Promise.reject(new Error('Nothing is encrypted'));
  const written = await writeTree(tree, 'bitwarden-plain', { password: '', argon2 }, () => undefined);
  expect([written.extension, written.file.type]).toEqual([extension, mime]);
  expect((await written.file.slice(0, 2).text()) === 'PK').toBe(extension === 'zip');
});
