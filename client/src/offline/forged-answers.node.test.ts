/** Answers in which one thing replaces another; a whole copy and a change are checked alike (M33, R48). */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as offline from '@passwordbroker/core/contract/account/offline';
import type {
  OfflineAnswer,
  OfflineData,
  OfflineDelta,
  OfflineHead,
} from '@passwordbroker/core/contract/account/offline';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { startTestApp, type SignedIn, type TestApp } from '../../../server/src/testing/test-app.ts';
import { newDevice, openPage, ORIGIN, type Device, type OfflineTestPage } from '../testing/offline-page.node.ts';
import { addSecret, groupWithSecret, mateOf, signUpAll, type Mate } from '../testing/team.node.ts';
import type { FieldPath } from '../vault/vault.ts';
import { isReady } from './parts/parts.ts';

let app: TestApp;
let ada: SignedIn;
let elsewhere: Mate;
let path: FieldPath;
let other: FieldPath;
let second: FieldPath;
let device: Device;
let page: OfflineTestPage;
/** The answer of the server after one field was added. */
let honest: OfflineAnswer;
let since: string;

beforeAll(async () => {
  app = await startTestApp();
  const [first] = await signUpAll(app, ['ada']);
  if (first === undefined) throw new Error('nobody signed up');
  ada = first;
  elsewhere = await mateOf(await app.signIn(ada));
  path = await groupWithSecret(elsewhere, 'first value');
  other = await groupWithSecret(elsewhere, 'other value');
  second = await addSecret(elsewhere, path, 'second value');
  device = newDevice();
  page = await openPage(await app.signIn(ada), device);
  await page.unlock();
  await page.engine.enable();
  await synchronized();
  // From here on only this test writes to the copy.
  page.engine.stop();
  since = await cursor();
  await addSecret(elsewhere, path, 'third value');
  honest = await answerOf({ since });
}, 60_000);
afterAll(async () => {
  page.close();
  await app.stop();
});

const synchronized = () => vi.waitFor(() => expect(isReady(page.state().parts)).toBe(true), 20_000);
const pieces = () => device.copies.kept.pieces.get(page.name) ?? [];
async function cursor(): Promise<string> {
  const checked = await page.real.keyring.call('checkCopy', { origin: ORIGIN });
  if (checked.state !== 'found') throw new Error('no copy');
  return checked.cursor;
}
async function answerOf(query: { readonly since?: string }): Promise<OfflineAnswer> {
  const { applicationId: user_application_id = '' } = device.copies.kept.records.get(page.name) ?? {};
  return page.real.http.call(offline.entryGroupsWithFields, { query: { user_application_id, ...query } });
}
const take = async (answer: unknown, asked: string | null) =>
  page.real.keyring.call('takeCopy', {
    origin: ORIGIN,
    answer: utf8(JSON.stringify(answer)).buffer as ArrayBuffer,
    since: asked,
  });
const refused = { code: 'offline_copy', detail: 'answer' };

type Open<T> = T extends readonly (infer One)[]
  ? Open<One>[]
  : T extends object
    ? { -readonly [K in keyof T]: Open<T[K]> }
    : T;

test.each<[string, (delta: Open<OfflineDelta>) => unknown]>([
  ['a group that the copy does not have', ({ groups }) => (groups[0]!.entry_group_id = crypto.randomUUID())],
  ['its only entry in a group to which it does not belong', ({ groups }) => misplace(groups[0]!)],
  ['an entry of another group', ({ groups }) => (groups[0]!.entries[0]!.entry_group_id = other.entryGroupId)],
  ['a field of another entry', ({ groups }) => (groups[0]!.entries[0]!.passwords[0]!.entry_id = other.entryId)],
  ['a field that another entry has', ({ groups }) => (fieldIn(groups).field_id = other.field.field_id)],
  ['a field twice', ({ groups }) => groups[0]!.entries[0]!.passwords.push(fieldIn(groups))],
  ['an entry twice', ({ groups }) => groups[0]!.entries.push(groups[0]!.entries[0]!)],
  ['a group twice', ({ groups }) => groups.push({ ...groups[0]!, entries: [] })],
  ['the removal of a group that the trees show', ({ gone_groups }) => gone_groups.push(other.entryGroupId)],
  ['trees without a group that exists', (delta) => (delta.trees = [])],
  ['a field of a wrong type', ({ groups }) => ((fieldIn(groups) as { type: string }).type = 'note')],
])('a change with %s is refused, and nothing of it is stored', async (_, forge) => {
  const before = pieces();
  const answer = structuredClone(honest) as Open<OfflineAnswer>;
  if (answer.delta === undefined) throw new Error('no delta');
  forge(answer.delta);
  await expect(take(answer, since)).rejects.toMatchObject(refused);
  expect(pieces()).toEqual(before);
});

