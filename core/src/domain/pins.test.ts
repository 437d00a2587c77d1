/** Pins and the judgement of keys against them: M13, M15 (`crypto.md` §13). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../testing/refusal.ts';
import type { KeyChain } from './certificate-chain.ts';
import {
  NO_PINS,
  type Pin,
  isConfirmed,
  judgeKey,
  readPins,
  verdictOn,
  withMetSigner,
  withPin,
  withRenewedPin,
  writePins,
} from './pins.ts';

const userId = '5f0c0a52-8f3e-4a65-9a57-0d7a3a9d1f01';
const [one, two, three] = ['11', '22', '33'].map((byte) => byte.repeat(32)) as [string, string, string];
const pin: Pin = { fingerprint: one, name: 'Ada', verified: true, how: 'words', firstSeen: 1_795_219_200 };
const row = { fpr: one, name: 'Ada', verified: true, how: 'words', first_seen: 1_795_219_200 };
const document = (change: object, id = userId) => ({ v: 1, users: { [id]: { ...row, ...change } } });

describe('the document', () => {
  test('is written as the specification shows it, and read back', () => {
    const pins = new Map([[userId, pin]]);
    expect(writePins(pins)).toEqual(document({}));
    expect(readPins(writePins(pins))).toEqual(pins);
    expect(readPins({ v: 1, users: {} })).toEqual(NO_PINS);
    expect(readPins({ ...document({ later: 1 }), later: 1 })).toEqual(pins);
  });

  test.each(['first-use', 'words', 'qr', 'invite'])('knows the way %s', (how) => {
    expect(readPins(document({ how, verified: false })).get(userId)).toEqual({ ...pin, how, verified: false });
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'x'],
    ['another version', { ...document({}), v: 2 }],
    ['no version', { users: {} }],
    ['no users', { v: 1 }],
    ['users as a list', { v: 1, users: [] }],
    ['users as null', { v: 1, users: null }],
    ['an id that is none', document({}, 'x')],
    ['an id with something behind', document({}, `${userId}0`)],
    ['an id with something before', document({}, `0${userId}`)],
    ['an upper-case id', document({}, userId.toUpperCase())],
    ['a pin as null', { v: 1, users: { [userId]: null } }],
    ['a pin as a list', { v: 1, users: { [userId]: [] } }],
    ['no fingerprint', document({ fpr: undefined })],
    ['half a fingerprint', document({ fpr: '11' })],
    ['an upper-case fingerprint', document({ fpr: 'AA'.repeat(32) })],
    ['a fingerprint with something behind', document({ fpr: `${one}1` })],
    ['a fingerprint with something before', document({ fpr: `1${one}` })],
    ['a fingerprint in a list', document({ fpr: [one] })],
    ['a name that is a number', document({ name: 1 })],
    ['verified as a number', document({ verified: 1 })],
    ['an unknown way', document({ how: 'rumour' })],
    ['no way', document({ how: null })],
    ['a negative time', document({ first_seen: -1 })],
    ['half a second', document({ first_seen: 0.5 })],
    ['a time as text', document({ first_seen: '1' })],
    ['met as something else than true', document({ met: false })],
    ['met as a number', document({ met: 1 })],
  ])('%s is refused', async (_, raw) => {
    expect(await refusalOf(() => readPins(raw))).toBe('payload');
  });

  test('P10 any JSON is read as pins or refused', async () => {
    const raw = fc.oneof(
      fc.anything(),
      fc.record({ v: fc.constant(1), users: fc.dictionary(fc.oneof(fc.uuid(), fc.string()), fc.anything()) }),
    );
    await fc.assert(
      fc.asyncProperty(raw, async (any) => {
        expect(['payload', 'no error']).toContain(await refusalOf(() => readPins(any)));
      }),
      { numRuns: 500 },
    );
  });

  test('the epoch is a time, and a member called like a built-in one is an id that is none', async () => {
    expect(readPins(document({ first_seen: 0 })).get(userId)?.firstSeen).toBe(0);
    const raw = JSON.parse(`{"v":1,"users":{"__proto__":${JSON.stringify(row)}}}`) as unknown;
    expect(await refusalOf(() => readPins(raw))).toBe('payload');
  });
});

describe('a key is judged as', () => {
  test('unknown without a pin', () => {
    expect(judgeKey(undefined, { name: 'Ada', fingerprints: [one] })).toEqual({ state: 'unknown' });
  });

  test('trusted when it is the pinned one', () => {
    const trusted = { state: 'trusted', pin, formerName: null, renewed: false };
    expect(judgeKey(pin, { name: 'Ada', fingerprints: [one] })).toEqual(trusted);
    expect(judgeKey(pin, { name: 'Ada', fingerprints: [one, two] })).toEqual(trusted);
  });

  test('trusted, with the former name, after a renaming', () => {
    expect(judgeKey(pin, { name: 'Ada L.', fingerprints: [one] })).toMatchObject({ formerName: 'Ada', renewed: false });
  });

  test('renewed when the pinned one leads to it, over any number of keys', () => {
    expect(judgeKey(pin, { name: 'Ada', fingerprints: [two, one] })).toMatchObject({ state: 'trusted', renewed: true });
    expect(judgeKey(pin, { name: 'Ada', fingerprints: [three, two, one] })).toMatchObject({ renewed: true });
  });

  test('changed when nothing leads there', () => {
    expect(judgeKey(pin, { name: 'Ada', fingerprints: [two, three] })).toEqual({ state: 'changed', pin });
  });
});

describe('the pins after', () => {
  const pins = new Map([[userId, pin]]);
  const person = { userId, name: 'Ada L.', fingerprint: two };
  const now = 1_795_300_000_999;

  test('a first use are not verified, after a comparison they are', () => {
    expect(withPin(NO_PINS, person, 'first-use', now).get(userId)).toEqual({
      fingerprint: two,
      name: 'Ada L.',
      verified: false,
      how: 'first-use',
      firstSeen: 1_795_300_000,
    });
    for (const how of ['words', 'qr', 'invite'] as const)
      expect(withPin(NO_PINS, person, how, now).get(userId)).toMatchObject({ verified: true, how });
    expect(NO_PINS.size).toBe(0);
  });

  test('another key of the same person start anew', () => {
    expect(withPin(pins, person, 'first-use', now).get(userId)).toMatchObject({
      fingerprint: two,
      verified: false,
      firstSeen: 1_795_300_000,
    });
    expect(pins.get(userId)).toBe(pin);
  });

  test('the same key again keep when it was first seen, and that it was compared', () => {
    const same = { ...person, fingerprint: one };
    expect(withPin(pins, same, 'first-use', now).get(userId)).toEqual({ ...pin, name: 'Ada L.' });
    expect(withPin(pins, same, 'qr', now).get(userId)).toEqual({ ...pin, name: 'Ada L.', how: 'qr' });
    const met = new Map([[userId, { ...pin, verified: false, how: 'first-use' as const }]]);
    expect(withPin(met, same, 'first-use', now).get(userId)).toMatchObject({ verified: false, how: 'first-use' });
    expect(withPin(met, same, 'words', now).get(userId)).toEqual({ ...pin, name: 'Ada L.' });
  });

  test('a renewal keep that it was compared; without a pin there is nothing to renew', async () => {
    const renewed = { ...pin, name: 'Ada L.', fingerprint: two, firstSeen: 1_795_300_000 };
    expect(withRenewedPin(pins, person, now).get(userId)).toEqual(renewed);
    expect(pins.get(userId)).toBe(pin);
    expect(await refusalOf(() => withRenewedPin(NO_PINS, person, now))).toBe('certificate');
  });
});

describe('a signer who was only met', () => {
  const person = { userId, name: 'Ada', fingerprint: one };
  const met = withMetSigner(NO_PINS, person, 1_795_300_000_999);

  test('is pinned and kept as such', () => {
    const expected = { ...pin, verified: false, how: 'first-use', firstSeen: 1_795_300_000, met: true };
    expect([...met]).toEqual([[userId, expected]]);
    expect(NO_PINS.size).toBe(0);
    expect(writePins(met)).toEqual(
      document({ verified: false, how: 'first-use', first_seen: 1_795_300_000, met: true }),
    );
    expect(readPins(writePins(met))).toEqual(met);
  });

  test('M15 is unknown to whoever shares with him, and another key of his is a changed one', () => {
    const known = met.get(userId);
    expect(judgeKey(known, { name: 'Ada', fingerprints: [one] })).toEqual({ state: 'unknown' });
    expect(judgeKey(known, { name: 'Ada', fingerprints: [two, one] })).toEqual({ state: 'unknown' });
    expect(judgeKey(known, { name: 'Ada', fingerprints: [two] })).toEqual({ state: 'changed', pin: known });
    expect(isConfirmed(met, userId, one)).toBe(false);
  });

  test('is known once a person was asked', () => {
    const asked = withPin(met, person, 'first-use', 0).get(userId);
    expect(asked).toEqual({ ...pin, verified: false, how: 'first-use', firstSeen: 1_795_300_000 });
    expect(judgeKey(asked, { name: 'Ada', fingerprints: [one] })).toMatchObject({ state: 'trusted' });
  });

  test('changes no pin that is there', () => {
    const pins = new Map([[userId, pin]]);
    expect(withMetSigner(pins, { ...person, fingerprint: two }, 0)).toBe(pins);
  });
});

test('confirmed is exactly the key that was compared', () => {
  const pins = new Map([[userId, pin]]);
  expect(isConfirmed(pins, userId, one)).toBe(true);
  expect(isConfirmed(pins, userId, two)).toBe(false);
  expect(isConfirmed(NO_PINS, userId, one)).toBe(false);
  const forNow = new Map([[userId, { ...pin, verified: false, how: 'first-use' as const }]]);
  expect(isConfirmed(forNow, userId, one)).toBe(false);
});

test('a key is compared, refuted by another that is pinned, or nothing is known of it; one’s own is the present one', () => {
  const self = { userId: '5f0c0a52-8f3e-4a65-9a57-0d7a3a9d1f02', fingerprint: three };
  const chain = (fingerprints: readonly string[], of = userId) =>
    ({ identity: { userId: of, fingerprint: fingerprints[0] }, fingerprints }) as KeyChain;
  const forNow = { ...pin, verified: false, how: 'first-use' as const };
  const verdict = (known: Pin | null, about: KeyChain) =>
    verdictOn(about, known === null ? NO_PINS : new Map([[userId, known]]), self);
  expect(verdict(null, chain([one]))).toBe('unknown');
  expect(verdict(pin, chain([one]))).toBe('compared');
  expect(verdict(forNow, chain([one]))).toBe('unknown');
  expect(verdict(pin, chain([two, one]))).toBe('unknown');
  for (const known of [pin, forNow]) expect(verdict(known, chain([two]))).toBe('refuted');
  expect(verdict(null, chain([three], self.userId))).toBe('compared');
  expect(verdict(null, chain([two, three], self.userId))).toBe('refuted');
});
