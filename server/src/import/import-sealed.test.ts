import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { undo } from '@passwordbroker/core/contract/entries/operations';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { openBulkWriter } from '../db/bulk/writer.ts';
import { listCertificates } from '../users/keys/key-repository.ts';
import { checkedRows } from './checked-rows.ts';
import type { JobParts, SealedSource } from './import-job.ts';
import { asRefusal, fromRefusal } from './import-job.ts';
import { sealedSource } from './sealed-source.ts';
import { collectStaged } from './staging.ts';
import { storeBatch } from './store-batch.ts';
import { batchForm, sealedBatch } from './testing/sealed-batch.ts';
import type { TestBatch } from './testing/sealed-batch.ts';
import { waitingInMemory } from './portion-bytes.ts';

const PATH = '/passwordBroker/api/import';
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
});
afterAll(() => app.stop());

const make = (name?: string) => sealedBatch(ada.keyring, app.clock.now(), name);
const send = (batch: TestBatch, path = PATH) => ada.request({ path, multipart: batchForm(batch) });

const TABLES = [
  'entry_groups',
  'group_members',
  'group_keys',
  'group_grants',
  'group_rosters',
  'entries',
  'fields',
  'field_revisions',
  'field_history',
  'operations',
] as const;
async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const table of TABLES) {
    const row = await app.deps.db.read
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    found[table] = row.n;
  }
  return found;
}

describe('a batch sealed by a client', () => {
  test('is stored completely, and the response contains what was stored', async () => {
    const before = await counts();
    const made = await make();
    const answer = await send(made);
    expect(answer.status, answer.text).toBe(201);
    const [root] = made.batch.groups;
    expect(answer.json()).toEqual({
      operation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'import',
      counts: { entry_groups: 2, entries: 2, fields: 2, revisions: 3 },
      undo_until: '2026-03-02T09:30:00.000Z',
      entry_group_id: root?.entry_group_id,
      name: 'Imported',
      skipped: [],
    });
    const after = await counts();
    const grown = Object.fromEntries(TABLES.map((table) => [table, (after[table] ?? 0) - (before[table] ?? 0)]));
    expect(grown).toEqual({
      entry_groups: 2,
      group_members: 2,
      group_keys: 2,
      group_grants: 2,
      group_rosters: 2,
      entries: 2,
      fields: 2,
      field_revisions: 3,
      field_history: 3,
      operations: 1,
    });
  });

  test('is accepted as JSON and under the path without the base', async () => {
    const { batch } = await make();
    const withoutFile = { ...batch, fields: batch.fields.filter((field) => field.type !== 'file') };
    expect((await ada.request({ path: '/import', json: { batch: withoutFile } })).status).toBe(201);
  });

  test('sent again gets the same response and is stored once; with other content its ids are taken', async () => {
    const made = await make();
    const first = await send(made);
    const stored = await counts();
    const again = await send(made);
    expect(again.status).toBe(200);
    expect(again.json()).toEqual(first.json());
    const other = {
      ...made,
      batch: { ...made.batch, entries: made.batch.entries.map((entry) => ({ ...entry, title: 'x' })) },
    };
    expect((await send(other)).json()).toMatchObject({ code: 'id_taken' });
    expect(await counts()).toEqual(stored);
  });

  test('stores the times of its revisions in the history', async () => {
    const made = await make();
    await send(made);
    const rows = await app.deps.db.read
      .selectFrom('field_history')
      .select(['event_type', 'rev', 'created_at'])
      .where('field_id', '=', made.batch.fields[0]?.field_id ?? '')
      .orderBy('field_edit_log_id')
      .execute();
    expect(rows).toEqual([
      { event_type: 'created', rev: 1, created_at: Date.UTC(2024, 1, 1, 8) },
      { event_type: 'updated', rev: 2, created_at: Date.UTC(2024, 2, 1, 8) },
    ]);
  });
});

