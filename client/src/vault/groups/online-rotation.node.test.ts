/**
 * Rotation on the real server (docs/spec/crypto.md §12): interrupted anywhere, continued by any admin, and
 * read meanwhile.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as members from '@passwordbroker/core/contract/groups/members';
import * as entryGroups from '@passwordbroker/core/contract/groups/entry-groups';
import { withOwnSecret } from '@passwordbroker/core/domain/groups/group-keys';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { addSecret, groupWithSecret, mateOf, signUpAll, type Mate, trustGroup } from '../../testing/team.node.ts';
import { onlineVault } from '../online.ts';
import type { FieldPath } from '../vault.ts';

let app: TestApp;
let [ada, bob, eve, carol]: SignedIn[] = [];
let her: Mate;
let first: FieldPath;
let group: string;

beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, eve, carol] = await signUpAll(app, ['ada', 'bob', 'eve', 'carol']);
}, 60_000);
afterAll(async () => {
  await app.stop();
});
/** Ada and Eve are admins, Bob is a member; two secrets, one of them with a history. */
beforeEach(async () => {
  her = await mateOf(ada!);
  first = await groupWithSecret(her, 'first value');
  group = first.entryGroupId;
  await takeIn(her, group, eve!, 'admin');
  await takeIn(her, group, bob!, 'member');
  const change = { type: 'password', title: 'Root', login: 'root', value: 'second value' } as const;
  first = { ...first, field: await her.write.updateField(first, change) };
});

const grantsOf = (person: SignedIn) =>
  app.deps.db.read
    .selectFrom('group_grants')
    .select(['gk_version', 'user_id'])
    .where('entry_group_id', '=', group)
    .where('user_id', '=', person.userId)
    .orderBy('gk_version')
    .execute();
const rotationDone = (mate: Mate) =>
  expect.poll(() => mate.vault.rotations.list().find(({ groupId }) => groupId === group)?.state, { timeout: 10_000 });

describe('after a removal', () => {
  test('the key is rotated in the background; remaining members read everything, the removed one nothing newer', async () => {
    const his = await mateOf(bob!);
    await his.read.reveal(first);
    const { grants } = await her.http.call(entryGroups.roster, { params: { g: group } });
    expect(grants).toHaveLength(1);
    const [hisGrants] = [(await his.http.call(entryGroups.roster, { params: { g: group } })).grants];
    await her.write.members.remove(group, bob!.userId);
    await rotationDone(her).toBe('done');
    const { entryGroup } = await her.read.group(group);
    expect(entryGroup).toMatchObject({ gk_version: 2, rotation_due: false });
    const later = await addSecret(her, first, 'third value');
    expect(later.field.gk_version).toBe(2);
    // The grant that he had stored opens the first version and no other.
    const place = { groupId: group, version: 2, gkCommit: null };
    await expect(withOwnSecret(bob!.keyring, hisGrants, place, async () => 'opened')).rejects.toMatchObject({
      code: 'grant',
    });
    expect(await grantsOf(bob!)).toEqual([]);
    const hers = await mateOf(eve!);
    expect((await hers.read.reveal(later)).text).toBe('third value');
    expect((await hers.read.reveal(first)).text).toBe('second value');
    const history = await hers.read.history(first);
    const created = history.find(({ event_type }) => event_type === 'created');
    expect((await hers.read.revealRevision(first, created!)).text).toBe('first value');
    // Nothing uses the first version any more, so its grants are deleted.
    expect((await grantsOf(eve!)).map(({ gk_version }) => gk_version)).toEqual([2]);
  });
});

/** Stops the client before its nth request of that kind, like a closed browser. */
function killBefore(mate: Mate, kind: RegExp, nth = 1): Promise<void> {
  let seen = 0;
  return new Promise((resolve) => {
    mate.before = async (request) => {
      if (kind.test(request)) seen += 1;
      if (seen < nth) return;
      resolve();
      await new Promise(() => undefined);
    };
  });
}

