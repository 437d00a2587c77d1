/**
 * Accepted lists that a device remembers, against a server that shows other lists or none
 * (docs/spec/crypto.md §9; M17, M22): the last accepted list decides who may continue and who created the
 * group.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import * as entryGroups from '@passwordbroker/core/contract/groups/entry-groups';
import { createGroupKeys } from '@passwordbroker/core/domain/groups/group-keys';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { addSecret, goOn, groupWithSecret, mateOf, signUpAll, type Mate, trustGroup } from '../../testing/team.node.ts';

let app: TestApp;
let [ada, bob, mallory]: SignedIn[] = [];

beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, mallory] = await signUpAll(app, ['ada', 'bob', 'mallory']);
}, 60_000);
afterAll(async () => {
  await app.stop();
});

const listsOf = (mate: Mate, g: string, from?: number): Promise<RosterAnswer> =>
  mate.http.call(entryGroups.roster, { params: { g }, query: from === undefined ? {} : { from } });

/** Forges the lists from the next opening on. */
async function answering(mate: Mate, g: string, answer: (honest: RosterAnswer) => RosterAnswer): Promise<void> {
  mate.keyring.lock();
  mate.forge = (asked, honest) => (asked.includes(`${g}/roster`) ? answer(honest as RosterAnswer) : honest);
  await mate.keyring.unlock(mate.person.masterPassword);
}

/** A key that the server knows, and a list that makes it look like the group's first. */
async function ownMaking(honest: RosterAnswer, signer: SignedIn, others: readonly SignedIn[]): Promise<RosterAnswer> {
  const members = [signer, ...others].map(({ keyring }) => ({ identity: keyring.identity, role: 'admin' as const }));
  const { wire } = await createGroupKeys(signer.keyring, { groupId: honest.entry_group_id, members, now: Date.now() });
  const roster = {
    entry_group_id: honest.entry_group_id,
    seq: 0,
    roster_base64: wire.roster_base64,
    roster_sig_base64: wire.roster_sig_base64,
    roster_proof_base64: wire.roster_proof_base64 ?? null,
    roster_proof_prev_base64: null,
    signer: signer.userId,
    signer_certificate: { ...signer.bundle.certificate, fpr: signer.keyring.fingerprint, created_at: '' },
    created_at: '',
  };
  const grants = wire.grants.map(({ encrypted_aes_password, ...grant }) => ({
    ...honest.grants[0]!,
    ...grant,
    gk_version: 1,
    encrypted_aes_password_base64: encrypted_aes_password,
  }));
  return { ...honest, gk_version: 1, rosters: [roster], grants };
}

const without =
  (grants?: RosterAnswer['grants']) =>
  (honest: RosterAnswer): RosterAnswer => ({
    ...honest,
    gk_version: 1,
    origin: 'server',
    rosters: [],
    grants: grants ?? honest.grants,
  });

test('M22 an earlier list with the person as admin gives no admin rights: the last accepted list decides', async () => {
  const her = await mateOf(ada!);
  const path = await groupWithSecret(her, 'x');
  const group = path.entryGroupId;
  await takeIn(her, group, bob!, 'admin');
  const asAdmin = await listsOf(her, group);
  await her.write.members.changeRole(group, bob!.userId, 'member');
  const his = await mateOf(bob!);
  await trustGroup(his, group);
  await answering(his, group, (honest) => ({ ...honest, rosters: asAdmin.rosters }));
  await expect(addSecret(his, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'rolled-back' });
  await expect(goOn(his, group)).rejects.toMatchObject({ code: 'not_admin' });
  expect(his.vault.memberships.trust(group)).toEqual({ state: 'disputed', why: 'rolled-back' });
  // A missing list gives no admin rights either.
  await answering(his, group, without());
  await expect(addSecret(his, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'vanished' });
  await expect(goOn(his, group)).rejects.toMatchObject({ code: 'never_without' });
});