const fieldIn = (groups: Open<OfflineDelta>['groups']) => groups[0]!.entries[0]!.passwords[0]!;
function misplace(group: Open<OfflineDelta>['groups'][number]) {
  group.entry_group_id = other.entryGroupId;
  for (const entry of group.entries) {
    entry.entry_group_id = other.entryGroupId;
    for (const field of entry.passwords) field.entry_group_id = other.entryGroupId;
  }
}

describe('a group head in a change', () => {
  let renamed: OfflineAnswer;
  beforeAll(async () => {
    await elsewhere.write.renameGroup(other.entryGroupId, 'Renamed');
    renamed = await answerOf({ since });
  });

  interface Renamed {
    readonly delta: Open<OfflineDelta>;
    readonly head: Open<OfflineHead>;
  }
  test.each<[string, (of: Renamed) => unknown]>([
    [
      'with grants of another person',
      ({ head }) => head.grants.forEach((grant) => (grant.user_id = crypto.randomUUID())),
    ],
    ['of another group', ({ head }) => (head.entry_group_id = path.entryGroupId)],
    [
      'at another path than in the trees',
      ({ head }) => (head.materialized_path = `${path.entryGroupId}.${other.entryGroupId}`),
    ],
    ['with another name than in the trees', ({ head }) => (head.name = 'Another')],
    ['with another role than in the trees', ({ head }) => (head.role = 'member')],
    ['without new trees', ({ delta }) => (delta.trees = null)],
  ])('%s is refused', async (_, forge) => {
    const answer = structuredClone(renamed) as Open<OfflineAnswer>;
    const { delta } = answer;
    const head = delta?.groups.find((group) => group.head !== null)?.head;
    if (!head || !delta) throw new Error('no head');
    forge({ delta, head });
    await expect(take(answer, since)).rejects.toMatchObject(refused);
  });
});

test('a whole copy is checked the same way: entries, paths, grants', async () => {
  const whole = await answerOf({});
  const forgeries: readonly ((data: Open<OfflineData>) => unknown)[] = [
    ({ groups }) => (groups[0]!.grants[0]!.user_id = crypto.randomUUID()),
    ({ groups }) => groups[1]!.entries.push(groups[0]!.entries[0]!),
    ({ groups }) => (groups[0]!.entries[0]!.passwords[0]!.entry_id = crypto.randomUUID()),
    ({ groups }) => (groups[0]!.materialized_path = 'x'),
    ({ trees }) => trees.pop(),
  ];
  const before = pieces();
  for (const forge of forgeries) {
    const answer = structuredClone(whole) as Open<OfflineAnswer>;
    if (answer.data === undefined) throw new Error('no copy');
    forge(answer.data);
    await expect(take(answer, null)).rejects.toMatchObject(refused);
  }
  expect(pieces()).toEqual(before);
});

test('the honest change is applied, also by a newly opened page', async () => {
  page.close();
  page = await openPage(await app.signIn(ada), device);
  page.engine.stop();
  await page.unlock();
  await page.real.keyring.call('checkCopy', { origin: ORIGIN });
  await expect(take(honest, since)).resolves.toMatchObject({ isWhole: false, goneFiles: [] });
  expect(await cursor()).toBe(honest.cursor);
  const { timestamp } = await page.real.keyring.call('openCopy', { origin: ORIGIN });
  expect(timestamp).toBe(honest.timestamp);
  const listed = await page.real.keyring.call('copiedFields', { groupId: path.entryGroupId, entryId: path.entryId });
  expect(listed?.map(({ field_id }) => field_id)).toEqual(
    expect.arrayContaining([path.field.field_id, second.field.field_id]),
  );
  expect(listed).toHaveLength(3);
});

test('an inconsistent change ends in download_required and a problem, and then the whole copy is downloaded again', async () => {
  page.close();
  page = await openPage(await app.signIn(ada), device);
  await page.unlock();
  await synchronized();
  page.real.forge = (url, answer) => {
    const { delta } = answer as Open<OfflineAnswer>;
    if (!url.includes('entryGroupsWithFields') || delta === undefined) return answer;
    delta.groups.forEach(misplace);
    return answer;
  };
  await addSecret(elsewhere, path, 'fourth value');
  await vi.waitFor(() => expect(page.states.some(({ problem }) => problem !== null)).toBe(true), 20_000);
  expect(page.states.some(({ parts }) => parts.database === 'download_required')).toBe(true);
  await synchronized();
  const asked = page.real.requests.filter((request) => request.includes('entryGroupsWithFields'));
  expect(asked.at(-1)).not.toContain('since');
  await page.engine.switchToOffline();
  expect(await page.engine.vault()?.read.fields(path)).toHaveLength(4);
});