/** Runs the work of the import thread in this thread; one thread for each case would be slow. */
async function storeHere({ batch, bodies }: TestBatch): Promise<void> {
  const [certificate] = await listCertificates(app.deps.db, ada.userId);
  const origin = { address: '127.0.0.1', agentHash: null, userAgent: '', client: null };
  const parts = Object.entries(bodies).map(([part, bytes]) => ({ part, bytes }));
  const source: SealedSource = { json: utf8(JSON.stringify(batch)), isWholeBody: false, bodies: parts };
  const job: JobParts = {
    databasePath: app.deps.db.path,
    dataDir: app.dataDir,
    operationId: app.deps.newId(),
    user: ada,
    certificate: certificate!,
    origin,
    noticesFrom: null,
    fileLimit: 25 * 1024 * 1024,
    now: app.clock.now(),
  };
  const writer = await openBulkWriter(app.deps.db.path);
  const keepBody = (bytes: Uint8Array) => app.deps.bodies.put(bytes);
  const signal = new AbortController().signal;
  await app.deps.db
    .lendWriter(async () => {
      const rows = checkedRows(job, sealedSource(source), keepBody);
      return storeBatch(job, rows, {
        writer,
        withWriter: (work) => work(),
        signal,
        bodies: app.deps.bodies,
        waiting: waitingInMemory(),
      });
    })
    .catch(async (error: unknown) => {
      await collectStaged(app.deps);
      throw fromRefusal(asRefusal(error));
    })
    .finally(() => writer.close());
}

type Change = (batch: TestBatch) => unknown;
const field = (batch: TestBatch, at = 0) => batch.batch.fields[at]!;
const group = (batch: TestBatch, at = 0) => batch.batch.groups[at]!;

describe('an invalid batch changes nothing', () => {
  test.each<[string, string, Change]>([
    ['no root', 'validation', (b) => (group(b).parent_entry_group_id = group(b, 1).entry_group_id)],
    [
      'two roots',
      'validation',
      (b) => delete (group(b, 1) as { parent_entry_group_id?: string }).parent_entry_group_id,
    ],
    ['a parent after its child', 'validation', (b) => b.batch.groups.reverse()],
    [
      'a parent that is not in the batch',
      'validation',
      (b) => (group(b, 1).parent_entry_group_id = crypto.randomUUID()),
    ],
    [
      'an entry of a group that is not in the batch',
      'validation',
      (b) => (b.batch.entries[1]!.entry_group_id = crypto.randomUUID()),
    ],
    ['a field of an entry that is not in the batch', 'validation', (b) => (field(b).entry_id = crypto.randomUUID())],
    ['a duplicate group', 'id_taken', (b) => b.batch.groups.push({ ...group(b, 1) })],
    ['a duplicate field', 'id_taken', (b) => b.batch.fields.push(field(b))],
    ['no groups', 'validation', (b) => b.batch.groups.splice(0)],
    ['revisions out of order', 'validation', (b) => field(b).revisions.reverse()],
    ['a revision with a wrong number', 'validation', (b) => (field(b).revisions[0]!.rev = 7)],
    ['a wrong key version', 'validation', (b) => (field(b).revisions[0]!.gk_version = 2)],
    ['a malformed wrap', 'bad_sealed_value', (b) => (field(b).revisions[1]!.cek_wrapped = 'AAAA')],
    [
      'a value instead of a wrap',
      'bad_sealed_value',
      (b) => (field(b).revisions[1]!.cek_wrapped = field(b).revisions[1]!.value_encrypted),
    ],
    [
      'a truncated value',
      'bad_sealed_value',
      (b) => (field(b).revisions[1]!.value_encrypted = field(b).revisions[1]!.value_encrypted.slice(0, -4)),
    ],
    ['no base64', 'bad_sealed_value', (b) => (field(b).revisions[1]!.value_encrypted = '!')],
    ['loose base64', 'bad_sealed_value', (b) => (field(b).revisions[1]!.cek_wrapped += '\n')],
    [
      'the vector of another value',
      'bad_sealed_value',
      (b) => (field(b).revisions[1]!.initialization_vector = field(b).revisions[0]!.initialization_vector),
    ],
    [
      'a file without its body',
      'validation',
      (b) => delete (b.bodies as Record<string, unknown>)[Object.keys(b.bodies)[0]!],
    ],
    ['a file with a wrong size', 'bad_sealed_value', (b) => (field(b, 1).file_size = 9999)],
    ['a file without a size', 'validation', (b) => delete (field(b, 1) as { file_size?: number }).file_size],
    ['no grant', 'validation', (b) => group(b).grants.splice(0)],
    ['a grant for another user', 'rewrap_set_mismatch', (b) => (group(b).grants[0]!.user_id = crypto.randomUUID())],
    ['a grant for another key', 'rewrap_set_mismatch', (b) => (group(b).grants[0]!.recipient_fpr = '0'.repeat(64))],
    ['a grant that is too short', 'bad_sealed_value', (b) => (group(b).grants[0]!.encrypted_aes_password = 'AAAA')],
    [
      'the roster of another group',
      'bad_sealed_value',
      (b) =>
        Object.assign(group(b), {
          roster_base64: group(b, 1).roster_base64,
          roster_sig_base64: group(b, 1).roster_sig_base64,
        }),
    ],
    [
      'a roster without its own signature',
      'bad_sealed_value',
      (b) => (group(b).roster_sig_base64 = group(b, 1).roster_sig_base64),
    ],
    [
      'a commitment that differs from the roster',
      'roster_conflict',
      (b) => (group(b).gk_commit_base64 = group(b, 1).gk_commit_base64),
    ],
    ['an unknown type', 'validation', (b) => ((field(b) as { type: string }).type = 'card')],
    ['a title that is too long', 'validation', (b) => (b.batch.entries[1]!.title = 'x'.repeat(256))],
    ['a blank name', 'validation', (b) => (group(b, 1).name = ' ')],
  ])('%s: %s', async (_, code, change) => {
    const made = structuredClone(await make());
    change(made);
    const before = await counts();
    await expect(storeHere(made)).rejects.toMatchObject({ code });
    expect(await counts()).toEqual(before);
  });

  test('the error names the path of the invalid value', async () => {
    const made = structuredClone(await make());
    field(made).revisions[1]!.cek_wrapped = 'AAAA';
    expect((await send(made)).json()).toMatchObject({
      errors: { 'batch.fields.0.revisions.1.cek_wrapped': ['The cek wrapped is malformed.'] },
    });
  });

  test.each([
    ['text that is not JSON', '{"batch":', 400],
    ['no object', '[]', 400],
    ['a forbidden name', '{"batch":{"__proto__":{}}}', 400],
    ['a batch that is not an object', '{"batch":7}', 422],
    ['an empty batch', '{"batch":{}}', 422],
    ['a master password beside the batch', '{"batch":{},"master_password":"x"}', 422],
  ])('%s', async (_, raw, status) => {
    const before = await counts();
    const answer = await ada.request({ path: PATH, raw, headers: { 'content-type': 'application/json' } });
    expect(answer.status, answer.text).toBe(status);
    expect(await counts()).toEqual(before);
  });

  test('a tree that is too deep', async () => {
    const made = await make();
    const [root] = made.batch.groups;
    const before = await counts();
    const chain = Array.from({ length: 40 }, () => crypto.randomUUID());
    const groups = await Promise.all(
      chain.map(async (entry_group_id, at) => ({
        ...(await sealedBatch(ada.keyring, 0)).batch.groups[0]!,
        entry_group_id,
        ...(at === 0 ? { parent_entry_group_id: root!.entry_group_id } : { parent_entry_group_id: chain[at - 1]! }),
      })),
    );
    const answer = await send({ ...made, batch: { ...made.batch, groups: [root!, ...groups] } });
    expect(answer.status).toBe(422);
    expect(await counts()).toEqual(before);
  });

  test('without a session, without CSRF token', async () => {
    const made = await make();
    expect((await app.guest().request({ path: PATH, multipart: batchForm(made) })).status).toBe(401);
    expect((await ada.request({ path: PATH, multipart: batchForm(made), withoutCsrf: true })).status).toBe(419);
  });
});

