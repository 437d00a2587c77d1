import { expect, test } from 'vitest';
import { csvOf } from './opened-rows.tsx';

test('quotes cells and ends lines by RFC 4180', () => {
  expect(
    csvOf([
      ['Entry', 'Field'],
      ['a "b", c', 'two\nlines'],
    ]),
  ).toBe('\uFEFF"Entry","Field"\r\n"a ""b"", c","two\nlines"\r\n');
});

test('keeps cells from being formulas', () => {
  for (const begin of ['=', '+', '-', '@', '\t', '\r', ' =', '\t=']) {
    expect(csvOf([[`${begin}1+1`]])).toBe(`\uFEFF"'${begin}1+1"\r\n`);
  }
  expect(csvOf([['a=1', '']])).toBe('\uFEFF"a=1",""\r\n');
});
