import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepassXml } from '../../testing/keepass/keepass-files.ts';
import { utf16 } from '../../testing/keepass/keepass-hostile.ts';
import { decodeXml, readKeepassXml } from './read.ts';

const XML = keepassXml({
  root: { name: 'Größe', entries: [{ title: '🔑 Ключи', password: 'пароль', notes: 'a\nb' }] },
});
const utf8 = new TextEncoder().encode(XML);

/** The bytes in pieces of the given lengths, repeated. */
function* inPieces(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function textOf(pieces: Iterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of decodeXml(pieces)) text += piece;
  return text;
}

describe('encodings', () => {
  test.each<[string, Uint8Array]>([
    ['UTF-8', utf8],
    ['UTF-16, little-endian', utf16(XML, 'little')],
    ['UTF-16, big-endian', utf16(XML, 'big')],
    ['UTF-16 without BOM', utf16(XML, 'little').subarray(2)],
    ['UTF-16 without BOM, big-endian', utf16(XML, 'big').subarray(2)],
    ['UTF-8 with BOM', new TextEncoder().encode(`\uFEFF${XML}`)],
    ['an outdated declaration', new TextEncoder().encode(XML.replace('UTF-8', 'UTF-16'))],
  ])('%s', async (name, bytes) => {
    const text = await textOf([bytes]);
    expect(text.replace('UTF-16', 'UTF-8')).toBe(XML);
    expect(await textOf(inPieces(bytes, [1]))).toBe(text);
    expect(name).not.toBe('');
  });

  test('decodes a declared single-byte encoding', async () => {
    const bytes = Uint8Array.from(
      "<?xml version='1.0' encoding='iso-8859-1'?><KeePassFile><Root><Group><Name>Gr\u00f6\u00dfe</Name></Group></Root></KeePassFile>",
      (character) => character.charCodeAt(0),
    );
    expect((await readKeepassXml(bytes)).groups[0]?.name).toBe('Größe');
  });
});

test('the result does not depend on the pieces', async () => {
  const whole = await readKeepassXml(utf8);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }), async (lengths) => {
      async function* arriving() {
        yield* inPieces(utf8, lengths);
      }
      expect(await readKeepassXml(arriving())).toEqual(whole);
    }),
    { numRuns: 100 },
  );
});

test('finds a declaration that is split over pieces', async () => {
  const bytes = new TextEncoder().encode(`${XML}<!DOCTYPE a>`);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (length) => {
      await expect(textOf(inPieces(bytes, [length]))).rejects.toThrow('document type');
    }),
    { numRuns: 40 },
  );
});
