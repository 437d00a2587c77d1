/** Adding members and changing roles: M14, M17, M18 (docs/spec/crypto.md §8, §9). */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decodeBase64, encodeBase64 } from '../../crypto/bytes.ts';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { StoredGroup } from '../../testing/groups/stored-group.ts';
import type { KeyChain } from '../keyring/certificate.ts';
import { createGroupSecret, wrapGroupSecret } from './grants.ts';
import { type SignedMember, openGroup } from './group-keys.ts';
import { keyringOf } from '../keyring/keyring.ts';
import { addMember, changeRole, continueMembers } from './member-change.ts';
import { type KeyVerdict, verdictByRecord } from '../trust/key-verdict.ts';
import { EMPTY_RECORD, withDecidedKey } from '../trust/trust-record.ts';
import { readRoster } from '../rosters/roster.ts';

let [ada, bob, cyn]: TestPerson[] = [];
let group: StoredGroup;
const is = <T>(thing: T | undefined | null): T => thing ?? expect.fail('not there');
beforeAll(async () => {
  [ada, bob, cyn] = await somePeople(3);
});
beforeEach(async () => {
  group = await StoredGroup.create(is(ada), [{ person: is(bob), role: 'member' }]);
});

const nothing = () => 'not-compared' as const;
const now = 1_795_219_200_999;
const signed = (person: TestPerson | undefined, role: SignedMember['role']): SignedMember => ({
  identity: is(person).keyring.identity,
  role,
});
const going = async (present?: readonly KeyChain[]) =>
  continueMembers(is(await group.newest()).content, present ?? (await group.listed()), nothing).members;
const add = async (member: SignedMember, by = is(ada)) =>
  addMember(by.keyring, await group.seenBy(by), { member, members: await going(), now });
const opens = async (person: TestPerson | undefined) =>
  openGroup(
    is(person).keyring,
    {
      gk_version: group.gkVersion,
      origin: 'client',
      rosters: group.rosters,
      grants: (await group.seenBy(is(person))).grants,
    },
    group.groupId,
  );

describe('adding a member', () => {
  test('gives one wrap and the next roster, and the new member opens the group', async () => {
    const wire = await add(signed(cyn, 'moderator'));
    expect(Object.keys(wire).toSorted()).toEqual([
      'encrypted_aes_password',
      'gk_version',
      'recipient_fpr',
      'role',
      'roster_base64',
      'roster_proof_base64',
      'roster_sig_base64',
      'target_user_id',
    ]);
    await group.add(is(ada), is(cyn), wire);
    const content = is(await group.newest()).content;
    expect([content.seq, content.gkVersion, content.ts]).toEqual([1, 1, 1_795_219_200]);
    for (const person of [ada, bob, cyn]) {
      const { groupKey, self } = await opens(person);
      expect([groupKey.version, self?.role]).toEqual([1, group.members.get(is(person).userId)?.role]);
    }
  });

  test('of an existing member changes the role', async () => {
    await group.add(is(ada), is(bob), await add(signed(bob, 'admin')));
    expect((await opens(bob)).self?.role).toBe('admin');
    expect(is(await group.newest()).content.members).toHaveLength(2);
  });

  test('of a removed person adds that person again, and omits people who left', async () => {
    await group.add(is(ada), is(cyn), await add(signed(cyn, 'member')));
    group.remove(is(bob).userId);
    group.remove(is(cyn).userId);
    await group.add(is(ada), is(cyn), await add(signed(cyn, 'admin')));
    const names = is(await group.newest()).content.members.map(({ userId }) => userId);
    expect(names.toSorted()).toEqual([is(ada).userId, is(cyn).userId].toSorted());
    expect((await opens(cyn)).self?.role).toBe('admin');
  });

  test('is rejected for a signer who is no admin in the roster', async () => {
    expect(await errorCodeOf(() => add(signed(cyn, 'member'), is(bob)))).toBe('roster');
    expect(await errorCodeOf(() => add(signed(ada, 'member')))).toBe('roster');
    const seen = await group.seenBy(is(ada));
    const request = { member: signed(cyn, 'member'), members: [], now };
    expect(await errorCodeOf(() => addMember(is(ada).keyring, seen, request))).toBe('roster');
    const foreign = {
      ...signed(ada, 'admin'),
      identity: { ...is(ada).keyring.identity, fingerprint: 'ab'.repeat(32) },
    };
    expect(await errorCodeOf(() => addMember(is(ada).keyring, seen, { ...request, members: [foreign] }))).toBe(
      'roster',
    );
  });

  test('M17 never wraps a secret that the roster does not commit to', async () => {
    const seen = await group.seenBy(is(ada));
    const injected = encodeBase64(await wrapGroupSecret(createGroupSecret(), is(ada).keyring.identity));
    const grants = seen.grants.map((grant) => ({ ...grant, encrypted_aes_password_base64: injected }));
    const request = { member: signed(cyn, 'member'), members: await going(), now };
    expect(await errorCodeOf(() => addMember(is(ada).keyring, { ...seen, grants }, request))).toBe('grant');
    expect(await errorCodeOf(() => addMember(is(ada).keyring, { ...seen, grants: [] }, request))).toBe('grant');
  });

  test('in a group that the server created wraps without a roster', async () => {
    const seen = { ...(await group.seenBy(is(ada))), roster: null };
    const wire = await addMember(is(ada).keyring, seen, { member: signed(cyn, 'member'), members: [], now });
    expect(Object.keys(wire)).not.toContain('roster_base64');
    const grant = {
      user_id: is(cyn).userId,
      gk_version: wire.gk_version,
      alg: 'rsa-oaep-256',
      encrypted_aes_password_base64: wire.encrypted_aes_password,
    };
    const server = { gk_version: 1, origin: 'server' as const, rosters: [], grants: [grant] };
    expect((await openGroup(is(cyn).keyring, server, group.groupId)).groupKey.version).toBe(1);
  });

  test('fails with a locked keyring', async () => {
    const keyring = keyringOf(is(ada).keyring.identity, is(ada).keyring.keys());
    keyring.lock();
    const request = { member: signed(cyn, 'member'), members: await going(), now };
    const seen = await group.seenBy(is(ada));
    expect(await errorCodeOf(() => addMember(keyring, seen, request))).toBe('locked');
  });
});

