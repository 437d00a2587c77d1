/** Dashlane's archive of CSV files (IM2). */
import { expect, test } from 'vitest';
import { fixturePath, fixtureText, readFile, refusalOf } from '../../../testing/exchange/read-file.ts';
import { treeText } from '../../../testing/exchange/tree-text.ts';
import { zipOf } from '../../../testing/exchange/zip-files.ts';

const NAMES = ['credentials', 'securenotes', 'payments', 'ids', 'personalInfo', 'wifi'];
const parts = NAMES.map((name) => ({ name: `${name}.csv`, content: fixtureText(`csv/dashlane/${name}.csv`) }));

test('IM2: all files of the archive', async () => {
  const { id, tree } = await readFile(zipOf([...parts, { name: 'readme.txt', content: 'new' }]));
  expect(id).toBe('dashlane');
  await expect(treeText(tree)).toMatchFileSnapshot(fixturePath('csv/dashlane/archive.expected.json'));
});

test('a file with other columns than today, an empty one, and one with a header alone', async () => {
  const { tree } = await readFile(
    zipOf([
      { name: 'export/credentials.csv', content: 'title,password,passkey_id\nMail,pw,abc\n' },
      { name: 'export/wifi.csv', content: '' },
      { name: 'export/ids.csv', content: 'type,number\n' },
    ]),
  );
  expect(
    tree.entries.map(({ title, fields }) => [title, fields.map(({ revisions }) => revisions[0]?.content)]),
  ).toEqual([
    [
      'Mail',
      [
        { type: 'password', title: 'Password', login: '', value: 'pw' },
        { type: 'note', title: 'passkey_id', value: 'abc' },
      ],
    ],
  ]);
});

test('a ragged row names its file', async () => {
  const [credentials, ...others] = parts;
  expect(
    await refusalOf(zipOf([{ name: 'credentials.csv', content: `${credentials?.content}a,b\n` }, ...others])),
  ).toBe('Line 5 (credentials.csv) does not fit the header.');
});
