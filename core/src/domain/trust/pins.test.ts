/** Pins and the verdict on keys: M13, M15 (docs/spec/crypto.md §13). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorCodeOf } from '../../testing/error-code.ts';
import { NO_PINS, type Pin, readPins, writePins } from './pins.ts';

const userId = '5f0c0a52-8f3e-4a65-9a57-0d7a3a9d1f01';
const one = '11'.repeat(32);
const pin: Pin = { fingerprint: one, name: 'Ada', verified: true, how: 'words', firstSeen: 1_795_219_200 };
const row = { fpr: one, name: 'Ada', verified: true, how: 'words', first_seen: 1_795_219_200 };
const document = (change: object, id = userId) => ({ v: 1, users: { [id]: { ...row, ...change } } });

describe('the document', () => {
  test('is written as in the specification, and read back', () => {
    const pins = new Map([[userId, pin]]);
    expect(writePins(pins)).toEqual(document({}));
    expect(readPins(writePins(pins))).toEqual(pins);
    expect(readPins({ v: 1, users: {} })).toEqual(NO_PINS);
    expect(readPins({ ...document({ later: 1 }), later: 1 })).toEqual(pins);
  });

  test.each(['first-use', 'words', 'qr', 'invite'])('accepts the method %s', (how) => {
    expect(readPins(document({ how, verified: false })).get(userId)).toEqual({ ...pin, how, verified: false });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'x'],
    ['another document version', { ...document({}), v: 2 }],
    ['no version', { users: {} }],
    ['no users', { v: 1 }],
    ['users as a list', { v: 1, users: [] }],
    ['users as null', { v: 1, users: null }],
    ['a malformed id', document({}, 'x')],
    ['an id with a suffix', document({}, `${userId}0`)],
    ['an id with a prefix', document({}, `0${userId}`)],
    ['an upper-case id', document({}, userId.toUpperCase())],
    ['a pin as null', { v: 1, users: { [userId]: null } }],
    ['a pin as a list', { v: 1, users: { [userId]: [] } }],
    ['no fingerprint', document({ fpr: undefined })],
    ['half a fingerprint', document({ fpr: '11' })],
    ['an upper-case fingerprint', document({ fpr: 'AA'.repeat(32) })],
    ['a fingerprint with a suffix', document({ fpr: `${one}1` })],
    ['a fingerprint with a prefix', document({ fpr: `1${one}` })],
    ['a fingerprint in a list', document({ fpr: [one] })],
    ['a name that is a number', document({ name: 1 })],
    ['verified as a number', document({ verified: 1 })],
    ['an unknown method', document({ how: 'rumour' })],
    ['no method', document({ how: null })],
    ['a negative time', document({ first_seen: -1 })],
    ['a fractional time', document({ first_seen: 0.5 })],
    ['a time as text', document({ first_seen: '1' })],
    ['met with a value other than true', document({ met: false })],
    ['met as a number', document({ met: 1 })],
  ])('%s is refused', async (_, raw) => {
    expect(await errorCodeOf(() => readPins(raw))).toBe('payload');
  });

  test('P10 any JSON is parsed or rejected', async () => {
    const raw = fc.oneof(
      fc.anything(),
      fc.record({ v: fc.constant(1), users: fc.dictionary(fc.oneof(fc.uuid(), fc.string()), fc.anything()) }),
    );
    await fc.assert(
      fc.asyncProperty(raw, async (any) => {
        expect(['payload', 'no error']).toContain(await errorCodeOf(() => readPins(any)));
      }),
      { numRuns: 500 },
    );
  });

  test('accepts the epoch as time, and rejects names of built-in members as ids', async () => {
    expect(readPins(document({ first_seen: 0 })).get(userId)?.firstSeen).toBe(0);
    const raw = JSON.parse(`{"v":1,"users":{"__proto__":${JSON.stringify(row)}}}`) as unknown;
    expect(await errorCodeOf(() => readPins(raw))).toBe('payload');
  });
});