describe('an older accepted list that another browser merges in', () => {
  /** Ada's browser opened the group at its second list; her other browser knows only the first. */
  async function twoBrowsers() {
    const her = await mateOf(ada!);
    const path = await groupWithSecret(her, 'x');
    const other = await mateOf(ada!);
    await other.read.reveal(path);
    await takeIn(her, path.entryGroupId, bob!, 'member');
    await her.write.trust?.recordWords();
    her.keyring.lock();
    await her.keyring.unlock(her.person.masterPassword);
    const merge = async () => {
      await other.write.createGroup({ name: 'Elsewhere', parentId: null, sameMembers: false });
      await other.write.trust?.recordWords();
      await her.write.trust?.readAgain();
    };
    return { her, path, merge };
  }
  const confirmed = { state: 'confirmed', how: 'remembered' };

  test('while the group opens: the lists are requested again, and nothing is disputed', async () => {
    const { her, path, merge } = await twoBrowsers();
    let merges = 0;
    her.before = async (request) => {
      if (!request.includes(`${path.entryGroupId}/roster`) || merges > 0) return;
      merges += 1;
      await merge();
    };
    await her.read.reveal(path);
    expect([merges, her.vault.memberships.trust(path.entryGroupId)]).toEqual([1, confirmed]);
    await addSecret(her, path, 'y');
  });

  test('while a value of the open group is sealed: it is sealed, and the next opening requests the lists', async () => {
    const { her, path, merge } = await twoBrowsers();
    await her.read.reveal(path);
    await merge();
    const place = { entryGroupId: path.entryGroupId, entryId: path.entryId, fieldId: randomUUID(), rev: 1 };
    const content = { title: 'Root', login: 'root', text: 'y' };
    await her.keyring.call('sealField', { place: { ...place, type: 'password' }, content });
    const before = her.requests.length;
    await her.read.reveal(path);
    expect(her.requests.slice(before).filter((request) => request.includes('/roster'))).toHaveLength(1);
    expect(her.vault.memberships.trust(path.entryGroupId)).toEqual(confirmed);
  });
});

describe('a group that a client created', () => {
  test('M22 is never taken for one that the server created: without a list it does not open, and no one can continue', async () => {
    const her = await mateOf(ada!);
    const path = await groupWithSecret(her, 'x');
    const group = path.entryGroupId;
    // Another device first opened the group at a later list; the first list shows who created the group.
    const other = await mateOf(ada!);
    await takeIn(her, group, bob!, 'member');
    await other.read.reveal(path);
    await expect(other.write.members.rotate(group, { force: true })).resolves.toMatchObject({ version: 2 });
    const { grants } = await ownMaking(await listsOf(her, group), ada!, []);
    for (const mate of [her, other]) {
      await answering(mate, group, without(grants));
      await expect(mate.read.reveal(path)).rejects.toMatchObject({ code: 'key_mismatch' });
      await expect(addSecret(mate, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'vanished' });
      await expect(goOn(mate, group)).rejects.toMatchObject({ code: 'never_without' });
      await expect(addSecret(mate, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'vanished' });
      expect(mate.vault.memberships.trust(group)).toEqual({ state: 'disputed', why: 'vanished' });
    }
  });

  test('M17 is known to the device before its first opening: a list forged by the server is no first use', async () => {
    const her = await mateOf(ada!);
    const { entryGroup } = await her.write.createGroup({ name: 'New', parentId: null, sameMembers: false });
    const group = entryGroup.entry_group_id;
    const forged = await ownMaking(await listsOf(her, group), mallory!, [ada!]);
    await answering(her, group, () => forged);
    const entry = await her.write.createEntry(group, 'Ledger');
    const path = { entryGroupId: group, entryId: entry.entry_id };
    await expect(addSecret(her, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'forked' });
    await answering(her, group, without(forged.grants));
    await expect(addSecret(her, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'vanished' });
  });
});

describe('a member who was added later and has only read', () => {
  test('M22, M40 has accepted no list: a group without lists is readable at most, and never written', async () => {
    const her = await mateOf(ada!);
    const path = await groupWithSecret(her, 'x');
    const group = path.entryGroupId;
    await takeIn(her, group, bob!, 'admin');
    const his = await mateOf(bob!);
    await his.read.reveal(path);
    const { grants } = await ownMaking(await listsOf(his, group), mallory!, [bob!]);
    await answering(his, group, without(grants.filter(({ user_id }) => user_id === bob!.userId)));
    // No value opens under the server's key.
    await expect(his.read.reveal(path)).rejects.toMatchObject({ code: 'integrity' });
    await expect(addSecret(his, path, 'never')).rejects.toMatchObject({ code: 'group_unsigned' });
    await expect(goOn(his, group)).rejects.toMatchObject({ code: 'never_without' });
  });
});

