/** Adding a person to many groups at once on the real server: few requests, and a result for each group. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { remove } from '@passwordbroker/core/contract/groups/entry-groups';
import { startTestApp, type SignedIn, type TestApp } from '../../../../server/src/testing/test-app.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { groupWithSecret, mateOf, signUpAll, type Mate, trustGroup } from '../../testing/team.node.ts';
import type { FieldPath } from '../vault.ts';

const GROUPS = 8;
let app: TestApp;
let [ada, bob, eve]: SignedIn[] = [];
let her: Mate;
let paths: FieldPath[];

beforeAll(async () => {
  app = await startTestApp();
  [ada, bob, eve] = await signUpAll(app, ['ada', 'bob', 'eve']);
}, 60_000);
afterAll(async () => {
  await app.stop();
});
beforeEach(async () => {
  const maker = await mateOf(ada!);
  paths = await Promise.all(Array.from({ length: GROUPS }, (_, at) => groupWithSecret(maker, `secret ${at}`)));
  her = await mateOf(ada!);
});

const ids = () => paths.map(({ entryGroupId }) => entryGroupId);
const confirmed = async (person: SignedIn) => {
  const trust = await her.read.keyTrust(person);
  if (trust.state === 'none') throw new Error('no keys');
  const { fingerprint } = trust.current;
  if (trust.state === 'unknown') await her.write.members.confirmKey(person, fingerprint, 'words');
  return { userId: person.userId, fingerprint };
};

test('adding to many groups needs few requests, and the new member can open each group', async () => {
  const person = await confirmed(bob!);
  her.requests.length = 0;
  const listed = await Promise.all(ids().map((id) => her.read.members(id)));
  expect(listed.map((rows) => rows.map(({ user_id }) => user_id))).toEqual(ids().map(() => [ada!.userId]));
  const added = await Promise.all(ids().map((id) => her.write.members.add(id, person, 'moderator')));
  expect(added.map(({ entry_group_id, role }) => [entry_group_id, role])).toEqual(ids().map((id) => [id, 'moderator']));
  const asked = her.requests.map((request) => request.replace(/\?.*/, '').replace('/passwordBroker/api', ''));
  // One request, unless a group opens so late that the others do not wait for it.
  expect(asked.filter((request) => /^POST .*\/(?:groupUsers|users\/?)$/.test(request)).length).toBeLessThanOrEqual(3);
  // Early answers of the worker do not wait for the rest.
  expect(asked.filter((request) => request.startsWith('GET /entryGroups')).length).toBeLessThanOrEqual(3);
  expect(asked.length).toBeLessThan(GROUPS);
  const his = await mateOf(bob!);
  const values = await Promise.all(paths.map((path) => his.read.reveal(path)));
  expect(values.map(({ text }) => text)).toEqual(paths.map((_, at) => `secret ${at}`));
});

test('a deleted group and one without admin rights are reported, and the other groups succeed', async () => {
  await takeIn(her, ids()[1]!, eve!, 'admin');
  const other = await mateOf(eve!);
  await trustGroup(other, ids()[1]!);
  const person = await confirmed(bob!);
  await Promise.all(ids().map((id) => her.read.members(id)));
  const change = async () => {
    await ada!.call(remove, { params: { g: ids()[0]! } });
    await other.write.members.changeRole(ids()[1]!, ada!.userId, 'moderator');
    await takeIn(other, ids()[1]!, bob!, 'member');
  };
  // Whichever request comes first, batched or alone, waits for the change.
  let changing: Promise<void> | null = null;
  her.before = async (request) => {
    if (/^POST .*\/(?:groupUsers|users\/?)$/.test(request)) await (changing ??= change());
  };
  const outcomes = await Promise.allSettled(ids().map((id) => her.write.members.add(id, person, 'moderator')));
  expect(outcomes[0]).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } });
  // She is no admin there any more, so the server's refusal is passed on.
  expect(outcomes[1]).toMatchObject({ status: 'rejected', reason: { code: 'forbidden' } });
  expect(outcomes.slice(2).every(({ status }) => status === 'fulfilled')).toBe(true);
  const his = await mateOf(bob!);
  expect((await his.read.reveal(paths[2]!)).text).toBe('secret 2');
});

test('existing members keep their role, also if added after the list was read; an operation’s answer serves as the next list', async () => {
  const [taken, late, ...others] = ids();
  await takeIn(her, late!, eve!, 'admin');
  await takeIn(her, taken!, bob!, 'admin');
  const other = await mateOf(eve!);
  await trustGroup(other, late!);
  const person = await confirmed(bob!);
  for (const id of ids()) her.write.members.prepare(id);
  await Promise.all(ids().map((id) => her.read.examine(id)));
  await takeIn(other, late!, bob!, 'member');
  const add = (who: typeof person) => Promise.all(ids().map((id) => her.write.members.addNew(id, who, 'moderator')));
  const came = (await add(person)).map(({ user, isNew }) => [user.entry_group_id, user.role, isNew]);
  expect(came).toEqual([
    [taken, 'admin', false],
    [late, 'member', false],
    ...others.map((id) => [id, 'moderator', true]),
  ]);
  const next = await confirmed(eve!);
  her.requests.length = 0;
  expect((await add(next)).filter(({ isNew }) => !isNew).map(({ user }) => user.entry_group_id)).toEqual([late]);
  const isOther = (request: string) => !request.startsWith('POST') && !request.endsWith('documents/trust');
  expect(her.requests.filter(isOther)).toEqual([]);
  const listed = await Promise.all(others.map((id) => her.read.members(id)));
  expect(listed.map((rows) => rows.length)).toEqual(others.map(() => 3));
});

test('results that belong to other groups than requested are rejected', async () => {
  const person = await confirmed(bob!);
  let lied = 0;
  her.forge = (asked, answer) => {
    if (!asked.endsWith('/groupUsers')) return answer;
    const [first, ...others] = (answer as { results: unknown[] }).results;
    lied += 1 + others.length;
    return { results: [...others, first] };
  };
  const outcomes = await Promise.allSettled(ids().map((id) => her.write.members.add(id, person, 'member')));
  // A call that was ready early is sent alone and is not forged.
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(lied);
  expect(lied).toBeGreaterThan(1);
});

test('a request that is too large for a proxy is split in halves; an operation that still fails is reported, the others succeed', async () => {
  const person = await confirmed(bob!);
  await Promise.all(ids().map((id) => her.read.members(id)));
  let most = 0;
  her.refuse = (request) => {
    if (!request.startsWith('POST') || !request.endsWith('/groupUsers')) return null;
    const isFirst = most === 0;
    most += 1;
    return isFirst ? { code: 'payload_too_large', status: 413 } : null;
  };
  her.requests.length = 0;
  const added = await Promise.all(ids().map((id) => her.write.members.add(id, person, 'member')));
  expect(added.map(({ entry_group_id }) => entry_group_id)).toEqual(ids());
  expect(most).toBeGreaterThanOrEqual(3);

  her.refuse = (request) =>
    request.startsWith('POST') && request.endsWith('/groupUsers') ? { code: 'payload_too_large', status: 413 } : null;
  const again = await confirmed(eve!);
  const outcomes = await Promise.allSettled(
    ids().map((id, at) =>
      at === 0 ? her.write.members.changeRole(id, eve!.userId, 'admin') : her.write.members.add(id, again, 'member'),
    ),
  );
  // In the end each is sent alone; a change of role uses another endpoint.
  expect(outcomes.map(({ status }) => status)).toEqual(ids().map((_, at) => (at === 0 ? 'rejected' : 'fulfilled')));
});
