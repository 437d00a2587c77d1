import { expect, test } from 'vitest';
import { utf8 } from '../../crypto/bytes.ts';
import { decodeText, textOfHead } from './text.ts';

const WORDS = 'Größe, 東京, 🔑';

function utf16(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
}

async function read(bytes: Uint8Array<ArrayBuffer>) {
  const { pieces, isWestern } = await decodeText(new Blob([bytes]));
  let text = '';
  for await (const piece of pieces) text += piece;
  return { text, isWestern };
}

test.each([
  ['UTF-8', utf8(WORDS)],
  ['UTF-8 with a mark', utf8(`\uFEFF${WORDS}`)],
  ['UTF-16, little end first', utf16(`\uFEFF${WORDS}`, true)],
  ['UTF-16, big end first', utf16(`\uFEFF${WORDS}`, false)],
])('%s', async (_name, bytes) => {
  expect(textOfHead(bytes)).toBe(WORDS);
  expect(await read(bytes)).toEqual({ text: WORDS, isWestern: false });
});

test('one byte that is not UTF-8 makes the whole file Windows-1252', async () => {
  const bytes = new Uint8Array([...utf8('a'.repeat(200_000)), 0xe4, 0x80, 0x61]);
  expect(await read(bytes)).toEqual({ text: `${'a'.repeat(200_000)}ä€a`, isWestern: true });
  expect(textOfHead(bytes.slice(-100))).toMatch(/^a+ä€a$/);
});

test('a head that ends within a character is text; one with control characters is none', () => {
  expect(textOfHead(utf8('ab🔑').slice(0, 4))).toBe('ab');
  expect(textOfHead(new Uint8Array([0x50, 0x4b, 3, 4, 0]))).toBeNull();
  expect(textOfHead(new Uint8Array([0xff, 0xd8, 0xe0, 0x10]))).toBeNull();
  expect(textOfHead(new Uint8Array([0x41, 0x81, 0x42]))).toBeNull();
});

test('UTF-16 that is cut off is damaged', async () => {
  await expect(read(utf16(`\uFEFF${WORDS}`, true).slice(0, -1))).rejects.toThrow(
    'The file could not be read: its text is damaged.',
  );
});
