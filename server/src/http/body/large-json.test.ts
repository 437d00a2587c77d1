/** JSON parsed in portions gives the same value, and the same refusals, as parsed at once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './body.ts';

const LONG = 'x'.repeat(300_000);
const read = (text: string) => readJson(Buffer.from(text));

test('any large body gives the value of JSON.parse', async () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const named = fc.string({ minLength: 1 }).filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(named, value), named, fc.array(value), async (around, name, some) => {
      const text = JSON.stringify({ ...around, [name]: [...some, LONG, ...some] });
      if (/__proto__|constructor|prototype/.test(text)) return;
      expect(await read(text)).toEqual(JSON.parse(text));
    }),
    { numRuns: 30 },
  );
});

test.each([
  ['a comma too many', `{"a":["${LONG}",]}`],
  ['a comma too many behind a portion', `{"a":["${LONG}","${LONG}",]}`],
  ['a comma in front', `{"a":[,"${LONG}"]}`],
  ['no comma', `{"a":["${LONG}" 1]}`],
  ['the list twice, the short one last', `{"a":["${LONG}"],"a":[1]}`],
  ['the list, then something else of that name', `{"a":["${LONG}"],"a":1}`],
  ['no end', `{"a":["${LONG}"]`],
  ['something behind it', `{"a":["${LONG}"]} 1`],
  ['no name', `{["${LONG}"]}`],
  ['a forbidden name', `{"__proto__":["${LONG}"]}`],
  ['a forbidden name within', `{"a":["${LONG}",{"__proto__":1}]}`],
  ['an element of nine megabytes', `{"a":["${LONG.repeat(31)}"]}`],
  ['nine megabytes around the list', `{"a":["${LONG}"],"b":"${LONG.repeat(31)}"}`],
  ['bytes that are no UTF-8', Buffer.concat([Buffer.from(`{"a":["${LONG}`), Buffer.from([0xff]), Buffer.from('"]}')])],
])('refused: %s', async (_, text) => {
  await expect(readJson(Buffer.from(text))).rejects.toMatchObject({ code: 'bad_request' });
});
