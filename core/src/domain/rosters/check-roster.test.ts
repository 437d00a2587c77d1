import { describe, expect, test } from 'vitest';
import { checkRoster } from './roster-chain.ts';
import type { RosterContent, RosterMember } from './roster.ts';

const member = (userId: string, role: RosterMember['role'], fingerprint = 'aa'): RosterMember => ({
  userId,
  role,
  fingerprint,
});
const members = [member('a', 'admin'), member('b', 'member')];
const birth: RosterContent = {
  groupId: 'g',
  seq: 0,
  prev: '',
  gkVersion: 1,
  gkCommit: 'c1',
  members,
  signer: 'a',
  ts: 1,
};
const after = { gkVersion: 1, gkCommit: 'c1', members };

describe('a roster for an operation', () => {
  test('is accepted as the first and as the next one, with members in any order', () => {
    expect(checkRoster(birth, null, after)).toBeNull();
    expect(checkRoster(birth, null, { ...after, members: members.toReversed() })).toBeNull();
    expect(checkRoster({ ...birth, seq: 4, prev: 'h3' }, { seq: 3, hash: 'h3' }, after)).toBeNull();
    // A group that the server created gets its first roster with its second key.
    expect(checkRoster({ ...birth, gkVersion: 2 }, null, { ...after, gkVersion: 2 })).toBeNull();
  });

  test.each([
    ['a first roster with a sequence too high', { seq: 1 }, null, after, 'not_next'],
    ['a first roster with a predecessor', { prev: 'h' }, null, after, 'not_next'],
    ['a second first roster', {}, { seq: 0, hash: 'h0' }, after, 'not_next'],
    ['a skipped sequence number', { seq: 2, prev: 'h0' }, { seq: 0, hash: 'h0' }, after, 'not_next'],
    ['another predecessor', { seq: 1, prev: 'hx' }, { seq: 0, hash: 'h0' }, after, 'not_next'],
    ['another commitment', { gkCommit: 'cx' }, null, after, 'key'],
    ['another key version', { gkVersion: 2 }, null, after, 'key'],
    ['one more member', {}, null, { ...after, members: [...members, member('c', 'member')] }, 'members'],
    ['one member missing', {}, null, { ...after, members: members.slice(0, 1) }, 'members'],
    ['another member', {}, null, { ...after, members: [member('a', 'admin'), member('c', 'member')] }, 'members'],
    ['another role', {}, null, { ...after, members: [member('a', 'admin'), member('b', 'moderator')] }, 'members'],
    ['another key', {}, null, { ...after, members: [member('a', 'admin', 'bb'), member('b', 'member')] }, 'members'],
  ] as const)('%s', (_, change, present, expected, fault) => {
    expect(checkRoster({ ...birth, ...change }, present, expected)).toBe(fault);
  });
});
