/**
 * Rotating a group's key, and opening keys of older versions: M18, M20 (docs/spec/crypto.md §9,
 * §12).
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { encodeBase64, randomBytes, utf8 } from '../../crypto/bytes.ts';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { StoredGroup } from '../../testing/groups/stored-group.ts';
import { member } from '../../testing/groups/two-members.ts';
import { type FieldContext, openField, sealField } from '../fields/field.ts';
import { type GroupKey, createGroupSecret, wrapGroupSecret } from './grants.ts';
import { type SignedMember, createKeyVersion, openGroup } from './group-keys.ts';
import { keyringOf } from '../keyring/keyring.ts';
import { addMember, continueMembers } from './member-change.ts';
import { signRoster, type RosterProofWire } from '../rosters/roster.ts';
import { commitmentsOf, linkBack, linkedRosterOf } from '../rosters/roster-chain.ts';
import { type PendingWrap, openGroupVersions, rewrapRows, startRotation } from './rotation.ts';

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
const going = async () => continueMembers(is(await group.newest()).content, await group.listed(), nothing).members;
const start = async (members?: readonly SignedMember[]) =>
  startRotation(is(ada).keyring, await group.seenBy(is(ada)), { members: members ?? (await going()), now });
const rotate = async () => {
  const { groupKey, wire } = await start();
  await group.rotate(is(ada), wire);
  return groupKey;
};
const presentKey = async (person: TestPerson | undefined) => {
  const { grants } = await group.seenBy(is(person));
  const answer = { gk_version: group.gkVersion, origin: 'client' as const, rosters: group.rosters, grants };
  return (await openGroup(is(person).keyring, answer, group.groupId)).groupKey;
};
const versionsOf = async (person: TestPerson | undefined, commitments = group.commitments()) =>
  openGroupVersions(is(person).keyring, await group.seenBy(is(person)), await commitments);

const content = { type: 'note' as const, title: 't', value: utf8('v') };
const newPlace = (): FieldContext => ({
  entryGroupId: group.groupId,
  entryId: crypto.randomUUID(),
  fieldId: crypto.randomUUID(),
  type: 'note',
  rev: 1,
});
const store = async (key: GroupKey, place = newPlace()) => {
  const sealed = await sealField(key, place, content);
  const row: PendingWrap = {
    entry_id: place.entryId,
    field_id: place.fieldId,
    type: place.type,
    rev: place.rev,
    gk_version: sealed.gk_version,
    cek_wrapped_base64: sealed.cek_wrapped,
  };
  return { place, row, value: sealed.value_encrypted };
};
const opened = async (key: GroupKey, stored: Awaited<ReturnType<typeof store>>, cek: string) =>
  openField(key, stored.place, {
    rev: stored.place.rev,
    gk_version: key.version,
    cek_wrapped_base64: cek,
    encrypted_value_base64: stored.value,
  });

describe('the first phase', () => {
  test('creates the next version for the continued members, and signs it', async () => {
    group.remove(is(bob).userId);
    const { groupKey, wire } = await start();
    expect([wire.base_gk_version, wire.gk_version, groupKey.version, groupKey.groupId]).toEqual([
      1,
      2,
      2,
      group.groupId,
    ]);
    expect(wire.grants).toMatchObject([
      { user_id: is(ada).userId, role: 'admin', recipient_fpr: is(ada).keyring.fingerprint },
    ]);
    await group.rotate(is(ada), wire);
    const { content: roster } = is(await group.newest());
    expect([roster.seq, roster.gkVersion, roster.members.length, roster.ts]).toEqual([1, 2, 1, 1_795_219_200]);
    const stored = await store(groupKey);
    expect(await opened(await presentKey(ada), stored, stored.row.cek_wrapped_base64)).toEqual(content);
  });

  test('in a group that the server created signs the first roster, with the next version', async () => {
    const shown = await group.seenBy(is(ada));
    const older = is(shown.grants[0]);
    const broken = encodeBase64(randomBytes(384));
    const grants = [
      { ...older, gk_version: 3 },
      older,
      { ...older, gk_version: 2, encrypted_aes_password_base64: broken },
      { ...older, gk_version: 0 },
      { ...older, gk_version: 9 },
    ];
    const seen = { ...shown, grants, roster: null, gkVersion: 3 };
    const members = await going();
    const { wire } = await startRotation(is(ada).keyring, seen, { members, now });
    expect([wire.base_gk_version, wire.gk_version]).toEqual([3, 4]);
    expect([wire.roster_proof_base64?.length, wire.roster_proof_prev_base64]).toEqual([44, undefined]);
    const converted = new StoredGroup(group.groupId);
    converted.gkVersion = 3;
    for (const [userId, member] of group.members) converted.members.set(userId, member);
    await converted.rotate(is(ada), wire);
    const first = is(await converted.newest()).content;
    expect(first).toMatchObject({ seq: 0, prev: '', gkVersion: 4, hasProof: true });
    expect([...(first.older ?? [])].map(([version]) => version)).toEqual([1, 3]);
    expect(first.older?.get(1)).toBe(is(await group.newest()).content.gkCommit);
  });

  test('is rejected for a signer who is no admin or no member', async () => {
    const [self, other] = [{ identity: is(ada).keyring.identity, role: 'moderator' as const }, await going()];
    expect(await errorCodeOf(() => start([self]))).toBe('roster');
    expect(await errorCodeOf(() => start(other.filter(({ role }) => role === 'member')))).toBe('roster');
    expect(await errorCodeOf(() => start([]))).toBe('roster');
  });
});

describe('the second phase', () => {
  test('wraps each content key for the new version, and can be repeated', async () => {
    const former = await presentKey(ada);
    const stored = await Promise.all([store(former), store(former), store(former)]);
    const next = await rotate();
    const keys = new Map([[1, former]]);
    const rows = stored.map(({ row }) => row);
    for (const { rewraps, skipped } of [await rewrapRows(rows, keys, next), await rewrapRows(rows, keys, next)]) {
      expect(skipped).toEqual([]);
      expect(rewraps.map(({ field_id, rev, from_gk_version }) => [field_id, rev, from_gk_version])).toEqual(
        rows.map(({ field_id, rev }) => [field_id, rev, 1]),
      );
      for (const [at, { cek_wrapped }] of rewraps.entries())
        expect(await opened(await presentKey(bob), is(stored[at]), cek_wrapped)).toEqual(content);
    }
  });

  test('skips and returns rows that do not open or have no key', async () => {
    const former = await presentKey(ada);
    const good = await store(former);
    const next = await rotate();
    const rows = [
      { ...good.row, cek_wrapped_base64: encodeBase64(randomBytes(116)) },
      good.row,
      { ...good.row, rev: 2 },
      { ...good.row, gk_version: 7 },
      { ...good.row, cek_wrapped_base64: '?' },
    ];
    const { rewraps, skipped } = await rewrapRows(rows, new Map([[1, former]]), next);
    expect(rewraps.map(({ rev }) => rev)).toEqual([1]);
    expect(skipped).toEqual([rows[0], rows[2], rows[3], rows[4]]);
  });

  test('rethrows programming errors', async () => {
    const former = await presentKey(ada);
    const { row } = await store(former);
    const next = await rotate();
    const misread = { ...row, type: undefined as never };
    await expect(rewrapRows([misread], new Map([[1, former]]), next)).rejects.toThrow(TypeError);
    const grants = [{ ...is((await group.seenBy(is(ada))).grants[0]), encrypted_aes_password_base64: null as never }];
    const seen = { groupId: group.groupId, grants, gkVersion: 1 };
    expect((await openGroupVersions(is(ada).keyring, seen, null)).locked).toEqual([1]);
    const broken = { ...is(ada).keyring, userId: is(ada).userId, keys: () => expect.fail('of another kind') };
    await expect(openGroupVersions(broken, await group.seenBy(is(ada)), null)).rejects.toThrow('of another kind');
  });

  test('takes at most 500 rows, in order', async () => {
    const former = await presentKey(ada);
    const { row } = await store(former);
    const next = await rotate();
    const rows = Array.from({ length: 500 }, (_, at) => (at % 250 === 0 ? row : { ...row, rev: at + 2 }));
    const { rewraps, skipped } = await rewrapRows(rows, new Map([[1, former]]), next);
    expect([rewraps.length, skipped.length]).toEqual([2, 498]);
    expect(skipped).toEqual(rows.filter((one) => one !== row));
    await expect(rewrapRows([...rows, row], new Map(), next)).rejects.toThrow(
      new RangeError('A batch has at most 500 revisions'),
    );
  });

  test('throws with a locked keyring', async () => {
    const keyring = keyringOf(is(ada).keyring.identity, is(ada).keyring.keys());
    const seen = await group.seenBy(is(ada));
    const { keys } = await openGroupVersions(keyring, seen, null);
    const { row } = await store(is(keys.get(1)));
    const next = await rotate();
    keyring.lock();
    expect(await errorCodeOf(() => rewrapRows([row], keys, next))).toBe('locked');
    expect(await errorCodeOf(() => openGroupVersions(keyring, seen, null))).toBe('locked');
  });
});

describe('the keys of older versions', () => {
  test('open against the commitments of their rosters', async () => {
    const first = await store(await presentKey(ada));
    const second = await store(await rotate());
    await rotate();
    for (const person of [ada, bob]) {
      const { keys, locked } = await versionsOf(person);
      expect([[...keys.keys()], locked]).toEqual([[1, 2, 3], []]);
      expect(await opened(is(keys.get(1)), first, first.row.cek_wrapped_base64)).toEqual(content);
      expect(await opened(is(keys.get(2)), second, second.row.cek_wrapped_base64)).toEqual(content);
    }
  });

  test('are those of the person’s own grants: a later member has only the current one', async () => {
    await rotate();
    const seen = await group.seenBy(is(ada));
    const member = { identity: is(cyn).keyring.identity, role: 'member' as const };
    await group.add(is(ada), is(cyn), await addMember(is(ada).keyring, seen, { member, members: await going(), now }));
    expect([...(await versionsOf(cyn)).keys.keys()]).toEqual([2]);
  });

  test('M20 are locked if the grant does not match the commitment; the others open', async () => {
    await rotate();
    const injected = encodeBase64(await wrapGroupSecret(createGroupSecret(), is(bob).keyring.identity));
    group.grants = group.grants.map((grant) =>
      grant.user_id === is(bob).userId && grant.gk_version === 1
        ? { ...grant, encrypted_aes_password_base64: injected }
        : grant,
    );
    const { keys, locked } = await versionsOf(bob);
    expect([[...keys.keys()], locked]).toEqual([[2], [1]]);
  });

  test('open without a commitment only if no roster can name one', async () => {
    await rotate();
    const seen = await group.seenBy(is(bob));
    const versions = async (uncommittedBelow: number) => {
      const { gkCommit } = is(await group.newest()).content;
      const byVersion = new Map([[2, { gkCommit, proofs: [], nextProof: null }]]);
      const { keys, locked, uncommitted } = await openGroupVersions(is(bob).keyring, seen, {
        byVersion,
        uncommittedBelow,
      });
      return [[...keys.keys()], locked, uncommitted];
    };
    expect(await versions(2)).toEqual([[1, 2], [], [1]]);
    expect(await versions(1)).toEqual([[2], [1], []]);
    expect(await versions(0)).toEqual([[2], [1], []]);
    const { keys, locked, uncommitted } = await openGroupVersions(is(bob).keyring, seen, null);
    expect([[...keys.keys()], locked, uncommitted]).toEqual([[2], [1], [2]]);
  });

  test('M41 below 1 never open', async () => {
    const own = is((await group.seenBy(is(bob))).grants[0]);
    const grants = [0, -1, 1.5, Number.NaN].map((gk_version) => ({ ...own, gk_version }));
    const seen = { groupId: group.groupId, grants };
    for (const commitments of [null, { byVersion: new Map(), uncommittedBelow: 3 }]) {
      for (const gkVersion of [0, -1, 1.5]) {
        const { keys } = await openGroupVersions(is(bob).keyring, { ...seen, gkVersion }, commitments);
        expect(keys.size).toBe(0);
      }
    }
  });

  test('M45 are locked if no roster has a valid proof, or the next one does not prove this version', async () => {
    await rotate();
    const whole = [...group.rosters];
    const other = encodeBase64(randomBytes(32));
    const show = async (at: number, change: Partial<RosterProofWire>) => {
      group.rosters[at] = { ...is(whole[at]), ...change };
      const { keys, locked, isProofBroken } = await versionsOf(bob);
      group.rosters[at] = is(whole[at]);
      return [[...keys.keys()], locked, isProofBroken];
    };
    expect(await show(0, {})).toEqual([[1, 2], [], false]);
    const { roster_proof_base64: copied } = is(whole[1]);
    for (const roster_proof_base64 of [null, other, copied, 'x']) {
      expect(await show(0, { roster_proof_base64 })).toEqual([[2], [1], false]);
      const isOwn = roster_proof_base64 === copied;
      expect(await show(1, { roster_proof_base64 })).toEqual(isOwn ? [[1, 2], [], false] : [[1], [2], false]);
    }
    for (const roster_proof_prev_base64 of [null, other, copied]) {
      expect(await show(1, { roster_proof_prev_base64 })).toEqual([[2], [1], true]);
    }
  });

  test('M46 do not open with a commitment of another chain', async () => {
    const { gkCommit } = is(await group.newest()).content;
    const mallory = is(cyn);
    const made = await StoredGroup.create(mallory, [{ person: is(bob), role: 'member' }]);
    const place = { groupId: group.groupId, seq: 0, prev: '', gkVersion: 1, gkCommit, ts: 0 };
    const members = [member(mallory, 'admin'), member(is(bob), 'member')];
    const wire = {
      ...(await signRoster(mallory.keyring, { ...place, members })),
      roster_proof_base64: null,
      roster_proof_prev_base64: null,
    };
    const linked = await linkedRosterOf(wire);
    const key = { groupId: group.groupId, version: 2, seq: 1, prev: linked.hash };
    const signed = [...made.members.values()].map(({ person, role }) => ({ identity: person.keyring.identity, role }));
    const next = await createKeyVersion(mallory.keyring, key, { members: signed, now, former: createGroupSecret() });
    const rosters = [wire, { roster_proof_prev_base64: null, ...next.wire }];
    const chain = await linkBack(await linkedRosterOf(next.wire), rosters);
    const { keys, isProofBroken } = await openGroupVersions(
      is(bob).keyring,
      await group.seenBy(is(bob)),
      commitmentsOf(chain, rosters),
    );
    expect([keys.size, isProofBroken]).toEqual([0, true]);
  });

  test('ignore grants of others; a version with an unknown algorithm is locked', async () => {
    const grants = [
      ...(await group.seenBy(is(bob))).grants.map((grant) => ({ ...grant, alg: 'xwing' })),
      ...(await group.seenBy(is(ada))).grants.map((grant) => ({ ...grant, gk_version: 9 })),
    ];
    const seen = { groupId: group.groupId, grants, gkVersion: 1 };
    const { keys, locked } = await openGroupVersions(is(bob).keyring, seen, null);
    expect([keys.size, locked]).toEqual([0, [1]]);
  });
});
