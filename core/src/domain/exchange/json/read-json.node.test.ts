/** 1Password, Proton Pass, Keeper and CXF: fixtures (IM2), and the kinds of files that are refused with what to do. */
import { describe, expect, test } from 'vitest';
import {
  fixture,
  fixturePath,
  fixtureText,
  type Part,
  readFile,
  refusalOf,
} from '../../../testing/exchange/read-file.ts';
import { treeText } from '../../../testing/exchange/tree-text.ts';
import { type ZipPart, zipOf } from '../../../testing/exchange/zip-files.ts';

const packed =
  (name: string, ...more: readonly ZipPart[]) =>
  (content: string): Part =>
    zipOf([{ name, content }, ...more]);
const bare = (content: string): Part => content;

/** The format, its id, and the file around a fixture. */
const KINDS = [
  [
    '1pux',
    '1pux',
    packed(
      'export.data',
      { name: 'export.attributes', content: '{"version":3}' },
      { name: 'files/doc1__contract.txt', content: 'Contract' },
      { name: 'files/doc2__manual.txt', content: 'Manual', isStored: true },
      { name: 'files/doc3__lost.txt', content: 'Nobody names it' },
    ),
  ],
  [
    'proton-pass',
    'proton-pass-zip',
    packed(
      'Proton Pass/data.json',
      { name: 'Proton Pass/files/ab12cd34ab12cd34-my-picture.txt', content: 'Picture' },
      { name: 'Proton Pass/files/letter.txt', content: 'Letter' },
      { name: 'Proton Pass/files/lost.txt', content: 'Nobody names it' },
    ),
  ],
  ['keeper', 'keeper', bare],
  ['cxf', 'cxf-zip', packed('cxf.json', { name: 'documents/ZmlsZTE', content: 'Dear Anna' })],
] as const;

describe.each(KINDS)('%s', (format, id, around) => {
  test.each(['usual', 'odd'])('IM2: %s', async (name) => {
    const { id: found, tree } = await readFile(around(fixtureText(`${format}/${name}.json`)));
    expect(found).toBe(id);
    await expect(treeText(tree)).toMatchFileSnapshot(fixturePath(`${format}/${name}.expected.json`));
  });

  test('IM2: every member of the usual file has a rule', async () => {
    const { tree } = await readFile(around(fixtureText(`${format}/usual.json`)));
    expect(tree.skipped.filter(({ kind }) => kind === 'member')).toEqual([]);
  });

  test('a file that is cut off', async () => {
    expect(await refusalOf(around(fixtureText(`${format}/broken.txt`)))).toBe(
      'The file could not be read: it is cut off.',
    );
  });
});

test.each([
  ['proton-pass', 'proton-pass'],
  ['cxf', 'cxf'],
])('%s without its archive: all but the files', async (format, id) => {
  const whole = await readFile(KINDS.find(([name]) => name === format)![2](fixtureText(`${format}/usual.json`)));
  const { id: found, tree } = await readFile(fixture(`${format}/usual.json`));
  expect(found).toBe(id);
  const withoutFiles = whole.tree.entries.map(({ fields, ...entry }) => ({
    ...entry,
    fields: fields.filter(({ type }) => type !== 'file'),
  }));
  expect(tree.entries).toEqual(withoutFiles);
  expect(tree.skipped).toContainEqual(
    expect.objectContaining({ kind: 'attachment', reason: 'its content is not in the file' }),
  );
});

test('exports that are encrypted in a way of their own', async () => {
  const pgp = 'This export is encrypted with PGP. Export it from Proton Pass without, or decrypt it first.';
  expect(await refusalOf(zipOf([{ name: 'Proton Pass/data.pgp', content: 'x' }]))).toBe(pgp);
  expect(await refusalOf('-----BEGIN PGP MESSAGE-----\n\nxx')).toBe(pgp);
  expect(await refusalOf(zipOf([{ name: 'index.jwe', content: 'x' }]))).toBe(
    'This is a transfer between two apps (CXP) and opens in the receiving app only. Export to a file instead.',
  );
});

test('another version of CXF', async () => {
  for (const version of [{ major: 2, minor: 0 }, { major: 0, minor: 0 }, 0, null])
    expect(await refusalOf(JSON.stringify({ version, exporterRpId: 'x', accounts: [] }))).toBe(
      'This file is of another version of CXF than 1.',
    );
});
