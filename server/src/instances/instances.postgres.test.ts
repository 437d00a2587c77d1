/** Two instances on one PostgreSQL behave as one server (docs/spec/api.md §5, docs/spec/decisions.md R4, docs/spec/threats.md §5.3). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as session from '@passwordbroker/core/contract/account/session';
import * as users from '@passwordbroker/core/contract/users/users';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { startSealer } from '../audit/chain/sealer.ts';
import { startAudit } from '../audit/start-audit.ts';
import { batchForm, sealedBatch } from '../import/testing/sealed-batch.ts';
import { openHolder } from '../testing/holder.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { createSealedPlace, sealedField, sealedFileField } from '../testing/sealed-place.ts';
import { startSecond } from '../testing/second-instance.ts';
import type { SecondInstance } from '../testing/second-instance.ts';
import { signUpBody, startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestClient } from '../testing/test-client.ts';
import { testPerson } from '../testing/test-person.ts';

let one: TestApp;
let two: SecondInstance;
let ada: SignedIn;

beforeAll(async () => {
  one = await startTestApp();
  two = await startSecond(one);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const atTwo = (client?: TestClient) => two.at(client);
const times = <T>(count: number, act: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => act(at)));
const inOrder = (statuses: readonly number[]) => statuses.toSorted((a, b) => a - b);

test('of five concurrent first sign-ups one creates the site admin, and the others fail', async () => {
  const all = await times(5, (at) => testPerson(`first-${at}`));
  const answers = await times(5, (at) => {
    const client = at % 2 === 0 ? one.guest() : atTwo();
    return client.request({ path: users.register.path, json: { user: signUpBody(all[at]!) } });
  });
  expect(inOrder(answers.map(({ status }) => status))).toEqual([201, ...Array.from({ length: 4 }, () => 401)]);
  const stored = await one.deps.db.read.selectFrom('users').select(['is_admin', 'user_id']).execute();
  expect(stored).toHaveLength(1);
  expect(stored[0]?.is_admin).toBe(1);
  const winner = all.find(({ userId }) => userId === stored[0]?.user_id);
  ada = await one.signIn(winner!);
});

test('of ten concurrent accounts with one e-mail one is created', async () => {
  const person = await testPerson('bob');
  const answers = await times(10, (at) => {
    const client = at % 2 === 0 ? ada.copy() : atTwo(ada);
    const user = { ...signUpBody(person), user_id: person.userId };
    return client.request({ path: users.register.path, json: { user } });
  });
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  expect(answers.every(({ status }) => [201, 409, 422].includes(status))).toBe(true);
  expect(await one.deps.db.read.selectFrom('users').select('email').execute()).toHaveLength(2);
});

test('if two site admins demote each other at once, one stays', async () => {
  const bob = await one.signIn(await testPerson('bob'));
  const demote = (who: { userId: string }, client: TestClient, is_admin = false) =>
    client.request({ method: 'PUT', path: `/identity/api/user/${who.userId}/admin`, json: { is_admin } });
  expect((await demote(bob, ada, true)).status).toBe(200);
  const answers = await Promise.all([demote(bob, ada.copy()), demote(ada, atTwo(bob))]);
  expect(inOrder(answers.map(({ status }) => status))).toEqual([200, 403]);
  const left = await one.deps.db.read.selectFrom('users').select('user_id').where('is_admin', '=', 1).execute();
  expect(left).toHaveLength(1);
  if (left[0]?.user_id !== ada.userId) expect((await demote(ada, bob, true)).status).toBe(200);
});

test('of fifty concurrent updates of a field one succeeds, and the others get a conflict (R29)', async () => {
  const place = await createSealedPlace(ada);
  const { field_id: fieldId } = await ada.call(fields.create, { params: place, body: await sealedField(place) });
  const written = await times(50, (n) =>
    nextRevision(
      place,
      { fieldId, baseRev: 1 },
      { type: 'password', title: 'Title', login: 'ada', value: utf8(`value ${n}`) },
    ),
  );
  const path = `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields/${fieldId}`;
  const answers = await times(50, (n) =>
    (n % 2 === 0 ? ada.copy() : atTwo(ada)).request({ method: 'PUT', path, json: written[n] }),
  );
  expect(inOrder(answers.map(({ status }) => status))).toEqual([200, ...Array.from({ length: 49 }, () => 409)]);
  const revisions = one.deps.db.read.selectFrom('field_revisions').select('rev').where('field_id', '=', fieldId);
  expect((await revisions.orderBy('rev').execute()).map(({ rev }) => rev)).toEqual([1, 2]);
});

test('a create request that is sent five times at once creates one entry', async () => {
  const { g } = await createSealedPlace(ada);
  const body = { entry_id: crypto.randomUUID(), title: 'Once' };
  const path = `/passwordBroker/api/entryGroups/${g}/entries`;
  const answers = await times(5, (n) => (n % 2 === 0 ? ada.copy() : atTwo(ada)).request({ path, json: body }));
  expect(inOrder(answers.map(({ status }) => status))).toEqual([200, 200, 200, 200, 201]);
  const rows = await ada.call(entries.listAll, { params: { g } });
  expect(rows.filter(({ entry_id }) => entry_id === body.entry_id)).toHaveLength(1);
});

test('an import that is sent to both instances at once is stored once and answered twice', async () => {
  const batch = await sealedBatch(ada.keyring, one.clock.now());
  const { client, waiting } = await openHolder(one);
  await client.query('begin');
  // One holds the lock and is delayed; the other waits for it.
  await client.query('lock table entry_groups in share mode');
  const path = '/passwordBroker/api/import';
  const both = [ada.copy(), atTwo(ada)].map((who) => who.request({ path, multipart: batchForm(batch) }));
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
  await client.query('commit');
  await client.end();
  const answers = await Promise.all(both);
  expect(inOrder(answers.map(({ status }) => status))).toEqual([200, 201]);
  expect(answers[0]?.json()['entry_group_id']).toBe(answers[1]?.json()['entry_group_id']);
});

test('two groups that are moved under each other at once form no cycle (R32)', async () => {
  const [a, b] = [(await createSealedPlace(ada)).g, (await createSealedPlace(ada)).g];
  await Promise.all([
    ada.copy().call(groups.move, { params: { g: a }, body: { entryGroupTarget: b } }),
    atTwo(ada).call(groups.move, { params: { g: b }, body: { entryGroupTarget: a } }),
  ]);
  const rows = await one.deps.db.read
    .selectFrom('entry_groups')
    .select(['entry_group_id', 'parent_entry_group_id', 'materialized_path'])
    .where('entry_group_id', 'in', [a, b])
    .execute();
  const roots = rows.filter((row) => row.parent_entry_group_id === null);
  expect(roots).toHaveLength(1);
  for (const row of rows) {
    const above = row.parent_entry_group_id === null ? '' : `${row.parent_entry_group_id}.`;
    expect(row.materialized_path).toBe(`${above}${row.entry_group_id}`);
  }
});

describe('state shared by both instances', () => {
  test('sessions and sign-outs', async () => {
    const client = await one.signIn(await testPerson('bob'));
    expect((await atTwo(client).call(session.me)).message).toBe('loggedIn');
    const there = atTwo(client);
    await client.call(session.logout);
    expect((await there.call(session.me)).message).not.toBe('loggedIn');
  });

  test('counters of failed sign-ins', async () => {
    const body = { email: 'bob@example.org', password: 'wrong' };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const client = n % 2 === 0 ? one.guest() : atTwo();
      statuses.push((await client.request({ path: session.login.path, json: body })).status);
    }
    expect(statuses.slice(0, 10)).not.toContain(429);
    expect(statuses.slice(10)).toEqual([429, 429]);
    one.clock.advance(16 * 60_000);
    ada = await one.signIn(ada);
  });

  test('files', async () => {
    const place = await createSealedPlace(ada);
    const { members, body } = await sealedFileField(place);
    const multipart = new FormData();
    for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
    multipart.append('file', new Blob([body]), 'sealed');
    const { field_id: f } = await ada.call(fields.create, { params: place, multipart });
    const path = `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields/${f}/file`;
    const stored = await atTwo(ada).request({ path });
    expect([stored.status, stored.bytes.equals(Buffer.from(body))]).toEqual([200, true]);
  });
});

test('two instances count refusals together: one row at once, no refusal lost or counted twice (T150)', async () => {
  const person = await testPerson('refused');
  await ada.call(users.register, { body: { user: signUpBody(person) } });
  const bob = await one.signIn(person);
  const list = async () => {
    const { data } = await ada.call(audit.list, { query: { event_type: 'access_refused', user_id: bob.userId } });
    return data.map(({ details }) => details?.['count'] ?? 1).toReversed();
  };
  const refused = (at: number) => (at % 2 === 0 ? bob.copy() : atTwo(bob)).request({ path: audit.list.path });
  await times(200, refused);
  expect(await list()).toEqual([1]);
  // Both instances write the row of the minute during further refusals.
  const jobs = [startAudit(one.deps), startAudit(two.deps)];
  await times(100, refused);
  await Promise.all(jobs.map((job) => job.stop()));
  await startAudit(one.deps).stop();
  const counts = await list();
  expect(counts.reduce<number>((sum, count) => sum + Number(count), 0)).toBe(300);
  expect(counts.length).toBeLessThan(6);
});

test('two audit sealers create one chain', async () => {
  const sealers = [startSealer(one.deps), startSealer(two.deps)];
  await times(20, (n) => (n % 2 === 0 ? ada.copy() : atTwo(ada)).request({ path: users.keyBundle.path }));
  await Promise.all(sealers.map((sealer) => sealer.stop()));
  const last = startSealer(two.deps);
  await last.stop();
  expect(await ada.call(audit.verify)).toMatchObject({ ok: true, unsealed: 0 });
});
