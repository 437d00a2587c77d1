/** JSON text that is refused before it is parsed. */
import { expect, test } from 'vitest';
import { BODY_BOUNDS, IMPORT_BOUNDS, refuseDenseJson } from './json-shape.ts';

const ID = '01a1fd50-8148-7376-bca6-986c3abf4142';
const look =
  (text: string, bounds = IMPORT_BOUNDS) =>
  () =>
    refuseDenseJson(Buffer.from(text), bounds);

test.each([
  ['empty lists', `{"batch":{"fields":[${'[],'.repeat(50_000)}[]]}}`],
  ['empty objects separated by spaces', `[${'{}          ,'.repeat(50_000)}{}]`],
  ['numbers', `[${'1,'.repeat(50_000)}1]`],
  ['depth', '['.repeat(17)],
  ['a quote inside a text does not hide what follows', `["\\\\",${'[],'.repeat(5_000)}[]]`],
])('refuses: %s', (_, text) => {
  expect(look(text)).toThrowError(expect.objectContaining({ code: 'bad_request' }));
});

test.each([
  ['short text of any kind', '{"batch":{"fields":[[],[],[]]}}'],
  ['brackets inside texts', `{"a":"${'[{,'.repeat(50_000)}"}`],
  ['escaped quotes', `{"a":"${'\\",['.repeat(50_000)}"}`],
  ['many short entries', `[${`{"entry_id":"${ID}","entry_group_id":"${ID}","title":""},`.repeat(20_000)}{}]`],
])('accepts: %s', (_, text) => {
  expect(look(text)).not.toThrow();
});

test('JSON for the event loop has at most 20,000 elements, 64 levels, 512 KiB outside strings and 250,000 escapes', () => {
  const rewraps = (count: number) =>
    `[${`{"field_id":"${ID}","rev":1,"cek_wrapped":"${'A'.repeat(80)}"},`.repeat(count)}{}]`;
  expect(look(rewraps(4999), BODY_BOUNDS)).not.toThrow();
  expect(look(rewraps(5000), BODY_BOUNDS)).toThrow();
  expect(look('['.repeat(65), BODY_BOUNDS)).toThrow();
  const slashes = (count: number) => `"${'AAAAAAAA\\/'.repeat(count)}"`;
  expect(look(slashes(250_000), BODY_BOUNDS)).not.toThrow();
  expect(look(slashes(250_001), BODY_BOUNDS)).toThrow();
  expect(look(`[${' '.repeat(520_000)}]`, BODY_BOUNDS)).not.toThrow();
  expect(look(`[${' '.repeat(530_000)}]`, BODY_BOUNDS)).toThrow();
});

test('a text has at most 100,000 escaped quotes', () => {
  expect(look(`"${'\\"'.repeat(100_000)}"`)).not.toThrow();
  expect(look(`"${'\\"'.repeat(100_001)}"`)).toThrow();
});
