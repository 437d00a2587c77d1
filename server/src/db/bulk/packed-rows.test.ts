import { expect, test } from 'vitest';
import { countRows, packRows, unpackRows, valuesIn } from './packed-rows.ts';

const rows = (values: readonly (readonly [string, string, number])[]) =>
  values.map(([name, value, updated_at]) => ({ name, value, updated_at }));

test.each([
  ['none', []],
  ['one', [['a', 'x', 1]]],
  [
    'identical rows',
    [
      ['a', 'x', 1],
      ['a', 'x', 1],
    ],
  ],
  [
    'equal values in a column',
    [
      ['a', 'x', 1],
      ['b', 'x', 1],
      ['c', 'x', 2],
    ],
  ],
] as const)('%s: unpacking returns the same rows', (_, values) => {
  const packed = packRows<'site_settings'>(rows(values));
  expect([countRows(packed), unpackRows(packed)]).toEqual([values.length, rows(values)]);
  for (const column of ['name', 'value', 'updated_at'] as const) {
    expect(valuesIn(packed, column)).toEqual(new Set(rows(values).map((row) => row[column])));
  }
});

test('a value that all rows share is stored once', () => {
  const packed = packRows<'site_settings'>(
    rows([
      ['a', 'x', 1],
      ['b', 'x', 1],
    ]),
  );
  expect(packed).toEqual({
    columns: ['name', 'value', 'updated_at'],
    count: 2,
    varied: [true, false, false],
    alike: [null, 'x', 1],
    values: ['a', 'b'],
  });
});

test('members in another order belong to the same columns', () => {
  const [first, second] = rows([
    ['a', 'x', 1],
    ['b', 'y', 2],
  ]);
  const { name, value, updated_at } = second!;
  expect(unpackRows(packRows<'site_settings'>([first!, { updated_at, value, name }]))).toEqual([first, second]);
});
