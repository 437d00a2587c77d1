import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findList, longestList } from './json-list.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const parsed = (json: Uint8Array): unknown => JSON.parse(Buffer.from(json).toString());
const PATH = ['batch', 'fields'];

/** Parses a text in pieces of `most` elements and joins them. */
function whole(text: string, most: number, path = PATH): unknown {
  const list = findList(bytes(text), path);
  if (list === null) return null;
  const all: unknown[] = [];
  for (let start = 0; start < list.length; start += most) {
    const portion = parsed(list.portion(start, most)) as unknown[];
    expect(portion).toHaveLength(Math.min(most, list.length - start));
    all.push(...portion);
  }
  const root = parsed(list.around()) as { batch?: object };
  return path.length === 1 ? { ...root, fields: all } : { ...root, batch: { ...root.batch, fields: all } };
}

test('any batch parsed in pieces equals the batch', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const batch = fc.record({ name: value, fields: fc.array(value, { maxLength: 12 }), entries: value });
  fc.assert(
    fc.property(batch, fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 2), (made, most, indent) => {
      const text = JSON.stringify({ batch: made, other: { fields: [1] } }, null, indent);
      expect(whole(text, most)).toEqual(JSON.parse(text));
      const alone = JSON.stringify(made, null, indent);
      expect(whole(alone, most, ['fields'])).toEqual(JSON.parse(alone));
    }),
  );
});

test.each([
  [
    'a list of that name at another place',
    '{"fields":[1],"other":{"fields":[2],"batch":{"fields":[3]}},"batch":{"x":{"fields":[4]}}}',
  ],
  ['a member that is no list', '{"batch":{"fields":{"fields":[1]}}}'],
  ['a batch that is a list', '{"batch":[{"fields":[1]}]}'],
  ['the name as a string value', '{"batch":["fields",[1]],"x":"batch"}'],
])('finds no list: %s', (_, text) => {
  expect(findList(bytes(text), PATH)).toBeNull();
});

test.each([
  ['two lists', '{"batch":{"fields":[1],"fields":[2]}}'],
  ['two batches', '{"batch":{"fields":[1]},"batch":{"fields":[2]}}'],
  ['no end', '{"batch":{"fields":[1,'],
])('%s are refused', (_, text) => {
  expect(() => findList(bytes(text), PATH)).toThrow(expect.objectContaining({ code: 'bad_request' }));
});

test.each(['[1,]', '[,1]', '[1,,2]', '[1 2]', '[1}]', '[1,2,3,]', '[,]'])(
  'a malformed list, %s, is refused in pieces too',
  (list) => {
    expect(() => whole(`{"batch":{"fields":${list}}}`, 1)).toThrow();
    expect(() => whole(`{"batch":{"fields":${list}}}`, 2)).toThrow();
  },
);

/** Parses the longest list of the root in pieces and joins them. */
function longest(text: string): unknown {
  const json = Buffer.from(text);
  const search = longestList(json);
  let found = search.next();
  while (found.done !== true) found = search.next();
  const list = found.value;
  if (list === null) return null;
  const all: unknown[] = [];
  for (let start = 0; start < list.length;) {
    const count = list.countWithin(start, 30);
    all.push(...(parsed(list.portion(start, count)) as unknown[]));
    start += count;
  }
  return { name: list.name, all };
}

test('finds the longest list of the root, or the root itself, and parses it in pieces', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const root = fc.oneof(fc.array(value), fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(value, fc.array(value))));
  fc.assert(
    fc.property(root, fc.constantFrom(0, 2), (made, indent) => {
      const text = JSON.stringify(made, null, indent);
      const plain = JSON.parse(text) as unknown;
      const found = longest(text) as { name: string | null; all: unknown[] } | null;
      const lists = Array.isArray(plain) ? [plain] : Object.values(plain as object).filter(Array.isArray);
      if (found === null) return lists.length === 0;
      expect(found.name === null ? plain : (plain as Record<string, unknown>)[found.name]).toEqual(found.all);
      const size = (list: unknown) => JSON.stringify(list).length;
      if (indent === 0) expect(size(found.all)).toBe(Math.max(...lists.map(size)));
      return true;
    }),
  );
});

test('a list of more than 60,000 elements is refused', () => {
  expect(longest(`{"a":[${'1,'.repeat(59_999)}1]}`)).toMatchObject({ name: 'a' });
  expect(() => longest(`{"a":[${'1,'.repeat(60_000)}1]}`)).toThrow(expect.objectContaining({ code: 'bad_request' }));
});
