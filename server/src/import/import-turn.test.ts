/** When an import holds the writer: never during its checks, so other writes do not wait for them. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { v7 } from 'uuid';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { openBulkWriter } from '../db/bulk/writer.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { listCertificates } from '../users/keys/key-repository.ts';
import { checkedRows } from './checked-rows.ts';
import type { BatchRows } from './checked-rows.ts';
import type { JobParts } from './import-job.ts';
import { sealedSource } from './sealed-source.ts';
import { storeBatch } from './store-batch.ts';
import { batchForm, manyFields, sealedBatch } from './testing/sealed-batch.ts';
import type { TestBatch } from './testing/sealed-batch.ts';
import { waitingInMemory } from './portion-bytes.ts';

let app: TestApp;
let ada: SignedIn;
/** The field that is revealed during the import. */
let place: { readonly g: string; readonly e: string; readonly f: string };

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  const { batch, bodies } = await sealedBatch(ada.keyring, app.clock.now());
  const [group, entry, field] = [batch.groups[0]!, batch.entries[0]!, batch.fields[0]!];
  await ada.request({ path: '/import', multipart: batchForm({ batch, bodies }) });
  place = { g: group.entry_group_id, e: entry.entry_id, f: field.field_id };
});
afterAll(() => app.stop());

const reveal = () => ada.call(fields.envelope, { params: place });

/** Several portions of text fields, with the file last. */
async function batchOfPortions(last: 'valid' | 'invalid'): Promise<TestBatch> {
  const { batch, bodies } = await sealedBatch(ada.keyring, app.clock.now());
  const [text, file] = [batch.fields[0]!, batch.fields[1]!];
  const { entries, fields: texts } = manyFields(batch, 999);
  const end = last === 'valid' ? file : { ...text, field_id: v7(), entry_id: v7() };
  return {
    batch: { ...batch, entries: [...batch.entries, ...entries], fields: [...texts, end] },
    bodies: last === 'valid' ? bodies : {},
  };
}

/** Stores like the server's threads. Returns the events in order. */
async function eventsOf({ batch, bodies }: TestBatch): Promise<string[]> {
  const events: string[] = [];
  const [certificate] = await listCertificates(app.deps.db, ada.userId);
  const job: JobParts = {
    databasePath: app.deps.db.path,
    dataDir: app.dataDir,
    operationId: app.deps.newId(),
    user: ada,
    certificate: certificate!,
    origin: { address: '127.0.0.1', agentHash: null, userAgent: '', client: null },
    noticesFrom: null,
    fileLimit: 25 * 1024 * 1024,
    now: app.clock.now(),
  };
  const parts = Object.entries(bodies).map(([part, bytes]) => ({ part, bytes }));
  const source = sealedSource({ json: utf8(JSON.stringify(batch)), isWholeBody: false, bodies: parts });
  const checked = checkedRows(job, source, async (bytes) => {
    const kept = await app.deps.bodies.put(bytes);
    events.push('body stored');
    return kept;
  });
  const rows: BatchRows = {
    head: (see) => checked.head(see),
    async *portions() {
      for await (const portion of checked.portions()) {
        events.push('checked');
        // Another request: if the import held the writer, both would wait for each other.
        await reveal();
        events.push('revealed');
        yield portion;
      }
    },
  };
  const writer = await openBulkWriter(app.deps.db.path);
  const withWriter = <T>(work: () => Promise<T>) => {
    events.push('turn');
    return app.deps.db.lendWriter(work);
  };
  const signal = new AbortController().signal;
  await storeBatch(job, rows, { writer, withWriter, signal, bodies: app.deps.bodies, waiting: waitingInMemory() }).then(
    () => events.push('stored'),
    () => events.push('refused'),
  );
  await writer.close();
  return events;
}

const portions = (count: number) => Array.from({ length: count }, () => ['checked', 'revealed']).flat();

test('an import takes the writer only after all checks and file bodies; reveals are answered until then', async () => {
  const events = await eventsOf(await batchOfPortions('valid'));
  // The last portion holds the search texts that are still missing.
  const before = [...portions(3), 'body stored', ...portions(2)];
  expect(events.slice(0, before.length)).toEqual(before);
  const turns = events.slice(before.length);
  expect(turns.length).toBeGreaterThan(3);
  expect([new Set(turns.slice(0, -1)), turns.at(-1)]).toEqual([new Set(['turn']), 'stored']);
});

test('a batch whose last field is invalid never takes the writer', async () => {
  expect(await eventsOf(await batchOfPortions('invalid'))).toEqual([...portions(3), 'refused']);
});

test('the server’s threads behave the same', async () => {
  const lent = vi.spyOn(app.deps.db, 'lendWriter');
  const send = async (batch: TestBatch) => (await ada.request({ path: '/import', multipart: batchForm(batch) })).status;
  expect(await send(await batchOfPortions('invalid'))).toBe(422);
  expect(lent).not.toHaveBeenCalled();
  expect(await send(await batchOfPortions('valid'))).toBe(201);
  expect(lent.mock.calls.length).toBeGreaterThan(2);
  lent.mockRestore();
});