describe('interrupted', () => {
  test('between the new key and the rewraps: members can read and write, and another admin finishes at the next unlock', async () => {
    const killed = killBefore(her, /POST .*rotate\/rewraps/);
    void her.write.members.rotate(group, { force: true }).catch(() => undefined);
    await killed;
    her.keyring.lock();
    const his = await mateOf(bob!);
    expect((await his.read.reveal(first)).text).toBe('second value');
    const history = await his.read.history(first);
    const created = history.find(({ event_type }) => event_type === 'created');
    expect((await his.read.revealRevision(first, created!)).text).toBe('first value');
    const again = await mateOf(ada!, her.deviceStore);
    const late = await addSecret(again, first, 'meanwhile');
    expect(late.field.gk_version).toBe(2);
    expect((await grantsOf(eve!)).map(({ gk_version }) => gk_version)).toEqual([1, 2]);

    const hers = await mateOf(eve!);
    await trustGroup(hers, group);
    const notices: unknown[] = [];
    hers.keyring.lock();
    const watched = onlineVault(hers.http, hers.keyring, { onKeptUp: (notice) => notices.push(notice) });
    await hers.keyring.unlock(eve!.masterPassword);
    await expect.poll(() => notices, { timeout: 10_000 }).toEqual([{ rotated: 1, failed: 0 }]);
    expect(watched.rotations.list()).toEqual([
      expect.objectContaining({ groupId: group, state: 'done', fraction: 1, skipped: 0 }),
    ]);
    expect((await grantsOf(eve!)).map(({ gk_version }) => gk_version)).toEqual([2]);
    expect((await watched.read.reveal(late)).text).toBe('meanwhile');
    const hisAgain = await mateOf(bob!);
    expect((await hisAgain.read.revealRevision(first, created!)).text).toBe('first value');
  });

  test('before the new key: the rotation is still due, and the unlock of either admin does it', async () => {
    const hers = await mateOf(eve!);
    await trustGroup(hers, group);
    await her.write.members.remove(group, bob!.userId);
    her.keyring.lock();
    const { entryGroup } = await her.read.group(group);
    const isDue = entryGroup.rotation_due;
    const notices: unknown[] = [];
    hers.keyring.lock();
    const watched = onlineVault(hers.http, hers.keyring, { onKeptUp: (notice) => notices.push(notice) });
    await hers.keyring.unlock(eve!.masterPassword);
    if (isDue) await expect.poll(() => notices, { timeout: 10_000 }).toEqual([{ rotated: 1, failed: 0 }]);
    expect((await watched.read.group(group)).entryGroup).toMatchObject({ gk_version: 2, rotation_due: false });
    expect((await watched.read.reveal(first)).text).toBe('second value');
  });

  test('by the person: finished work stays, and continuing completes the rotation', async () => {
    const stop = new AbortController();
    her.before = async (request) => {
      if (/GET .*rotate\?/.test(request)) stop.abort(new DOMException('enough', 'AbortError'));
    };
    const rotating = her.write.members.rotate(group, { force: true, signal: stop.signal });
    await expect(rotating).rejects.toMatchObject({ message: 'enough' });
    her.before = null;
    const seen: number[] = [];
    const done = await her.write.members.rotate(group, { onProgress: (fraction) => void seen.push(fraction) });
    expect(done).toEqual({ version: 2, skipped: 0 });
    expect(seen.at(-1)).toBe(1);
    // Nothing is due or pending, so nothing happens.
    expect(await her.write.members.rotate(group)).toEqual({ version: 2, skipped: 0 });
  });
});

test('adding a member first finishes a pending rotation, so that the member can read the history too', async () => {
  const killed = killBefore(her, /POST .*rotate\/rewraps/);
  void her.write.members.rotate(group, { force: true }).catch(() => undefined);
  await killed;
  her.keyring.lock();
  const listed = async () =>
    (await her.http.call(entryGroups.listAll)).find(({ entry_group_id }) => entry_group_id === group)?.rotation_pending;
  her.before = null;
  expect(await listed()).toBe(true);
  const hers = await mateOf(eve!);
  await trustGroup(hers, group);
  await takeIn(hers, group, carol!, 'member');
  const late = await mateOf(carol!);
  expect((await late.read.reveal(first)).text).toBe('second value');
  const created = (await late.read.history(first)).find(({ event_type }) => event_type === 'created');
  expect((await late.read.revealRevision(first, created!)).text).toBe('first value');
  expect((await grantsOf(eve!)).map(({ gk_version }) => gk_version)).toEqual([2]);
  expect(await listed()).toBe(false);
});

test('an unlock looks for pending rotations with one request for all groups', async () => {
  await her.write.members.rotate(group, { force: true });
  const watched = await mateOf(ada!);
  watched.keyring.lock();
  watched.requests.length = 0;
  onlineVault(watched.http, watched.keyring, { onKeptUp: () => undefined });
  await watched.keyring.unlock(ada!.masterPassword);
  await expect
    .poll(() => watched.requests.filter((request) => request.endsWith('entryGroups')), { timeout: 20_000 })
    .toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(watched.requests.filter((request) => request.includes('/rotate'))).toEqual([]);
});

test('rotations by two admins at once both succeed with one common key', async () => {
  await her.write.members.remove(group, bob!.userId);
  await rotationDone(her).toBe('done');
  const hers = await mateOf(eve!);
  await trustGroup(hers, group);
  const both = await Promise.all([
    her.write.members.rotate(group, { force: true }),
    hers.write.members.rotate(group, { force: true }),
  ]);
  expect(both.map(({ skipped }) => skipped)).toEqual([0, 0]);
  const { entryGroup } = await her.read.group(group);
  expect(entryGroup.gk_version).toBeLessThanOrEqual(4);
  expect((await (await mateOf(ada!)).read.reveal(first)).text).toBe('second value');
  expect((await (await mateOf(eve!)).read.reveal(first)).text).toBe('second value');
});

