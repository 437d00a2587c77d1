/**
 * Number of questions for an ordinary person (docs/spec/crypto.md §9): none for own groups and child groups
 * of colleagues, one for a new colleague.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { answerLists, asOf, listsOf } from '../../testing/forged-lists.node.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { addSecret, groupWithSecret, mateOf, signUpAll, trustGroup, type Mate } from '../../testing/team.node.ts';

let app: TestApp;
let [ada, bob, eve]: SignedIn[] = [];
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, eve] = await signUpAll(app, ['ada', 'bob', 'eve']);
}, 60_000);
afterAll(() => app.stop());

const childOf = async (mate: Mate, parentId: string, name: string) => {
  const sameMembers = await mate.read.members(parentId);
  const { entryGroup } = await mate.write.createGroup({ name, parentId, sameMembers });
  const { entry_id: entryId } = await mate.write.createEntry(entryGroup.entry_group_id, 'Ledger');
  return addSecret(mate, { entryGroupId: entryGroup.entry_group_id, entryId }, 'below');
};

test('own groups cause no question, also in a second browser, and reading alone writes nothing', async () => {
  const her = await mateOf(ada!);
  const path = await groupWithSecret(her, 'x');
  await takeIn(her, path.entryGroupId, bob!, 'member');
  await her.write.trust.readAgain();
  const second = await mateOf(ada!);
  await addSecret(second, path, 'y');
  const his = await mateOf(bob!);
  expect((await his.read.reveal(path)).text).toBe('x');
  expect(his.vault.memberships.trust(path.entryGroupId)).toEqual({ state: 'unconfirmed', why: 'new' });
  his.keyring.lock();
  await his.keyring.unlock(bob!.masterPassword);
  await his.read.reveal(path);
  // Reading recorded no decision and no group.
  expect(his.vault.memberships.trust(path.entryGroupId)).toEqual({ state: 'unconfirmed', why: 'new' });
});

test('a colleague is confirmed once; child groups with known members are confirmed by their parent, opened in any order', async () => {
  const her = await mateOf(ada!);
  const path = await groupWithSecret(her, 'x');
  const group = path.entryGroupId;
  await takeIn(her, group, eve!, 'admin');
  await takeIn(her, group, bob!, 'moderator');
  const his = await mateOf(bob!);
  await trustGroup(his, group, 'first-use');
  const hers = await mateOf(eve!);
  await trustGroup(hers, group);
  // Bob never confirmed Eve's key; she and all others are in the parent's list.
  const child = await childOf(hers, group, 'Databases');
  his.keyring.lock();
  await his.keyring.unlock(bob!.masterPassword);
  await addSecret(his, child, 'z');
  expect(his.vault.memberships.trust(child.entryGroupId)).toMatchObject({ state: 'confirmed' });
  expect(await his.read.keyTrust(eve!)).toMatchObject({ state: 'unknown' });
});

test('M51 after a restore a member can continue by comparing the signer; without that, only an admin can', async () => {
  const her = await mateOf(ada!);
  const path = await groupWithSecret(her, 'x');
  const group = path.entryGroupId;
  await takeIn(her, group, bob!, 'moderator');
  const before = await listsOf(her, group, 0);
  await takeIn(her, group, eve!, 'member');
  const his = await mateOf(bob!);
  await trustGroup(his, group, 'first-use');
  his.keyring.lock();
  await his.keyring.unlock(bob!.masterPassword);
  const older = asOf(before, before.rosters.at(-1)!.seq);
  answerLists(his, group, ({ grants }) => ({ ...older, grants }));
  await expect(addSecret(his, path, 'never')).rejects.toMatchObject({ code: 'read_only', detail: 'rolled-back' });
  const { newest, mayGoOn } = his.vault.trust.details(group)!;
  expect(mayGoOn).toBe('comparing');
  await expect(his.write.trust.goOn(group, newest!.hash)).rejects.toMatchObject({ code: 'not_admin' });
  const compared = { ...newest!.signer, name: 'Ada', how: 'words' as const };
  const other = { ...compared, fingerprint: 'a'.repeat(64) };
  await expect(his.write.trust.goOn(group, newest!.hash, other)).rejects.toMatchObject({ code: 'not_admin' });
  await his.write.trust.goOn(group, newest!.hash, compared);
  expect(his.vault.memberships.trust(group)).toMatchObject({ state: 'confirmed' });
  expect(await his.read.keyTrust(ada!)).toMatchObject({ state: 'trusted', how: 'words' });
});