describe('undo of an import', () => {
  const import_ = async () => (await send(await make())).json<{ operation_id: string; entry_group_id: string }>();

  test('moves the tree to the trash, once', async () => {
    const done = await import_();
    const undone = await ada.call(undo, { params: { operationId: done.operation_id } });
    expect(undone).toMatchObject({ kind: 'delete', counts: { entry_groups: 2, entries: 2, fields: 2 } });
    const living = await app.deps.db.read
      .selectFrom('entry_groups')
      .select('entry_group_id')
      .where('entry_group_id', '=', done.entry_group_id)
      .where('trashed_by', 'is', null)
      .execute();
    expect(living).toEqual([]);
    await expect(ada.call(undo, { params: { operationId: done.operation_id } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('is only for the importer', async () => {
    const done = await import_();
    await expect(bob.call(undo, { params: { operationId: done.operation_id } })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(bob.call(undo, { params: { operationId: crypto.randomUUID() } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('is refused after another person has written into the tree, and removes nothing (T111)', async () => {
    const done = await import_();
    const { entry_group_id } = done;
    await app.deps.db.transact((tx) =>
      tx
        .insertInto('entries')
        .values({
          entry_id: crypto.randomUUID(),
          entry_group_id,
          title: 'Bob was here',
          created_by: bob.userId,
          created_at: 1,
          updated_at: 1,
          trashed_by: null,
        })
        .execute(),
    );
    const before = await counts();
    await expect(ada.call(undo, { params: { operationId: done.operation_id } })).rejects.toMatchObject({
      code: 'conflict',
      message: 'Someone else has changed what was imported. Delete the imported tree if you do not need it.',
    });
    expect(await counts()).toEqual(before);
  });
});
