/**
 * Lists of members against a server that rolls them back, forks them, or signs its own (docs/spec/crypto.md
 * §9; M17, M19, M22): an honest server whose answers are changed.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { signAgain } from '@passwordbroker/core/domain/groups/member-change';
import { linkedRosterOf } from '@passwordbroker/core/domain/rosters/roster-chain';
import { createKeyVersion } from '@passwordbroker/core/domain/groups/group-keys';
import { signRoster } from '@passwordbroker/core/domain/rosters/roster';
import type { SignedIn, TestApp } from '../../../../server/src/testing/test-app.ts';
import { answerLists, asOf, listsOf } from '../../testing/forged-lists.node.ts';
import { withOwnGroup } from '../../testing/own-group.node.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { addSecret, goOn, groupWithSecret, mateOf, type Mate, trustGroup } from '../../testing/team.node.ts';
import type { FieldPath } from '../vault.ts';

let app: TestApp;
let [ada, bob, eve, mallory]: SignedIn[] = [];
let her: Mate;
let path: FieldPath;
let group: string;
withOwnGroup(
  (people, on) => ([[ada, bob, eve, mallory], app] = [people, on]),
  (own) => ({ her, path, group } = own),
);
/** Ada and Eve are admins. Three lists: Ada alone, with Eve, with Bob. */
beforeEach(async () => {
  await takeIn(her, group, eve!, 'admin');
  await takeIn(her, group, bob!, 'member');
  await her.write.trust.readAgain();
});

const answerOf = (mate: Mate, from?: number) => listsOf(mate, group, from);
const answering = (mate: Mate, answer: (honest: RosterAnswer) => RosterAnswer) => answerLists(mate, group, answer);
const isWrite = (request: string) => !request.startsWith('GET ');

/** Nothing is sealed or wrapped; readable values can still be read, with the warning. */
async function expectReadOnly(mate: Mate, fault: string) {
  mate.requests.length = 0;
  await expect(addSecret(mate, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: fault });
  await expect(takeIn(mate, group, bob!, 'moderator')).rejects.toMatchObject({ code: 'read_only' });
  await expect(mate.write.members.changeRole(group, bob!.userId, 'moderator')).rejects.toMatchObject({
    code: 'read_only',
  });
  await expect(mate.write.members.rotate(group, { force: true })).rejects.toMatchObject({ code: 'read_only' });
  const child = { name: 'Child', parentId: group, sameMembers: await mate.read.members(group) };
  await expect(mate.write.createGroup(child)).rejects.toMatchObject({ code: 'read_only' });
  expect(mate.vault.memberships.trust(group)).toEqual({ state: 'disputed', why: fault });
  expect(mate.requests.filter(isWrite)).toEqual([]);
}

