/** Sealed content of a field: P8, strict parsing (docs/spec/crypto.md §10). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bytes, encodeBase64, encodeHex, utf8 } from '../../crypto/bytes.ts';
import { RUNS, bytesOf, text } from '../../testing/arbitraries.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { FIELD_TYPES, type FieldType, TOTP_ALGORITHMS } from './field-kinds.ts';
import { MAX_PADDED_BYTES, pad, unpad } from './padding.ts';
import { type FieldContent, decodePayload, encodePayload } from './payload.ts';

const value = bytesOf({ maxLength: 200 });
const title = text();
const byte32 = bytesOf({ minLength: 32, maxLength: 32 });
const content: fc.Arbitrary<FieldContent> = fc.oneof(
  fc.record({ type: fc.constant('password' as const), title, login: text(), value }),
  fc.record({ type: fc.constantFrom('link' as const, 'note' as const), title, value }),
  fc.record({
    type: fc.constant('TOTP' as const),
    title,
    value,
    totp: fc.record({ algorithm: fc.constantFrom(...TOTP_ALGORITHMS), period: fc.integer({ min: 1, max: 10_000 }) }),
  }),
  fc.record({
    type: fc.constant('file' as const),
    title,
    file: fc.record({ name: text(), mime: text(), size: fc.nat(), sha256: byte32, key: byte32 }),
  }),
);

describe('padding', () => {
  test('P8 can be removed, and reveals the length in steps of 64 only', () => {
    fc.assert(
      fc.property(bytesOf({ maxLength: 2000 }), (json) => {
        const padded = pad(json);
        expect(padded.length).toBe(Math.max(128, Math.ceil((json.length + 4) / 64) * 64));
        expect(unpad(padded)).toEqual(json);
      }),
      { numRuns: RUNS },
    );
  });

  test.each([0, 123, 124, 125, 188, 189, MAX_PADDED_BYTES - 4])('P8 works at the limits: %i bytes', (length) => {
    expect(unpad(pad(new Uint8Array(length).fill(7))).length).toBe(length);
  });

  test('P8 rejects one byte more than the maximum', async () => {
    expect(await errorCodeOf(() => pad(new Uint8Array(MAX_PADDED_BYTES - 3)))).toBe('padding');
  });

  test('P8 rejects padding other than zeros', async () => {
    await fc.assert(
      fc.asyncProperty(
        bytesOf({ maxLength: 100 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (json, at, wrong) => {
          const padded = pad(json);
          const filler = padded.length - 4 - json.length;
          fc.pre(filler > 0);
          padded[4 + json.length + (at % filler)] = wrong;
          expect(await errorCodeOf(() => unpad(padded))).toBe('padding');
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('P8 rejects a wrong length, and a total that is no multiple of 64', async () => {
    const long = new Uint8Array(128);
    for (const length of [125, 128, 2 ** 31, 2 ** 32 - 1]) {
      new DataView(long.buffer).setUint32(0, length);
      expect(await errorCodeOf(() => unpad(long))).toBe('padding');
    }
    for (const total of [0, 4, 64, 127, 129, 191, MAX_PADDED_BYTES + 64]) {
      expect(await errorCodeOf(() => unpad(new Uint8Array(total)))).toBe('padding');
    }
  });
});

describe('a payload', () => {
  test('decodes to the encoded content', () => {
    fc.assert(
      fc.property(content, (one) => {
        expect(decodePayload(encodePayload(one), one.type)).toEqual(one);
      }),
      { numRuns: RUNS },
    );
  });

  test('is decoded as its own type only', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.constantFrom(...FIELD_TYPES), async (one, type) => {
        fc.pre(one.type !== type);
        expect(await errorCodeOf(() => decodePayload(encodePayload(one), type))).toBe('payload');
      }),
      { numRuns: RUNS },
    );
  });

  const read = (json: unknown, type: FieldType) => decodePayload(pad(utf8(JSON.stringify(json))), type);
  const file = {
    name: 'a',
    mime: '',
    size: 1,
    sha256: encodeHex(new Uint8Array(32)),
    key_base64: encodeBase64(new Uint8Array(32)),
  };
  const good: Record<FieldType, Record<string, unknown>> = {
    password: { v: 1, type: 'password', title: '', login: '', value_base64: '' },
    link: { v: 1, type: 'link', title: '', value_base64: '' },
    note: { v: 1, type: 'note', title: '', value_base64: '' },
    TOTP: { v: 1, type: 'TOTP', title: '', value_base64: '', totp: { alg: 'sha1', period: 30, digits: 6 } },
    file: { v: 1, type: 'file', title: '', file },
  };

  test.each(FIELD_TYPES)('%s: unknown members are ignored, known ones are required and typed', async (type) => {
    expect(read({ ...good[type], more: { deep: [1] } }, type)).toMatchObject({ type, title: '' });
    for (const member of Object.keys(good[type])) {
      const { [member]: _, ...without } = good[type];
      expect(await errorCodeOf(() => read(without, type)), member).toBe('payload');
      for (const wrong of [null, 2, [], { a: 1 }, true]) {
        expect(await errorCodeOf(() => read({ ...good[type], [member]: wrong }, type)), member).toBe('payload');
      }
    }
  });

  test.each([
    ['totp', { alg: 'md5', period: 30, digits: 6 }],
    ['totp', { alg: 'sha1', period: 0, digits: 6 }],
    ['totp', { alg: 'sha1', period: 10_001, digits: 6 }],
    ['totp', { alg: 'sha1', period: 30.5, digits: 6 }],
    ['totp', { alg: 'sha1', period: '30', digits: 6 }],
    ['totp', { alg: 'sha1', period: 30, digits: 8 }],
    ['value_base64', 'AAA'],
    ['value_base64', 'AA-_'],
  ])('TOTP with %s %j is refused', async (member, wrong) => {
    expect(await errorCodeOf(() => read({ ...good.TOTP, [member]: wrong }, 'TOTP'))).toBe('payload');
  });

  test.each([
    { size: -1 },
    { size: 1.5 },
    { size: '1' },
    { sha256: 'ab' },
    { sha256: 'zz'.repeat(32) },
    { key_base64: encodeBase64(new Uint8Array(31)) },
    { name: null },
    { mime: 1 },
  ])('a file with %j is refused', async (wrong) => {
    expect(await errorCodeOf(() => read({ ...good.file, file: { ...file, ...wrong } }, 'file'))).toBe('payload');
  });

  test.each([
    ['text that is not JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"a"'],
    ['ten thousand brackets', '['.repeat(10_000)],
    ['a leading BOM', '\ufeff{"v":1}'],
  ])('%s is refused', async (_, json) => {
    expect(await errorCodeOf(() => decodePayload(pad(utf8(json)), 'note'))).toBe('payload');
  });

  test('rejects malformed UTF-8; `__proto__` is an ordinary name', async () => {
    const bytes = utf8('{"v":1,"type":"note","title":"?","value_base64":""}');
    bytes[bytes.indexOf(63)] = 0xff;
    expect(await errorCodeOf(() => decodePayload(pad(bytes), 'note'))).toBe('payload');
    const tricky = pad(utf8('{"v":1,"type":"note","title":"a","__proto__":{"value_base64":""}}'));
    expect(await errorCodeOf(() => decodePayload(tricky, 'note'))).toBe('payload');
    expect(({} as Record<string, unknown>)['value_base64']).toBeUndefined();
  });

  test('a value has at most 1 MiB', async () => {
    const sized = (length: number): FieldContent => ({
      type: 'note',
      title: 't',
      value: new Uint8Array(length) as Bytes,
    });
    expect(decodePayload(encodePayload(sized(1_048_576)), 'note')).toMatchObject({ title: 't' });
    expect(await errorCodeOf(() => encodePayload(sized(1_048_577)))).toBe('payload');
  });
});
