/**
 * P27: merging in any order loses only decisions that later ones replaced. P29: strict parsing
 * keeps unknown members.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runsOf } from '../../testing/arbitraries.ts';
import { largeRecord } from '../../testing/groups/large-record.ts';
import { mergeTrust } from './merge-trust.ts';
import {
  compactTrustRecord,
  decidedKeysOf,
  EMPTY_RECORD,
  hasLeft,
  isCompared,
  KEY_WAYS,
  readTrustRecord,
  type TrustRecord,
  withAcceptedList,
  withDecidedKey,
  withDeletedGroup,
  withLeft,
  withListInstead,
  withRemoval,
  withRenewedKey,
} from './trust-record.ts';

const idOf = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const hexOf = (digit: number) => digit.toString(16).repeat(64);
const small = fc.nat({ max: 2 });
const time = fc.nat({ max: 6 });

/** Random decisions about few people and groups, so that they collide. */
type Change = (record: TrustRecord) => TrustRecord;
const list = (group: number, at: number) => ({
  groupId: idOf(group),
  hash: hexOf(at),
  seq: at,
  gkVersion: 1 + at,
  role: 'admin' as const,
  hasProof: at > 1,
  path: ['Team', String(group)],
  origin: 'client' as const,
  how: 'signer' as const,
});
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(small, small, fc.constantFrom(...KEY_WAYS), time).map(
    ([user, key, way, at]): Change =>
      (record) =>
        withDecidedKey(record, { userId: idOf(user), name: `n${at}`, fingerprint: hexOf(key) }, way, at),
  ),
  fc.tuple(small, small, time).map(
    ([user, key, at]): Change =>
      (record) =>
        withRenewedKey(record, { userId: idOf(user), name: 'n', fingerprint: hexOf(key) }, at),
  ),
  fc.tuple(small, time).map(
    ([user, at]): Change =>
      (record) =>
        withLeft(record, [idOf(user)], at),
  ),
  fc.tuple(small, time, time).map(
    ([group, seq, at]): Change =>
      (record) =>
        withAcceptedList(record, list(group, seq), at),
  ),
  fc.tuple(small, time, time).map(
    ([group, seq, at]): Change =>
      (record) =>
        withListInstead(record, list(group, seq), at),
  ),
  fc.tuple(small, small, fc.boolean(), time).map(
    ([group, user, isOut, at]): Change =>
      (record) =>
        withRemoval(record, { groupId: idOf(group), userId: idOf(user), isOut }, at),
  ),
  fc.tuple(small, time).map(
    ([group, at]): Change =>
      (record) =>
        withDeletedGroup(record, idOf(group), at),
  ),
  fc.tuple(fc.boolean(), time).map(([isStrict, at]): Change => (record) => ({
    ...record,
    strict: [isStrict, at],
    at: Math.max(record.at, at),
    by: String(at),
  })),
  fc.tuple(fc.nat({ max: 25 }), time).map(([browser, at]): Change => (record) => ({
    ...record,
    browsers: { ...record.browsers, [browser.toString(16).padStart(32, '0')]: ['Firefox', 0, at] },
  })),
);
const record = fc
  .array(change, { maxLength: 8 })
  .map((changes) => changes.reduce((present, apply) => apply(present), EMPTY_RECORD));

const RUNS = runsOf(2_000, 100_000);

describe('merging (P27)', () => {
  test('does not depend on order or repetition', () => {
    fc.assert(
      fc.property(record, record, record, (a, b, c) => {
        expect(mergeTrust(a, b)).toEqual(mergeTrust(b, a));
        expect(mergeTrust(mergeTrust(a, b), c)).toEqual(mergeTrust(a, mergeTrust(b, c)));
        expect(mergeTrust(a, a)).toEqual(a);
        expect(mergeTrust(mergeTrust(a, b), b)).toEqual(mergeTrust(a, b));
      }),
      { numRuns: RUNS },
    );
  });

  test('a decision in one copy holds after a merge, unless the other copy decided otherwise later', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const merged = mergeTrust(a, b);
        for (const userId of Object.keys(a.users)) {
          for (const fingerprint of decidedKeysOf(a, userId)) {
            const isReplaced =
              (b.users[userId]?.over[fingerprint] ?? -1) >= (a.users[userId]?.keys[fingerprint]?.[1] ?? 0);
            if (!isReplaced) expect(decidedKeysOf(merged, userId)).toContain(fingerprint);
            if (!isReplaced && isCompared(a, userId, fingerprint))
              expect(isCompared(merged, userId, fingerprint)).toBe(true);
          }
        }
        for (const [groupId, row] of Object.entries(a.groups)) {
          for (const [hash, [, at]] of Object.entries(row.heads)) {
            const isReplaced = (b.groups[groupId]?.over[hash] ?? -1) >= at;
            if (!isReplaced) expect(merged.groups[groupId]?.heads).toHaveProperty(hash);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('browsers that write in any interleaving and read each other agree in the end', () => {
    const step = fc.tuple(small, fc.oneof(change, fc.constant('sync' as const)));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const browsers = [EMPTY_RECORD, EMPTY_RECORD, EMPTY_RECORD];
        let server = EMPTY_RECORD;
        const sync = (at: number) => {
          server = mergeTrust(server, browsers[at] ?? EMPTY_RECORD);
          browsers[at] = server;
        };
        for (const [at, what] of steps) {
          if (what === 'sync') sync(at);
          else browsers[at] = what(browsers[at] ?? EMPTY_RECORD);
        }
        for (const at of [0, 1, 2, 0, 1]) sync(at);
        expect(browsers[0]).toEqual(server);
        expect(browsers[1]).toEqual(server);
        expect(browsers[2]).toEqual(server);
      }),
      { numRuns: RUNS / 5 },
    );
  });
});