describe('M22 the list is older than one that this device has accepted', () => {
  test('the group is read-only, also after logout on the same device, and on a device that never saw it', async () => {
    await her.read.reveal(path);
    const all = await answerOf(her, 0);
    her.keyring.lock();
    const again = await mateOf(ada!, her.deviceStore);
    answering(again, () => asOf(all, 1));
    await expectReadOnly(again, 'rolled-back');
    expect((await again.read.reveal(path)).text).toBe('q8-Rf3');

    // A device that never saw the list has the account's record.
    const fresh = await mateOf(ada!);
    answering(fresh, () => asOf(all, 1));
    await expectReadOnly(fresh, 'rolled-back');
  });

  test('another list at the same place, or one that does not follow, is a fork', async () => {
    const [all] = [await answerOf(her, 0)];
    const other = await signedAgain(eve!, all, 1);
    const forked = await mateOf(ada!, her.deviceStore);
    answering(forked, () => withNewest(all, 2, other));
    await expectReadOnly(forked, 'forked');
    const loose = await signRoster(ada!.keyring, { ...contentOf(all, 2), seq: 3, prev: 'a'.repeat(64) });
    const next = await mateOf(ada!, her.deviceStore);
    answering(next, () => ({ ...all, rosters: [...all.rosters, wireOf(all, 3, loose)] }));
    await expectReadOnly(next, 'forked');
    // Without the group's key a forged list has no proof, so the group does not open.
    const unproved = await signRoster(ada!.keyring, { ...contentOf(all, 2), ts: 1 });
    const locked = await mateOf(ada!, her.deviceStore);
    answering(locked, () => withNewest(all, 2, { ...unproved, roster_proof_base64: null }));
    await expect(addSecret(locked, path, 'never')).rejects.toMatchObject({ code: 'key_mismatch' });
  });

  test('without any list a group that a client created is neither written nor read', async () => {
    const again = await mateOf(ada!, her.deviceStore);
    answering(again, (honest) => ({ ...honest, rosters: [] }));
    await expectReadOnly(again, 'vanished');
    await expect(again.read.reveal(path)).rejects.toMatchObject({ code: 'key_mismatch' });
  });

  test('a person can continue from it: then it is accepted, and changes are possible', async () => {
    await her.read.reveal(path);
    const all = await answerOf(her, 0);
    await app.deps.db.transact(async (tx) => {
      await tx.deleteFrom('group_rosters').where('entry_group_id', '=', group).where('seq', '=', 2).execute();
      await tx.updateTable('entry_groups').set({ roster_seq: 1 }).where('entry_group_id', '=', group).execute();
      const his = tx.deleteFrom('group_members').where('entry_group_id', '=', group);
      await his.where('user_id', '=', bob!.userId).execute();
    });
    const again = await mateOf(ada!, her.deviceStore);
    await expectReadOnly(again, 'rolled-back');
    await goOn(again, group);
    expect(again.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
    await takeIn(again, group, mallory!, 'member');
    expect(all.rosters).toHaveLength(3);
  });
});

describe('M17, M19 a list forged by the server', () => {
  test('signed by a person who was not an admin is refused; the last accepted list stays, and values open by it', async () => {
    const all = await answerOf(her, 0);
    const { wire } = await makeOwn(all, bob!, 3);
    const again = await mateOf(ada!, her.deviceStore);
    answering(again, () => wire);
    await expectReadOnly(again, 'signer');
    expect((await again.read.reveal(path)).text).toBe('q8-Rf3');
    again.forge = null;
    again.keyring.lock();
    await again.keyring.unlock(ada!.masterPassword);
    await again.read.reveal(path);
    expect(again.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
  });

  test('M22 only an admin in the list can continue from it', async () => {
    const his = await mateOf(bob!);
    await trustGroup(his, group);
    await her.write.members.changeRole(group, bob!.userId, 'moderator');
    await his.read.members(group);
    await his.write.trust.readAgain();
    his.keyring.lock();
    await his.keyring.unlock(bob!.masterPassword);
    await his.read.reveal(path);
    const all = await answerOf(his, 0);
    his.keyring.lock();
    await his.keyring.unlock(bob!.masterPassword);
    answering(his, () => asOf(all, 2));
    await expect(addSecret(his, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'rolled-back' });
    await expect(goOn(his, group)).rejects.toMatchObject({ code: 'not_admin' });
    await expect(addSecret(his, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'rolled-back' });
    expect(his.vault.memberships.trust(group)).toEqual({ state: 'disputed', why: 'rolled-back' });
  });

  test('M15 can be continued from after its signer was compared; sharing with another person in it still asks', async () => {
    const hers = await mateOf(eve!);
    await trustGroup(hers, group);
    const { wire } = await makeOwn(await answerOf(hers, 0), mallory!, 3);
    answering(hers, () => wire);
    hers.keyring.lock();
    await hers.keyring.unlock(eve!.masterPassword);
    await expect(addSecret(hers, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'signer' });
    // The honest server refuses the list that she signs after it.
    await goOn(hers, group).catch(() => undefined);
    await hers.read.examine(group);
    expect(hers.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
    const trust = await hers.read.keyTrust(mallory!);
    if (trust.state !== 'unknown') throw new Error(trust.state);
    const own = (await groupWithSecret(hers, 'x')).entryGroupId;
    const person = { userId: mallory!.userId, fingerprint: trust.current.fingerprint };
    await expect(hers.write.members.add(own, person, 'member')).rejects.toMatchObject({ code: 'key_unconfirmed' });
  });

  test('with another key than the compared one is refused on a new device too', async () => {
    const hers = await mateOf(eve!);
    await trustGroup(hers, group);
    expect(await hers.read.keyTrust(ada!)).toMatchObject({ state: 'trusted', how: 'words' });
    const all = await answerOf(hers, 0);
    const { wire } = await makeOwn(all, await sameUser(ada!), 3);
    const fresh = await mateOf(eve!);
    answering(fresh, () => wire);
    fresh.requests.length = 0;
    await expect(addSecret(fresh, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'signer' });
    expect((await fresh.read.reveal(path)).text).toBe('q8-Rf3');
    await expect(goOn(fresh, group)).rejects.toMatchObject({
      code: 'key_changed',
      userIds: [ada!.userId],
    });
    expect(fresh.requests.filter(isWrite).filter((request) => !request.endsWith('envelope'))).toEqual([]);
  });

  test('with a secret that it does not commit to locks the group, as does a broken signature', async () => {
    const all = await answerOf(her);
    const { wire } = await makeOwn(all, ada!, 0);
    const again = await mateOf(ada!, her.deviceStore);
    answering(again, (honest) => ({ ...honest, grants: wire.grants.toReversed() }));
    await expect(again.read.reveal(path)).rejects.toMatchObject({ code: 'key_mismatch', detail: 'grant' });
    expect(again.vault.memberships.trust(group)).toEqual({ state: 'locked', why: 'grant' });
    const damaged = await mateOf(ada!, her.deviceStore);
    answering(damaged, (honest) => ({
      ...honest,
      rosters: honest.rosters.map((one) => ({
        ...one,
        roster_sig_base64: all.rosters[0]!.roster_sig_base64.replace(/^.../, 'AAA'),
      })),
    }));
    await expect(addSecret(damaged, path, 'never')).rejects.toMatchObject({ code: 'key_mismatch', detail: 'roster' });
    expect(damaged.vault.memberships.trust(group)).toEqual({ state: 'locked', why: 'roster' });
  });
});

interface Content {
  readonly seq: number;
  readonly prev: string;
  readonly gk_version: number;
  readonly gk_commit: string;
  readonly members: readonly [string, 'admin' | 'moderator' | 'member', string][];
}
function contentOf(all: RosterAnswer, seq: number) {
  const wire = all.rosters.find((one) => one.seq === seq);
  const raw = JSON.parse(Buffer.from(wire?.roster_base64 ?? '', 'base64').toString()) as Content;
  return {
    groupId: group,
    seq: raw.seq,
    prev: raw.prev,
    gkVersion: raw.gk_version,
    gkCommit: raw.gk_commit,
    members: raw.members.map(([userId, role, fingerprint]) => ({ userId, role, fingerprint })),
    ts: 1,
  };
}
const wireOf = (
  all: RosterAnswer,
  seq: number,
  signed: Partial<RosterAnswer['rosters'][number]> & { roster_base64: string; roster_sig_base64: string },
) => ({
  ...all.rosters[0]!,
  seq,
  ...signed,
});
/** The next list after this one, signed by an admin who holds the key. */
async function signedAgain(admin: SignedIn, all: RosterAnswer, seq: number) {
  const wire = all.rosters.find((one) => one.seq === seq)!;
  const roster = await linkedRosterOf(wire);
  const { grants } = await listsOf(await mateOf(admin), group);
  const people = [ada!, eve!, bob!].filter((one) => roster.content.members.some(({ userId }) => userId === one.userId));
  const members = people.map(({ keyring, userId }) => ({
    identity: keyring.identity,
    role: roster.content.members.find((one) => one.userId === userId)?.role ?? ('member' as const),
  }));
  const signed = await signAgain(
    admin.keyring,
    { groupId: group, roster, gkVersion: 1, grants },
    { members, now: 9_000 },
  );
  return { ...signed, signer: admin.userId, signer_certificate: certificateOf(admin) };
}
const certificateOf = ({ bundle, keyring }: SignedIn) => ({
  ...bundle.certificate,
  fpr: keyring.fingerprint,
  created_at: '2026-11-21T00:00:00.000Z',
});
const withNewest = (all: RosterAnswer, seq: number, signed: Parameters<typeof wireOf>[2]): RosterAnswer => ({
  ...all,
  rosters: [...all.rosters.filter((one) => one.seq < seq), wireOf(all, seq, signed)],
});

/** A key and a list made by this signer, with the signer and the others as admins. */
async function makeOwn(all: RosterAnswer, signer: Pick<SignedIn, 'keyring' | 'userId' | 'bundle'>, seq: number) {
  const { createHash } = await import('node:crypto');
  const newest = all.rosters.at(-1)!;
  const prev = createHash('sha256').update(Buffer.from(newest.roster_base64, 'base64')).digest('hex');
  const place = { groupId: group, version: seq === 0 ? 1 : 2, seq, prev: seq === 0 ? '' : prev };
  const others = [ada!, eve!].filter(({ userId }) => userId !== signer.userId);
  const members = [signer, ...others].map(({ keyring }) => ({ identity: keyring.identity, role: 'admin' as const }));
  const { wire } = await createKeyVersion(signer.keyring, place, { members, now: Date.now() });
  const roster = {
    ...newest,
    seq,
    signer: signer.userId,
    roster_base64: wire.roster_base64,
    roster_sig_base64: wire.roster_sig_base64,
    roster_proof_base64: wire.roster_proof_base64 ?? null,
    roster_proof_prev_base64: null,
    signer_certificate: { ...signer.bundle.certificate, fpr: signer.keyring.fingerprint, created_at: '' },
  };
  const grants = wire.grants.map((grant) => ({
    ...all.grants[0]!,
    user_id: grant.user_id,
    gk_version: place.version,
    recipient_fpr: grant.recipient_fpr,
    encrypted_aes_password_base64: grant.encrypted_aes_password,
  }));
  return {
    wire: { ...all, gk_version: place.version, rosters: [...all.rosters, roster], grants: [...all.grants, ...grants] },
  };
}

/** The same user id with other keys. */
async function sameUser({ userId }: SignedIn) {
  const { createKeyring } = await import('@passwordbroker/core/domain/keyring/keyring');
  const { TEST_KDF } = await import('@passwordbroker/core/testing/test-kdf');
  const { keyring, bundle } = await createKeyring({ userId, masterPassword: 'x', kdf: TEST_KDF });
  return { userId, keyring, bundle: { ...bundle, slots: [...bundle.slots] } };
}