describe('changing a role', () => {
  const change = async (userId: string, role: SignedMember['role'], by = is(ada)) =>
    changeRole(by.keyring, await group.seenBy(by), { userId, role, members: await going(), now });

  test('gives the next roster and no wrap', async () => {
    const wire = await change(is(bob).userId, 'moderator');
    expect(Object.keys(wire).toSorted()).toEqual([
      'gk_version',
      'role',
      'roster_base64',
      'roster_proof_base64',
      'roster_sig_base64',
      'target_user_id',
    ]);
    await group.changeRole(is(ada), wire);
    const { members, seq } = readRoster(decodeBase64(is(wire.roster_base64)));
    expect(seq).toBe(1);
    const roles = new Map(members.map(({ userId, role }) => [userId, role]));
    expect(Object.fromEntries(roles)).toEqual({ [is(ada).userId]: 'admin', [is(bob).userId]: 'moderator' });
  });

  test('is rejected for a non-member, for demoting oneself, and for a signer who is no admin', async () => {
    expect(await errorCodeOf(() => change(is(cyn).userId, 'admin'))).toBe('roster');
    expect(await errorCodeOf(() => change(is(ada).userId, 'member'))).toBe('roster');
    expect(await errorCodeOf(() => change(is(bob).userId, 'moderator', is(bob)))).toBe('roster');
  });

  test('in a group that the server created gives no roster', async () => {
    const seen = { ...(await group.seenBy(is(ada))), roster: null, gkVersion: 4 };
    const request = { userId: is(bob).userId, role: 'admin' as const, members: [], now };
    expect(await changeRole(is(ada).keyring, seen, request)).toEqual({
      target_user_id: is(bob).userId,
      role: 'admin',
      gk_version: 4,
    });
  });
});

describe('continueMembers selects', () => {
  const content = async () => is(await group.newest()).content;
  const chainOf = (person: TestPerson | undefined): KeyChain => {
    const { identity, fingerprint } = is(person).keyring;
    return { identity, fingerprints: [fingerprint] };
  };
  const other = 'ab'.repeat(32);

  test('members that the server still lists, with the role of the roster', async () => {
    expect(continueMembers(await content(), await group.listed(), nothing)).toEqual({
      members: (await content()).members.map(({ userId, role }) => ({
        identity: expect.objectContaining({ userId }) as unknown,
        role,
      })),
      unsure: [],
    });
    expect(continueMembers(await content(), [chainOf(ada)], nothing).members).toEqual([signed(ada, 'admin')]);
  });

  test('M18 only people in the roster', async () => {
    const listed = [...(await group.listed()), chainOf(cyn)];
    const { members, unsure } = continueMembers(await content(), listed, () => 'compared');
    expect(members.map(({ identity }) => identity.userId)).not.toContain(is(cyn).userId);
    expect([members.length, unsure]).toEqual([2, []]);
  });

  test('M14 a member with another key only if it has a chain or was compared', async () => {
    const { identity } = chainOf(bob);
    const changed = { identity: { ...identity, fingerprint: other }, fingerprints: [other] };
    const after = async (chain: KeyChain, verdict: (about: KeyChain) => KeyVerdict = nothing) =>
      continueMembers(await content(), [chainOf(ada), chain], verdict);
    expect(await after(changed)).toEqual({ members: [signed(ada, 'admin')], unsure: [is(bob).userId] });
    const renewed = { ...changed, fingerprints: [other, identity.fingerprint] };
    expect((await after(renewed)).unsure).toEqual([]);
    expect((await after(renewed)).members).toContainEqual({ identity: changed.identity, role: 'member' });
    const asked: KeyChain[] = [];
    const compared = await after(changed, (about) => (asked.push(about) > 0 ? 'compared' : 'not-compared'));
    expect([compared.members.length, compared.unsure]).toEqual([2, []]);
    expect(asked).toHaveLength(2);
    expect(asked).toContainEqual(changed);
  });

  test('M14 no former key that the server shows again, once another one is decided', async () => {
    const person = { userId: is(bob).userId, name: 'Bob', fingerprint: other };
    const before = await content();
    for (const how of ['words', 'first-use'] as const) {
      const record = withDecidedKey(EMPTY_RECORD, person, how, 1);
      const verdict = (chain: KeyChain) => verdictByRecord(chain, record, is(ada).keyring);
      const { members, unsure } = continueMembers(before, await group.listed(), verdict);
      expect([members, unsure]).toEqual([[signed(ada, 'admin')], [is(bob).userId]]);
    }
  });

  test('the caller only with the present key', async () => {
    const former = (await content()).members.map((one) =>
      one.userId === is(ada).userId ? { ...one, fingerprint: other } : one,
    );
    const verdict = (chain: KeyChain) => verdictByRecord(chain, EMPTY_RECORD, is(ada).keyring);
    const renewed = continueMembers({ ...(await content()), members: former }, await group.listed(), verdict);
    expect([renewed.members.length, renewed.unsure]).toEqual([2, []]);
    const shown = { identity: { ...is(ada).keyring.identity, fingerprint: other }, fingerprints: [other] };
    expect(continueMembers({ ...(await content()), members: former }, [shown], verdict).unsure).toEqual([
      is(ada).userId,
    ]);
  });
});
