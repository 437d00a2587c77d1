/** The server's list of members differs from the signed one (docs/spec/crypto.md §9). */
import { expect, test } from 'vitest';
import type { Certificate, GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import { joinGroup } from '../../../../server/src/testing/join-group.ts';
import type { SignedIn, TestApp } from '../../../../server/src/testing/test-app.ts';
import { certificateWithId } from '../../testing/certificate-with-id.ts';
import { withOwnGroup } from '../../testing/own-group.node.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { mateOf, type Mate, trustGroup } from '../../testing/team.node.ts';
import { memberDifferences } from '../trust/listed-members.ts';
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

const isWrite = (request: string) => !request.startsWith('GET ');
const certificateOf = async (person: SignedIn) =>
  (await her.read.members(group)).find(({ user_id }) => user_id === person.userId)?.certificate as Certificate;
const inList = (asked: string) => asked.endsWith(`${group}/users`);

test('M18 nothing is wrapped for a ghost, not with the next member, in a child or at a rotation, and the ghost is shown', async () => {
  await takeIn(her, group, bob!, 'member');
  await joinGroup(app, group, mallory!, 'admin');
  const listed = await her.read.members(group);
  expect(memberDifferences(her.vault.memberships.signed(group), listed)).toEqual([
    { userId: mallory!.userId, kind: 'added-unsigned', signedRole: null },
  ]);
  const sent: string[] = [];
  her.before = async (request) => void sent.push(request);
  await her.write.createGroup({ name: 'Child', parentId: group, sameMembers: listed }).catch(() => undefined);
  await her.write.members.rotate(group, { force: true }).catch(() => undefined);
  await takeIn(her, group, eve!, 'member').catch(() => undefined);
  // The honest server refuses each of them because its list has one more member; none contained a wrap for
  // the ghost.
  expect(sent.filter(isWrite).length).toBeGreaterThan(0);
  const ghostly = await app.deps.db.read
    .selectFrom('group_grants')
    .selectAll()
    .where('user_id', '=', mallory!.userId)
    .where('entry_group_id', '=', group)
    .execute();
  expect(ghostly).toEqual([]);
});

test('M36 a member or certificate that is left out is shown as removed and not added again automatically', async () => {
  await takeIn(her, group, bob!, 'member');
  await her.read.reveal(path);
  her.forge = (asked, answer) => {
    if (!inList(asked)) return answer;
    return (answer as GroupUserWithCertificate[]).map((row) =>
      row.user_id === bob!.userId ? { ...row, certificate: null } : row,
    );
  };
  const signed = her.vault.memberships.signed(group);
  const removed = [{ userId: bob!.userId, kind: 'removed', signedRole: 'member' }];
  expect(memberDifferences(signed, await her.read.members(group))).toEqual(removed);
  her.forge = (asked, answer) =>
    inList(asked) ? (answer as GroupUserWithCertificate[]).filter(({ user_id }) => user_id !== bob!.userId) : answer;
  expect(memberDifferences(signed, await her.read.members(group))).toEqual(removed);
  her.requests.length = 0;
  await her.read.reveal(path);
  expect(her.requests.filter(isWrite)).toEqual([]);
});

test('a member added by another admin meanwhile is no difference', async () => {
  await takeIn(her, group, eve!, 'admin');
  const his = await mateOf(eve!);
  await trustGroup(his, group);
  await takeIn(his, group, bob!, 'member');
  const listed = await her.read.members(group);
  expect(listed).toHaveLength(3);
  expect(memberDifferences(her.vault.memberships.signed(group), listed)).toEqual([]);
});

test('a forged list of members: a child group is made for the signed members only', async () => {
  await takeIn(her, group, bob!, 'member');
  const ghost = { ...(await her.read.members(group)).find(({ user_id }) => user_id === bob!.userId)! };
  const certificate = await certificateWithId(mallory!.userId);
  const sameMembers = [...(await her.read.members(group)), { ...ghost, user_id: mallory!.userId, certificate }];
  const child = await her.write.createGroup({ name: 'Child', parentId: group, sameMembers });
  const members = (await her.read.members(child.entryGroup.entry_group_id)).map(({ user_id }) => user_id);
  expect(members.toSorted()).toEqual([ada!.userId, bob!.userId].toSorted());
});

test('a role or key other than the signed one is reported', async () => {
  await takeIn(her, group, bob!, 'member');
  const [certificate, signed] = [await certificateOf(ada!), her.vault.memberships.signed(group)];
  const listed = (await her.read.members(group)).map((row) =>
    row.user_id === bob!.userId ? { ...row, role: 'admin' as const, certificate } : row,
  );
  expect(memberDifferences(signed, listed)).toEqual([
    { userId: bob!.userId, kind: 'role', signedRole: 'member' },
    { userId: bob!.userId, kind: 'key', signedRole: 'member' },
  ]);
});
