import { expect, test } from 'vitest';
import { csvOf } from './departure-csv.ts';

test('cells are quoted, lines end as RFC 4180 says', () => {
  expect(
    csvOf([
      ['Entry', 'Field'],
      ['a "b", c', 'two\nlines'],
    ]),
  ).toBe('\uFEFF"Entry","Field"\r\n"a ""b"", c","two\nlines"\r\n');
});

test('nothing is a formula', () => {
  for (const begin of ['=', '+', '-', '@', '\t', '\r', ' =', '\t=']) {
    expect(csvOf([[`${begin}1+1`]])).toBe(`\uFEFF"'${begin}1+1"\r\n`);
  }
  expect(csvOf([['a=1', '']])).toBe('\uFEFF"a=1",""\r\n');
});
