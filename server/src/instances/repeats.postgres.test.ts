/**
 * A create request that is repeated while the first one is being stored, perhaps by another instance, is
 * answered as a repeat (docs/spec/api.md §1.1, docs/spec/threats.md §5.2.1).
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openHolder } from '../testing/holder.ts';
import type { Holder } from '../testing/holder.ts';
import { createSealedPlace, sealedFileField } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestRequest } from '../testing/test-client.ts';

let app: TestApp;
let ada: SignedIn;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
});
afterAll(() => app.stop());

let holder: Holder;
beforeEach(async () => {
  holder = await openHolder(app);
});
afterEach(() => holder.client.end());

/**
 * Sends the request once, deletes its rows, and restores them while the repeated request waits for the table.
 */
async function committedWhileRepeated(request: () => TestRequest, at: string, tables: readonly string[], id: string) {
  const { client, waiting } = holder;
  expect((await ada.request(request())).status).toBe(201);
  const column = (table: string) => ({ entries: 'entry_id', created_requests: 'id' })[table] ?? 'field_id';
  for (const table of tables) {
    await client.query(`create temp table kept_${table} as select * from ${table} where ${column(table)} = '${id}'`);
  }
  for (const table of tables.toReversed()) await client.query(`delete from ${table} where ${column(table)} = '${id}'`);
  await client.query('begin');
  await client.query(`lock table ${at} in access exclusive mode`);
  const repeat = ada.copy().request(request());
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
  for (const table of tables) await client.query(`insert into ${table} select * from kept_${table}`);
  await client.query('commit');
  for (const table of tables) await client.query(`drop table kept_${table}`);
  return repeat;
}

test('a repeated entry creation gets the stored entry', async () => {
  const { g } = await createSealedPlace(ada);
  const json = { entry_id: crypto.randomUUID(), title: 'Once' };
  const path = `/passwordBroker/api/entryGroups/${g}/entries`;
  const tables = ['entries', 'created_requests'];
  const answer = await committedWhileRepeated(() => ({ path, json }), 'created_requests', tables, json.entry_id);
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"Once"')]);
});

test('a repeated field creation with a file gets the stored field', async () => {
  const place = await createSealedPlace(ada);
  const { members, body } = await sealedFileField(place);
  const request = () => {
    const multipart = new FormData();
    for (const [name, value] of Object.entries(members)) multipart.append(name, String(value));
    multipart.append('file', new Blob([body]), 'sealed');
    return { path: `/passwordBroker/api/entryGroups/${place.g}/entries/${place.e}/fields`, multipart };
  };
  const tables = ['fields', 'field_revisions', 'field_history', 'created_requests'];
  const answer = await committedWhileRepeated(request, 'fields', tables, String(members['field_id']));
  expect(answer.status, answer.text).toBe(200);
});
