/**
 * The differences shown when a person is asked about a list that does not follow. Names come from
 * the record only.
 */
import { describe, expect, test } from 'vitest';
import type { RosterMember } from '../rosters/roster.ts';
import { listDifference, namedIn } from './list-difference.ts';
import { EMPTY_RECORD, withDecidedKey } from './trust-record.ts';

const [ada, bob, cid, eve] = ['a', 'b', 'c', 'e'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
  string,
];
const hexOf = (digit: number) => digit.toString(16).repeat(64);
const self = { userId: ada, fingerprint: hexOf(1) };
const adaRow: RosterMember = { userId: ada, role: 'admin', fingerprint: hexOf(1) };
const bobRow: RosterMember = { userId: bob, role: 'member', fingerprint: hexOf(2) };
const cidRow: RosterMember = { userId: cid, role: 'moderator', fingerprint: hexOf(3) };
const eveRow: RosterMember = { userId: eve, role: 'admin', fingerprint: hexOf(4) };
const record = withDecidedKey(
  withDecidedKey(EMPTY_RECORD, { userId: bob, name: 'Bob', fingerprint: hexOf(2) }, 'words', 10),
  { userId: cid, name: 'Cid', fingerprint: hexOf(3) },
  'first-use',
  10,
);
const known = { record, self };

describe('listDifference', () => {
  test('lists new and missing people', () => {
    expect(listDifference([adaRow, bobRow], [adaRow, eveRow], known)).toEqual({
      added: [{ ...eveRow, name: null, known: 'unknown' }],
      missing: [{ ...bobRow, name: 'Bob', known: 'compared' }],
      changed: [],
    });
  });

  test('lists people with another key or role', () => {
    const promoted: RosterMember = { ...cidRow, role: 'admin' };
    const exchanged: RosterMember = { ...bobRow, fingerprint: hexOf(9) };
    expect(listDifference([adaRow, bobRow, cidRow], [adaRow, exchanged, promoted], known)).toEqual({
      added: [],
      missing: [],
      changed: [
        { ...exchanged, name: 'Bob', known: 'other', isOtherKey: true, formerRole: 'member' },
        { ...promoted, name: 'Cid', known: 'for now', isOtherKey: false, formerRole: 'moderator' },
      ],
    });
  });

  test('is empty for lists that name the same people, in any order', () => {
    const none = { added: [], missing: [], changed: [] };
    expect(listDifference([adaRow, bobRow], [bobRow, adaRow], known)).toEqual(none);
  });
});

describe('namedIn', () => {
  test('uses the name of the record for a key that is not decided', () => {
    expect(namedIn({ userId: bob, fingerprint: hexOf(9) }, known)).toEqual({ name: 'Bob', known: 'other' });
    expect(namedIn(eveRow, known)).toEqual({ name: null, known: 'unknown' });
  });

  test('trusts neither of two keys that browsers decided differently', () => {
    const person = record.users[bob];
    const key = person?.keys[hexOf(2)];
    if (person === undefined || key === undefined) throw new Error('no Bob');
    const twice = { ...record, users: { [bob]: { ...person, keys: { ...person.keys, [hexOf(9)]: key } } } };
    expect(namedIn(bobRow, { record: twice, self }).known).toBe('other');
  });

  test('rejects a foreign key under the person’s own id, and accepts a former own key of the record', () => {
    const foreign = { userId: ada, fingerprint: hexOf(7) };
    expect(namedIn(adaRow, known).known).toBe('own');
    expect(namedIn(foreign, known).known).toBe('other');
    expect(namedIn(foreign, { record: { ...record, own: [hexOf(7)] }, self }).known).toBe('own');
  });
});
