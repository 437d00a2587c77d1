/** Strict DER: canonical lengths, no trailing bytes, null for malformed input. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RUNS, bytesOf } from '../testing/arbitraries.ts';
import { type Bytes, concat, decodeHex } from './bytes.ts';
import { DER, readDer, readSequence, readUnsigned } from './der.ts';

const bytes = (hex: string) => decodeHex(hex);
const filled = (header: string, length: number) => concat(bytes(header), new Uint8Array(length).fill(7));
const lengthsOf = (input: Bytes) => readDer(input)?.map(({ tag, content }) => [tag, content.length]);
const integer = (hex: string) => ({ tag: DER.integer, content: bytes(hex) });

describe('elements are read', () => {
  test('in order, including empty ones; empty input has no elements', () => {
    expect(lengthsOf(bytes(''))).toEqual([]);
    expect(lengthsOf(bytes('0500'))).toEqual([[0x05, 0]]);
    expect(readDer(bytes('020105040203040500'))).toEqual([
      { tag: DER.integer, content: bytes('05') },
      { tag: DER.octets, content: bytes('0304') },
      { tag: DER.null, content: bytes('') },
    ]);
  });

  test.each([
    ['047f', 0x7f],
    ['048180', 0x80],
    ['0481ff', 0xff],
    ['04820100', 0x100],
    ['0482ffff', 0xffff],
    ['0483010000', 0x10000],
    ['048401000000', 0x1000000],
  ])('with the length %s', (header, length) => {
    expect(lengthsOf(filled(header, length))).toEqual([[0x04, length]]);
    expect(lengthsOf(filled(header, length - 1))).toBeUndefined();
    expect(lengthsOf(filled(header, length + 1))).toBeUndefined();
  });

  test.each([
    ['a tag alone', '04'],
    ['a tag of several bytes', '1f0100'],
    ['another tag of several bytes', '3f00'],
    ['an indefinite length', '30800000'],
    ['a length with one byte too many', '04817f'],
    ['a length with a leading zero', '04820080'],
    ['a length with two leading zeros', '0483000100'],
    ['a truncated length', '048201'],
    ['a length of five bytes', '04850000000001ff'],
    ['a length of five bytes without a zero', '04850100000000'],
    ['truncated content', '040201'],
    ['trailing bytes', '0500ff'],
  ])('but %s is rejected', (_, hex) => {
    const input = bytes(hex);
    // Enough bytes follow, so that only the length itself can be wrong.
    expect(readDer(input)).toBeNull();
    expect(readDer(concat(input, new Uint8Array(300)))).toBeNull();
  });

  test('without a copy: the content is a view of the input', () => {
    const input = bytes('040101');
    expect(readDer(input)?.[0]?.content.buffer).toBe(input.buffer);
  });

  test('or rejected for any bytes; read elements fill the input exactly', () => {
    fc.assert(
      fc.property(bytesOf({ maxLength: 40 }), (input) => {
        const elements = readDer(input);
        const total = elements?.reduce((sum, { content }) => sum + 2 + content.length, 0) ?? input.length;
        expect(total).toBe(input.length);
      }),
      { numRuns: RUNS },
    );
  });
});

test('readSequence returns a sequence, and null for other elements', () => {
  const inner = bytes('020101');
  expect(readSequence({ tag: DER.sequence, content: inner })).toEqual([integer('01')]);
  expect(readSequence({ tag: DER.octets, content: inner })).toBeNull();
  expect(readSequence({ tag: DER.sequence, content: bytes('02') })).toBeNull();
  expect(readSequence(undefined)).toBeNull();
});

describe('an unsigned number', () => {
  test.each([
    ['00', '00'],
    ['01', '01'],
    ['7f', '7f'],
    ['0080', '80'],
    ['00ff01', 'ff01'],
    ['0100', '0100'],
    ['7fff', '7fff'],
  ])('%s is %s', (content, number) => {
    expect(readUnsigned(integer(content))).toEqual(bytes(number));
  });

  test.each(['', '80', 'ff00', '0000', '007f', '0001'])('%s is rejected: empty, negative or not minimal', (content) => {
    expect(readUnsigned(integer(content))).toBeNull();
  });

  test('must be an INTEGER', () => {
    expect(readUnsigned({ tag: DER.octets, content: bytes('01') })).toBeNull();
    expect(readUnsigned(undefined)).toBeNull();
  });
});
