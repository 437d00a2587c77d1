/** How new a list of pins a device has seen, under every own key that was ever open on it (crypto.md §13). */
import { describe, expect, test } from 'vitest';
import { leastSeen, mayBeFormer, NO_SEEN_PINS, readSeenPins, type SeenPins, withSeen } from './seen-pins.ts';

const key = (letter: string, keysetVersion = 1) => ({ fingerprint: letter.repeat(64), keysetVersion });
const FIRST = key('a');
const RESET = key('b');
const RENEWED = key('c', 2);
/** As a device sees them, one after the other. */
const after = (...seen: [own: typeof FIRST, n: number][]): SeenPins =>
  seen.reduce((all, [own, n]) => withSeen(all, own, n), NO_SEEN_PINS);

describe('the least that a list must have', () => {
  test('is what was seen under the same key, however many others were open since', () => {
    const seen = after([FIRST, 9], [RESET, 1], [RESET, 2]);
    expect(leastSeen(seen, FIRST)).toBe(9);
    expect(leastSeen(seen, RESET)).toBe(2);
    expect(leastSeen(after([FIRST, 9], [FIRST, 3]), FIRST)).toBe(9);
  });

  test('is nothing for first keys that were never open here, and for the first ones of all', () => {
    expect(leastSeen(NO_SEEN_PINS, FIRST)).toBe(0);
    expect(leastSeen(after([FIRST, 9]), RESET)).toBe(0);
    expect(leastSeen(NO_SEEN_PINS, RENEWED)).toBe(0);
  });

  test('goes over to the keys that come in the place of others, and back to these', () => {
    expect(leastSeen(after([FIRST, 9], [RESET, 2]), RENEWED)).toBe(2);
    const seen = after([FIRST, 9], [RESET, 2], [RENEWED, 5], [key('d', 3), 7]);
    expect([FIRST, RESET, RENEWED].map((own) => leastSeen(seen, own))).toEqual([9, 7, 7]);
  });

  test('begins anew where a person has decided it, for this key alone', () => {
    const seen = withSeen(after([FIRST, 9], [RENEWED, 12]), RENEWED, 4, true);
    expect(leastSeen(seen, RENEWED)).toBe(4);
    expect(leastSeen(seen, FIRST)).toBe(12);
  });
});

test('a former own key is one that was open here; any other may be where only the present one was, and that is not the first', () => {
  const seen = after([FIRST, 1], [RENEWED, 2]);
  expect(mayBeFormer(seen, RENEWED, FIRST.fingerprint)).toBe(true);
  expect(mayBeFormer(seen, RENEWED, RESET.fingerprint)).toBe(false);
  expect(mayBeFormer(after([FIRST, 1], [RESET, 1]), RESET, FIRST.fingerprint)).toBe(true);
  expect(mayBeFormer(after([RENEWED, 2]), RENEWED, FIRST.fingerprint)).toBe(true);
  expect(mayBeFormer(after([FIRST, 2]), FIRST, RESET.fingerprint)).toBe(false);
});

describe('what an older client has kept', () => {
  test('a number alone counts for whichever key is opened next, and is kept under it then', () => {
    const old = readSeenPins(9);
    expect([FIRST, RENEWED].map((own) => leastSeen(old, own))).toEqual([9, 9]);
    const seen = withSeen(old, FIRST, 10);
    expect(leastSeen(seen, FIRST)).toBe(10);
    expect(leastSeen(seen, RESET)).toBe(0);
    expect(seen).toEqual({ keys: [{ fingerprint: FIRST.fingerprint, n: 10, before: '' }] });
  });

  test('a number with its key counts for that key; what is kept now stays as it is', () => {
    const old = readSeenPins({ n: 9, fingerprint: FIRST.fingerprint });
    expect([FIRST, RESET].map((own) => leastSeen(old, own))).toEqual([9, 0]);
    const seen = after([FIRST, 9], [RENEWED, 12]);
    expect(readSeenPins(seen)).toEqual(seen);
    expect(readSeenPins({ ...seen, unnamed: 3 })).toEqual({ ...seen, unnamed: 3 });
    for (const nothing of [null, undefined, 'x', {}]) expect(readSeenPins(nothing)).toEqual(NO_SEEN_PINS);
  });
});