describe('decisions', () => {
  const person = { userId: idOf(1), name: 'Ann', fingerprint: hexOf(1) };
  const other = { ...person, fingerprint: hexOf(2) };

  test('another key replaces the former one, and a later decision can revert that', () => {
    const first = withDecidedKey(EMPTY_RECORD, person, 'words', 10);
    const second = withDecidedKey(first, other, 'qr', 20);
    expect(decidedKeysOf(second, person.userId)).toEqual([other.fingerprint]);
    // The clock was set back.
    const back = withDecidedKey(second, person, 'words', 5);
    expect(decidedKeysOf(back, person.userId)).toEqual([person.fingerprint]);
    expect(decidedKeysOf(mergeTrust(back, second), person.userId)).toEqual([person.fingerprint]);
  });

  test('a compared key stays compared if it is trusted again; a renewed one is decided like the former', () => {
    const compared = withDecidedKey(EMPTY_RECORD, person, 'words', 10);
    expect(isCompared(withDecidedKey(compared, person, 'first-use', 20), person.userId, person.fingerprint)).toBe(true);
    const renewed = withRenewedKey(compared, other, 20);
    expect([isCompared(renewed, person.userId, other.fingerprint), decidedKeysOf(renewed, person.userId)]).toEqual([
      true,
      [other.fingerprint],
    ]);
    expect(withRenewedKey(EMPTY_RECORD, other, 20)).toBe(EMPTY_RECORD);
  });

  test('a person left out of a list stays marked until a later decision', () => {
    const left = withLeft(withDecidedKey(EMPTY_RECORD, person, 'words', 10), [person.userId, idOf(9)], 20);
    expect([hasLeft(left, person.userId, person.fingerprint), left.users[idOf(9)]]).toEqual([true, undefined]);
    expect(hasLeft(withDecidedKey(left, person, 'words', 20), person.userId, person.fingerprint)).toBe(false);
  });
});

describe('reading (P29)', () => {
  const sample = withRemoval(
    withAcceptedList(
      withDecidedKey(EMPTY_RECORD, { userId: idOf(1), name: 'Ann', fingerprint: hexOf(1) }, 'qr', 9),
      list(1, 2),
      9,
    ),
    { groupId: idOf(1), userId: idOf(1), isOut: true },
    9,
  );

  test('parses what was written, and keeps members of later releases', () => {
    const later = { ...sample, teams: { x: 1 }, users: { [idOf(1)]: { ...sample.users[idOf(1)], badge: true } } };
    const read = readTrustRecord(JSON.parse(JSON.stringify(later)));
    expect(read).toEqual(later);
    expect(mergeTrust(read, sample)).toMatchObject({ teams: { x: 1 }, users: { [idOf(1)]: { badge: true } } });
  });

  test('a compact record is parsed to the same record', () => {
    fc.assert(
      fc.property(record, (any) => {
        expect(readTrustRecord(JSON.parse(JSON.stringify(compactTrustRecord(any))))).toEqual(any);
      }),
      { numRuns: RUNS },
    );
    const later = { ...sample, teams: { x: 1 }, users: { [idOf(1)]: { ...sample.users[idOf(1)]!, badge: true } } };
    expect(readTrustRecord(compactTrustRecord(later))).toEqual(later);
  });

  test('500 groups and 200 people take at most 150 kB', () => {
    expect(JSON.stringify(compactTrustRecord(largeRecord(500, 200))).length).toBeLessThanOrEqual(150_000);
  });

  test('rejects anything else with `payload`', () => {
    const paths: (string | number)[][] = [];
    const walk = (value: unknown, path: (string | number)[]) => {
      if (path.length > 0) paths.push(path);
      if (typeof value === 'object' && value !== null)
        for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
    };
    walk(sample, []);
    const optional = /^(users|groups|browsers|own)$/;
    for (const path of paths) {
      for (const bad of [undefined, null, -1, 1.5, 'x', {}, [[]], 2 ** 53]) {
        const mutated = structuredClone(sample) as unknown as Record<string, unknown>;
        let at = mutated;
        for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
        const last = String(path.at(-1));
        if (JSON.stringify(at[last]) === JSON.stringify(bad)) continue;
        at[last] = bad;
        // Texts, empty lists of rows, and an own role of none are valid.
        const isGood = isGoodValue(path, bad, optional);
        const read = () => readTrustRecord(mutated);
        if (isGood) expect(read).not.toThrow();
        else expect(read, JSON.stringify([path, bad])).toThrow(expect.objectContaining({ code: 'payload' }));
      }
    }
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        expect(() => readTrustRecord(raw)).toThrow(expect.objectContaining({ code: 'payload' }));
      }),
    );
  });
});

/** Optional members: compact records leave out defaults. */
const DEFAULTED = new Set(['over', 'left', 'origin', 'proof', 'out', 'gone']);

function isGoodValue(path: readonly (string | number)[], bad: unknown, rows: RegExp): boolean {
  const last = String(path.at(-1));
  if (bad === undefined && DEFAULTED.has(last)) return true;
  const isRows =
    path.length === 1 ? rows.test(last) && last !== 'own' : ['keys', 'over', 'heads', 'out'].includes(last);
  if (isRows) return JSON.stringify(bad) === '{}';
  if (['by', 'name'].includes(last) || path.includes('path')) return bad === 'x' && last !== 'path';
  return last === 'role' && bad === null;
}
