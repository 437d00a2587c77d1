/** JSON parsed in pieces gives the same values and errors as JSON.parse. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './body.ts';

const LONG = 'x'.repeat(300_000);
const read = (text: string) => readJson(Buffer.from(text));

test('any large body parses to the value of JSON.parse', async () => {
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
  ['an extra comma', `{"a":["${LONG}",]}`],
  ['an extra comma after a piece', `{"a":["${LONG}","${LONG}",]}`],
  ['a leading comma', `{"a":[,"${LONG}"]}`],
  ['a missing comma', `{"a":["${LONG}" 1]}`],
  ['a duplicate list, the short one last', `{"a":["${LONG}"],"a":[1]}`],
  ['a list and another member of the same name', `{"a":["${LONG}"],"a":1}`],
  ['a missing end', `{"a":["${LONG}"]`],
  ['trailing text', `{"a":["${LONG}"]} 1`],
  ['a member without a name', `{["${LONG}"]}`],
  ['a forbidden name', `{"__proto__":["${LONG}"]}`],
  ['a forbidden name in an element', `{"a":["${LONG}",{"__proto__":1}]}`],
  ['an element of nine megabytes', `{"a":["${LONG.repeat(31)}"]}`],
  ['nine megabytes outside the list', `{"a":["${LONG}"],"b":"${LONG.repeat(31)}"}`],
  ['invalid UTF-8', Buffer.concat([Buffer.from(`{"a":["${LONG}`), Buffer.from([0xff]), Buffer.from('"]}')])],
])('refused: %s', async (_, text) => {
  await expect(readJson(Buffer.from(text))).rejects.toMatchObject({ code: 'bad_request' });
});
