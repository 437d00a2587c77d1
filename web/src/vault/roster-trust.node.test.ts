/**
 * The lists of members against a server that rolls them back, forks them, or signs its own (crypto.md §9; M17, M19, M22): the honest server behind, its
 * answers changed on their way.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { createKeyVersion } from '@passwordbroker/core/domain/group-keys';
import { signRoster } from '@passwordbroker/core/domain/roster';
import type { SignedIn, TestApp } from '../../../server/src/testing/test-app.ts';
import { answerLists, asOf, listsOf } from '../testing/forged-lists.node.ts';
import { withOwnGroup } from '../testing/own-group.node.ts';
import { takeIn } from '../testing/take-in.node.ts';
import { addSecret, goOn, groupWithSecret, mateOf, type Mate } from '../testing/team.node.ts';
import type { FieldPath } from './vault.ts';

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
});

const answerOf = (mate: Mate, from?: number) => listsOf(mate, group, from);
const answering = (mate: Mate, answer: (honest: RosterAnswer) => RosterAnswer) => answerLists(mate, group, answer);
const isWrite = (request: string) => !request.startsWith('GET ');

/** Nothing is sealed and nothing wrapped; what could be read is read, with the warning. */
async function expectReadOnly(mate: Mate, fault: string) {
  mate.requests.length = 0;
  await expect(addSecret(mate, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: fault });
  await expect(takeIn(mate, group, bob!, 'moderator')).rejects.toMatchObject({ code: 'read_only' });
  await expect(mate.write.members.changeRole(group, bob!.userId, 'moderator')).rejects.toMatchObject({
    code: 'read_only',
  });
  await expect(mate.write.members.rotate(group, { anew: true })).rejects.toMatchObject({ code: 'read_only' });
  const child = { name: 'Child', parentId: group, sameMembers: await mate.read.members(group) };
  await expect(mate.write.createGroup(child)).rejects.toMatchObject({ code: 'read_only' });
  expect(mate.vault.memberships.trust(group)).toEqual({ readOnly: fault });
  expect(mate.requests.filter(isWrite)).toEqual([]);
}

describe('M22 the list is older than one that this device has accepted', () => {
  test('read-only, also after logout on the same device; a device that never saw it is at first use', async () => {
    await her.read.reveal(path);
    const all = await answerOf(her, 0);
    her.keyring.lock();
    const again = await mateOf(ada!, her.shelf);
    answering(again, () => asOf(all, 1));
    await expectReadOnly(again, 'rolled-back');
    expect((await again.read.reveal(path)).text).toBe('q8-Rf3');

    const fresh = await mateOf(ada!);
    answering(fresh, () => asOf(all, 1));
    await fresh.read.reveal(path);
    expect(fresh.vault.memberships.trust(group)).toBe('accepted');
    // That device knows the old one now, and takes the honest newer one that follows from it.
    fresh.keyring.lock();
    const honest = await mateOf(ada!, fresh.shelf);
    await honest.read.reveal(path);
    expect(honest.vault.memberships.signed(group)).toHaveLength(3);
  });

  test('another one at the same place, or one that does not follow: forked', async () => {
    const [all] = [await answerOf(her, 0)];
    const other = await signRoster(ada!.keyring, { ...contentOf(all, 2), ts: 1 });
    const forked = await mateOf(ada!, her.shelf);
    answering(forked, () => withNewest(all, 2, other));
    await expectReadOnly(forked, 'forked');
    const loose = await signRoster(ada!.keyring, { ...contentOf(all, 2), seq: 3, prev: 'a'.repeat(64) });
    const next = await mateOf(ada!, her.shelf);
    answering(next, () => ({ ...all, rosters: [...all.rosters, wireOf(all, 3, loose)] }));
    await expectReadOnly(next, 'forked');
  });

  test('none any more: read-only, and not even read, because a client made the group', async () => {
    const again = await mateOf(ada!, her.shelf);
    answering(again, (honest) => ({ ...honest, rosters: [] }));
    await expectReadOnly(again, 'vanished');
    await expect(again.read.reveal(path)).rejects.toMatchObject({ code: 'key_mismatch' });
  });

  test('a person may go on from it: then it is the accepted one, and acts are possible', async () => {
    await her.read.reveal(path);
    const all = await answerOf(her, 0);
    await app.deps.db.transact(async (tx) => {
      await tx.deleteFrom('group_rosters').where('entry_group_id', '=', group).where('seq', '=', 2).execute();
      await tx.updateTable('entry_groups').set({ roster_seq: 1 }).where('entry_group_id', '=', group).execute();
      const his = tx.deleteFrom('group_members').where('entry_group_id', '=', group);
      await his.where('user_id', '=', bob!.userId).execute();
    });
    const again = await mateOf(ada!, her.shelf);
    await expectReadOnly(again, 'rolled-back');
    await goOn(again, group);
    expect(again.vault.memberships.trust(group)).toBe('accepted');
    await takeIn(again, group, mallory!, 'member');
    expect(all.rosters).toHaveLength(3);
  });
});