test('a wrap that does not open is skipped and counted; all others are rewrapped', async () => {
  const damaged = await addSecret(her, first, 'damaged');
  await app.deps.db.transact(async (tx) => {
    const place = tx.selectFrom('field_revisions').select('cek_wrapped').where('field_id', '=', damaged.field.field_id);
    const { cek_wrapped } = await place.executeTakeFirstOrThrow();
    const flipped = Buffer.from(cek_wrapped);
    flipped[100] = (flipped[100] ?? 0) ^ 1;
    await tx
      .updateTable('field_revisions')
      .set({ cek_wrapped: flipped })
      .where('field_id', '=', damaged.field.field_id)
      .execute();
  });
  expect(await her.write.members.rotate(group, { force: true })).toEqual({ version: 2, skipped: 1 });
  const hers = await mateOf(eve!);
  expect((await hers.read.reveal(first)).text).toBe('second value');
  await expect(hers.read.reveal(damaged)).rejects.toMatchObject({ code: 'integrity' });
  // The next rotation skips it as well.
  expect(await her.write.members.rotate(group, { force: true })).toEqual({ version: 3, skipped: 1 });
  // Adding a member also works: the member gets everything that opens.
  await takeIn(her, group, carol!, 'member');
  expect((await (await mateOf(carol!)).read.reveal(first)).text).toBe('second value');
});

test('a move includes values that a pending rotation has not rewrapped yet', async () => {
  const killed = killBefore(her, /POST .*rotate\/rewraps/);
  void her.write.members.rotate(group, { force: true }).catch(() => undefined);
  await killed;
  const again = await mateOf(ada!, her.deviceStore);
  const target = await again.write.createGroup({ name: 'Target', parentId: null, sameMembers: false });
  const targetId = target.entryGroup.entry_group_id;
  await again.write.moveEntries(group, [first.entryId], targetId);
  expect((await again.read.reveal({ ...first, entryGroupId: targetId })).text).toBe('second value');
});

describe('a group that the server created (docs/spec/crypto.md §8)', () => {
  let made: string;
  beforeEach(async () => {
    const { entryGroup } = await her.http.call(entryGroups.create, {
      body: { name: 'By the API' } as never,
    });
    made = entryGroup.entry_group_id;
    await takeIn(her, group, bob!, 'member').catch(() => undefined);
    await ada!.call(members.add, {
      params: { g: made },
      body: { target_user_id: bob!.userId, role: 'member', master_password: ada!.masterPassword },
    });
    await her.read.examine(made);
  });

  test('M40 is readable and never written: no value, member, role, child or rotation without a person', async () => {
    const child = { name: 'Child', parentId: made, sameMembers: await her.read.members(made) };
    const { entry_id: entryId } = await her.write.createEntry(made, 'E');
    her.requests.length = 0;
    for (const act of [
      () => her.write.createGroup(child),
      () => takeIn(her, made, eve!, 'member'),
      () => her.write.members.changeRole(made, bob!.userId, 'moderator'),
      () => addSecret(her, { entryGroupId: made, entryId }, 'never'),
      () => her.write.moveEntries(group, [first.entryId], made),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'group_unsigned' });
    }
    expect(
      her.requests.filter((request) => /^(?:POST|PUT) .*(?:groupUsers|users|fields|moveMany)/.test(request)),
    ).toEqual([]);
  });

  test('is signed only after a person has confirmed its members, and then for exactly these', async () => {
    expect(her.vault.memberships.trust(made)).toEqual({ state: 'unsigned' });
    const unasked = her.write.members.rotate(made);
    await expect(unasked).rejects.toMatchObject({ code: 'members_unconfirmed' });
    const trust = await her.read.keyTrust(bob!);
    if (trust.state !== 'trusted') throw new Error(trust.state);
    const confirmed = [
      { userId: ada!.userId, fingerprint: her.person.keyring.fingerprint, role: 'admin' as const },
      { userId: bob!.userId, fingerprint: trust.current.fingerprint, role: 'member' as const },
    ];
    const others = [{ ...confirmed[1]!, fingerprint: 'b'.repeat(64) }];
    await expect(her.write.members.rotate(made, { confirmed: others })).rejects.toMatchObject({ code: 'key_changed' });
    expect(await her.write.members.rotate(made, { confirmed })).toEqual({ version: 2, skipped: 0 });
    expect((await her.read.group(made)).entryGroup.origin).toBe('client');
    const his = await mateOf(bob!);
    const entry = await her.write.createEntry(made, 'E');
    const secret = await addSecret(her, { entryGroupId: made, entryId: entry.entry_id }, 'v');
    expect((await his.read.reveal(secret)).text).toBe('v');
    expect(his.vault.memberships.trust(made)).toEqual({ state: 'unconfirmed', why: 'new' });
  });
});
