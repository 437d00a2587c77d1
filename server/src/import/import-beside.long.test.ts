/** Other people can write during an import, and the write-ahead log stays small (T149). */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { create, rename } from '@passwordbroker/core/contract/groups/entry-groups';
import { DATABASE_FILE } from '../db/data-folder.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { batchForm, manyFields, sealedBatch } from './testing/sealed-batch.ts';

const FIELDS = 10_000;
const MIB = 1024 * 1024;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let group: string;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  const { entryGroup } = await ada.call(create, { body: { name: 'Own', master_password: ada.masterPassword } });
  group = entryGroup.entry_group_id;
});
afterAll(() => app.stop());

let count = 0;
const write = () => ada.call(rename, { params: { g: group }, body: { name: `Own ${(count += 1)}` } });

interface Imported {
  /** How long each transaction held the writer, in ms. */
  readonly turns: readonly number[];
  /** Number of writes of another person between the first and the last transaction. */
  readonly writes: number;
}

/** Imports through the server while another person writes without a pause. */
async function importMany(): Promise<Imported> {
  const { batch } = await sealedBatch(bob.keyring, app.clock.now());
  const multipart = batchForm({ batch: { ...batch, ...manyFields(batch, FIELDS) }, bodies: {} });
  const turns: number[] = [];
  const written: number[] = [];
  const { db } = app.deps;
  const lendWriter = db.lendWriter.bind(db);
  const lend = vi.spyOn(db, 'lendWriter').mockImplementation((work) =>
    lendWriter(async () => {
      const started = performance.now();
      return work().finally(() => turns.push(performance.now() - started));
    }),
  );
  let isOver = false;
  const sent = bob.request({ path: '/passwordBroker/api/import', multipart }).finally(() => (isOver = true));
  while (!isOver) {
    await write();
    written.push(turns.length);
    await wait(1);
  }
  const answer = await sent;
  expect(answer.status, answer.text).toBe(201);
  lend.mockRestore();
  return { turns, writes: written.filter((before) => before > 0 && before < turns.length).length };
}

const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

test.skipIf(isOnPostgres)(
  'T149: an import holds the writer many times for short, and others write in between',
  { timeout: 60_000 },
  async () => {
    const { turns, writes } = await importMany();
    expect(turns.length).toBeGreaterThan(10);
    expect(Math.max(...turns)).toBeLessThan(sum(turns) / 4);
    expect(writes).toBeGreaterThan(turns.length / 4);
  },
);

test.skipIf(isOnPostgres)(
  'T149: the write-ahead log is truncated to 16 MiB after an import',
  { timeout: 60_000 },
  async () => {
    const size = () => statSync(`${join(app.dataDir, DATABASE_FILE)}-wal`).size;
    await importMany();
    await importMany();
    for (let attempt = 0; attempt < 100 && size() > 17 * MIB; attempt += 1) {
      await write();
      await wait(100);
    }
    expect(size()).toBeLessThanOrEqual(17 * MIB);
  },
);
