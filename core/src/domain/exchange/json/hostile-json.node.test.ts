/** Hostile JSON: each ends with a sentence, or is read, within seconds. */
import { describe, expect, test } from 'vitest';
import { fixtureText, type Part, readFile, refusalOf } from '../../../testing/exchange/read-file.ts';
import { zipOf } from '../../../testing/exchange/zip-files.ts';

/** Five seconds, and more for a busy machine. */
const MOST_MS = 10_000;

const bare = (text: string): Part => text;
const packed = (name: string) => (text: string) =>
  zipOf([
    { name, content: text, isStored: true },
    { name: 'export.attributes', content: '{}' },
  ]);

/** The beginning of a file with a list of items, its end, and the file around. */
const SHAPES = [
  ['bitwarden', '{"encrypted":false,"items":[', ']}', bare],
  ['1pux', '{"accounts":[{"attrs":{},"vaults":[{"attrs":{"name":"v"},"items":[', ']}]}]}', packed('export.data')],
  ['proton-pass', '{"version":"1","vaults":{"a":{"name":"v","items":[', ']}}}', bare],
  ['keeper', '{"shared_folders":[],"records":[', ']}', bare],
  ['cxf', '{"version":{"major":1,"minor":0},"exporterRpId":"x","accounts":[{"items":[', ']}]}', bare],
] as const;

async function within<T>(step: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await step();
  } finally {
    expect(performance.now() - start).toBeLessThan(MOST_MS);
  }
}

const times = (count: number, text: string) => `${`${text},`.repeat(count - 1)}${text}`;

describe.each(SHAPES)('%s', (id, head, end, around) => {
  const refusal = (items: string) => within(() => refusalOf(around(`${head}${items}${end}`)));

  test('a million tiny items', async () => {
    for (const item of ['{}', '{"a":1}'])
      expect(await refusal(times(1_000_000, item))).toBe('The file could not be read: it has too many entries.');
    expect(await refusal(times(2_000_000, '{}'))).toBe('The file could not be read: it has too many fields.');
    expect(await refusal(times(3_100_000, '1'))).toBe('The file could not be read: it has too many fields.');
  });

  test('nesting', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(await refusal(deep(1_000_000))).toBe('The file could not be read: it is nested too deeply.');
    expect(await refusal('{"a":'.repeat(1_000_000))).toBe('The file could not be read: it is nested too deeply.');
    expect(await refusal(deep(20))).toBe(`read as ${id}`);
  });

  test('a million different names', async () => {
    const names = Array.from({ length: 1_000_000 }, (_, at) => `"n${at}" : 0`).join(',');
    expect(await refusal(`{${names}}`)).toBe('The file could not be read: it has too many fields.');
  });

  test('numbers, texts and names of any size', async () => {
    for (const item of [`{"id":${'9'.repeat(1_000_000)}}`, '{"id":1e999999}', '{"id":-0}', '{"":{"":{"":""}}}'])
      expect(await refusal(item)).toBe(`read as ${id}`);
    expect(await refusal(`{"${'n'.repeat(5_000_000)}":"${'\\'.repeat(2_000_000)}"}`)).toMatch(/too long|^read as/);
  });

  test('no JSON', async () => {
    for (const items of ['{"a":1', '{]', '{"a" 1}', 'NaN', '{"a":"\n"}', '{"a":1,}'])
      expect(await refusal(items)).toMatch(/^The file could not be read: it is (?:damaged|cut off)\.$/);
    expect(await within(() => refusalOf(around(`${head}${end}{}`)))).toBe('The file could not be read: it is damaged.');
  });
});

/** Each value of a file in turn as something else. */
function* replaced(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) for (const other of replaced(one, by)) yield value.with(at, other);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value))
      for (const other of replaced(one, by)) yield { ...value, [name]: other };
  }
}

const REFUSALS =
  /^(?:The file could not be read: it is damaged\.|This file is of (?:no kind that can be imported|another version of CXF than 1)\.)$/;

test.each([
  ['bitwarden', 'bitwarden', bare],
  ['1pux', '1pux', packed('export.data')],
  ['proton-pass', 'proton-pass', bare],
  ['keeper', 'keeper', bare],
  ['cxf', 'cxf', bare],
])('wrong types everywhere in %s end with a tree or a sentence', async (format, id, around) => {
  const usual: unknown = JSON.parse(fixtureText(`${format}/usual.json`));
  const others = [{ strange: 'kept' }, ['strange'], 17, true, 'strange'];
  let at = 0;
  for (const value of replaced(usual, 'mark')) {
    // Another one each time: all of them take too long.
    const text = JSON.stringify(value).replace('"mark"', JSON.stringify(others[(at += 1) % others.length]));
    const outcome = await refusalOf(around(text));
    if (outcome !== `read as ${id}`) expect(outcome).toMatch(REFUSALS);
  }
  expect(at).toBeGreaterThan(100);
});

test('names of the language are names like any other', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'then'];
  const members = names.map((name) => `"${name}":{"x":"y"}`).join(',');
  const text = `{"encrypted":false,"items":[{"name":"Item",${members},"login":{"password":"p",${members}}}],${members}}`;
  const { tree } = await readFile(text);
  expect(tree.entries[0]?.fields).toHaveLength(1 + 2 * names.length);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});