describe('M17, M19 a list of the server’s own making', () => {
  test('signed by somebody who was no admin: refused, the last accepted one stays, values open by it', async () => {
    const all = await answerOf(her, 0);
    const { wire } = await makeOwn(all, bob!, 3);
    const again = await mateOf(ada!, her.shelf);
    answering(again, () => wire);
    await expectReadOnly(again, 'signer');
    expect((await again.read.reveal(path)).text).toBe('q8-Rf3');
    again.forge = null;
    again.keyring.lock();
    await again.keyring.unlock(ada!.masterPassword);
    await again.read.reveal(path);
    expect(again.vault.memberships.trust(group)).toBe('accepted');
  });

  test('M22 whoever is no admin in the list cannot go on from it', async () => {
    const his = await mateOf(bob!);
    await his.read.reveal(path);
    await her.write.members.changeRole(group, bob!.userId, 'moderator');
    await his.read.members(group);
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
    expect(his.vault.memberships.trust(group)).toEqual({ readOnly: 'rolled-back' });
  });

  test('M15 gone on from: its signer is met by that, and sharing with him still asks', async () => {
    const hers = await mateOf(eve!);
    await hers.read.reveal(path);
    const { wire } = await makeOwn(await answerOf(hers, 0), mallory!, 3);
    answering(hers, () => wire);
    hers.keyring.lock();
    await hers.keyring.unlock(eve!.masterPassword);
    await expect(addSecret(hers, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'signer' });
    await goOn(hers, group);
    expect(hers.vault.memberships.trust(group)).toBe('accepted');
    const trust = await hers.read.keyTrust(mallory!);
    if (trust.state !== 'unknown') throw new Error(trust.state);
    const own = (await groupWithSecret(hers, 'x')).entryGroupId;
    const person = { userId: mallory!.userId, fingerprint: trust.current.fingerprint };
    await expect(hers.write.members.add(own, person, 'member')).rejects.toMatchObject({ code: 'key_unconfirmed' });
  });

  test('on a device that meets the group for the first time: a signer with another key than the pinned one is refused', async () => {
    const hers = await mateOf(eve!);
    await hers.read.reveal(path);
    expect(await hers.read.keyTrust(ada!)).toMatchObject({ state: 'unknown' });
    const all = await answerOf(hers, 0);
    const { wire } = await makeOwn(all, await sameUser(ada!), 3);
    const fresh = await mateOf(eve!);
    answering(fresh, () => wire);
    fresh.requests.length = 0;
    await expect(addSecret(fresh, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'signer' });
    // Nothing vouches for the key that came with it.
    await expect(fresh.read.reveal(path)).rejects.toMatchObject({ code: 'key_mismatch' });
    await expect(goOn(fresh, group)).rejects.toMatchObject({
      code: 'key_changed',
      userIds: [ada!.userId],
    });
    expect(fresh.requests.filter(isWrite)).toEqual([]);
  });

  test('a secret that the list does not commit to locks the group; so does a broken signature', async () => {
    const all = await answerOf(her);
    const { wire } = await makeOwn(all, ada!, 0);
    const again = await mateOf(ada!, her.shelf);
    answering(again, (honest) => ({ ...honest, grants: wire.grants.toReversed() }));
    await expect(again.read.reveal(path)).rejects.toMatchObject({ code: 'key_mismatch', detail: 'grant' });
    expect(again.vault.memberships.trust(group)).toEqual({ locked: 'grant' });
    const damaged = await mateOf(ada!, her.shelf);
    answering(damaged, (honest) => ({
      ...honest,
      rosters: honest.rosters.map((one) => ({
        ...one,
        roster_sig_base64: all.rosters[0]!.roster_sig_base64.replace(/^.../, 'AAA'),
      })),
    }));
    await expect(addSecret(damaged, path, 'never')).rejects.toMatchObject({ code: 'key_mismatch', detail: 'roster' });
    expect(damaged.vault.memberships.trust(group)).toEqual({ locked: 'roster' });
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
const wireOf = (all: RosterAnswer, seq: number, signed: { roster_base64: string; roster_sig_base64: string }) => ({
  ...all.rosters[0]!,
  seq,
  ...signed,
});
const withNewest = (all: RosterAnswer, seq: number, signed: Parameters<typeof wireOf>[2]): RosterAnswer => ({
  ...all,
  rosters: [...all.rosters.filter((one) => one.seq < seq), wireOf(all, seq, signed)],
});

/** A key and a list that whoever signs has made: himself admin, everybody else as before. */
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

/** The same person with keys that are not his. */
async function sameUser({ userId }: SignedIn) {
  const { createKeyring } = await import('@passwordbroker/core/domain/keyring');
  const { TEST_KDF } = await import('@passwordbroker/core/testing/test-kdf');
  const { keyring, bundle } = await createKeyring({ userId, masterPassword: 'x', kdf: TEST_KDF });
  return { userId, keyring, bundle: { ...bundle, slots: [...bundle.slots] } };
}
