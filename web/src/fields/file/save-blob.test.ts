import { describe, expect, test } from 'vitest';
import { safeFileName } from './save-blob.ts';
import { secretPieces } from '../value/secret-text.tsx';

describe('file names to save under (M30)', () => {
  test.each([
    ['ledger-root.p12', 'ledger-root.p12'],
    ['Ключ 鍵.txt', 'Ключ 鍵.txt'],
    ['..\\evil.exe\u202Etxt', 'evil.exetxt'],
    ['../../etc/passwd', 'passwd'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Windows\\a.txt', 'a.txt'],
    ['.htaccess', 'htaccess'],
    ['a\u0000b\r\n.txt', 'ab.txt'],
    ['a<b>:"c|d?*.txt', 'a_b___c_d__.txt'],
    ['nul', '_nul'],
    ['CON.txt', '_CON.txt'],
    ['', 'file'],
    ['..', 'file'],
    ['   ', 'file'],
    ['a/', 'file'],
    ['name. ', 'name'],
  ])('%j: %j', (sealed, name) => {
    expect(safeFileName(sealed)).toBe(name);
  });

  test('shortens a long name and keeps its extension', () => {
    const name = safeFileName(`${'x'.repeat(1000)}.pdf`);
    expect(name).toHaveLength(200);
    expect(name.endsWith('x.pdf')).toBe(true);
  });
});

describe('groups of characters', () => {
  test.each([
    ['h7-Kd2_v', ['letter h', 'digit 7', 'symbol -', 'letter Kd', 'digit 2', 'symbol _', 'letter v']],
    ['äß字١', ['letter äß字', 'digit ١']],
    ['', []],
    ['🔑 a', ['symbol 🔑 ', 'letter a']],
  ])('%s', (secret, pieces) => {
    expect(secretPieces(secret).map(({ kind, text }) => `${kind} ${text}`)).toEqual(pieces);
    expect(
      secretPieces(secret)
        .map(({ text }) => text)
        .join(''),
    ).toBe(secret);
  });
});