describe('a group that the server created and an admin has signed', () => {
  async function converted() {
    const her = await mateOf(ada!);
    const { entryGroup } = await ada!.call(entryGroups.create, { body: { name: 'Plain' } });
    const group = entryGroup.entry_group_id;
    const before = await listsOf(her, group);
    const { fingerprint } = await her.read.ownKey();
    const confirmed = [{ userId: ada!.userId, fingerprint, role: 'admin' as const }];
    await her.write.members.rotate(group, { confirmed });
    return { her, group, before, confirmed };
  }
  const entryIn = async (mate: Mate, group: string) => ({
    entryGroupId: group,
    entryId: (await mate.write.createEntry(group, 'Ledger')).entry_id,
  });

  test("M17 is known by the admin's signed list: another first list is no first use", async () => {
    const { her, group } = await converted();
    const forged = await ownMaking(await listsOf(her, group), mallory!, [ada!]);
    await answering(her, group, () => forged);
    const path = await entryIn(her, group);
    await expect(addSecret(her, path, 'never')).rejects.toMatchObject({ code: 'read_only' });
  });

  test('M22 a later member learns from the first list, once, who created it, and can then continue without lists', async () => {
    const { her, group } = await converted();
    await takeIn(her, group, bob!, 'admin');
    const path = await addSecret(her, await entryIn(her, group), 'x');
    const his = await mateOf(bob!);
    await trustGroup(his, group);
    await his.read.reveal(path);
    const fromFirst = () => his.requests.filter((request) => request.endsWith(`${group}/roster?from=0`));
    expect(fromFirst()).toHaveLength(1);
    await answering(his, group, (honest) => honest);
    await his.read.reveal(path);
    expect(fromFirst()).toHaveLength(1);
    const { grants } = await ownMaking(await listsOf(his, group), mallory!, [bob!]);
    await answering(his, group, without(grants.filter(({ user_id }) => user_id === bob!.userId)));
    await expect(addSecret(his, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'vanished' });
    await goOn(his, group);
    expect(his.vault.memberships.trust(group)).toEqual({ state: 'unsigned' });
  });

  test("M22 the admin can continue without lists after a restored backup; a later list must follow or be the admin's own", async () => {
    const { her, group, before, confirmed } = await converted();
    await app.deps.db.transact(async (tx) => {
      await tx.deleteFrom('group_rosters').where('entry_group_id', '=', group).execute();
      await tx.deleteFrom('group_keys').where('entry_group_id', '=', group).where('gk_version', '=', 2).execute();
      const grant = before.grants[0]!;
      const wrapped = Buffer.from(grant.encrypted_aes_password_base64, 'base64');
      const grants = tx.updateTable('group_grants').set({ gk_version: 1, wrapped });
      await grants.where('entry_group_id', '=', group).execute();
      const former = { gk_version: 1, roster_seq: null, origin: 'server', rotation_due: 0 } as const;
      await tx.updateTable('entry_groups').set(former).where('entry_group_id', '=', group).execute();
    });
    await answering(her, group, (honest) => honest);
    const path = await entryIn(her, group);
    await expect(addSecret(her, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'vanished' });
    await goOn(her, group);
    expect(her.vault.memberships.trust(group)).toEqual({ state: 'unsigned' });
    await expect(addSecret(her, path, 'never')).rejects.toMatchObject({ code: 'group_unsigned' });

    const forged = await ownMaking(await listsOf(her, group), mallory!, [ada!]);
    await answering(her, group, () => forged);
    await expect(addSecret(her, path, 'never')).rejects.toMatchObject({ code: 'group_unconfirmed', detail: 'new' });
    await answering(her, group, (honest) => honest);
    await her.write.members.rotate(group, { confirmed });
    await addSecret(her, path, 'y');
    expect(her.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
  });
});
