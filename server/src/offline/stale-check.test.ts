/** What it costs to ask whether a copy is stale: the same few statements, each of them looks into indexes alone, however large the vault. */
import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import * as offline from '@passwordbroker/core/contract/offline';
import { createSealedPlace, type SealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { findApplication } from './application-repository.ts';
import { isDatabaseStale, isKeyStale } from './applications.ts';
import { type Device, deviceOf } from './testing/device.ts';

const MANY = 2_000;

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let place: SealedPlace;
let hers: SealedPlace;
let device: Device;
beforeAll(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  hers = await createSealedPlace(ada, { name: 'Hers', entry: 'Hers' });
  place = await createSealedPlace(bob, { name: 'Operations', entry: 'Mail' });
  for (let at = 0; at < 8; at += 1) await createSealedPlace(bob, { name: `More ${at}`, entry: 'Another' });
  device = await deviceOf(bob);
});
afterAll(() => app.stop());

/** The answer of a check, and the statements that it took. */
async function watched(check: typeof isDatabaseStale | typeof isKeyStale) {
  const nodes: RootOperationNode[] = [];
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { db } = app.deps;
  const read = db.read.withPlugin(plugin);
  const row = await findApplication(db, device.applicationId);
  if (row === undefined) throw new Error('no application');
  const stale = await check({ ...app.deps, db: Object.create(db, { read: { value: read } }) as typeof db }, row);
  const executor = db.read.getExecutor();
  return { stale, statements: nodes.map((node) => executor.compileQuery(node, { queryId: 'watched' })) };
}
type Statement = Awaited<ReturnType<typeof watched>>['statements'][number];

/** Lines of the plan that walk a table. The few rows of the site's settings are read as they are. */
async function walks({ sql: text, parameters }: Statement): Promise<string[]> {
  const values = parameters.map((value) => sql.lit(typeof value === 'number' ? value : String(value)));
  const parts = text.split('?');
  const filled = parts.flatMap((part, at) => (at < values.length ? [sql.raw(part), values[at]] : [sql.raw(part)]));
  const { rows } = await sql<{ readonly detail: string }>`explain query plan ${sql.join(filled, sql``)}`.execute(
    app.deps.db.read,
  );
  return rows
    .map(({ detail }) => detail)
    .filter((line) => line.startsWith('SCAN') && !/site_settings|CONSTANT/.test(line));
}

const rename = (person: SignedIn, at: SealedPlace) =>
  person.call(entries.rename, { params: at, body: { title: v7() } });

/** Statements of a check when nothing has changed, when something of others has, when a tree of others has, when something of one's own has. */
async function costs(): Promise<readonly number[]> {
  const counts: number[] = [];
  const checks: readonly (readonly [() => Promise<unknown>, boolean])[] = [
    [async () => undefined, false],
    [() => rename(ada, hers), false],
    [() => ada.call(groups.rename, { params: { g: hers.g }, body: { name: v7() } }), false],
    [() => rename(bob, place), true],
  ];
  for (const [act, expected] of checks) {
    await device.fetch();
    await act();
    const { stale, statements } = await watched(isDatabaseStale);
    expect(stale).toBe(expected);
    if (app.deps.db.dialect === 'sqlite') for (const one of statements) expect(await walks(one), one.sql).toEqual([]);
    counts.push(statements.length);
  }
  return counts;
}

/** Entries as a group has them after an import. */
async function fill(): Promise<void> {
  await app.deps.db.transact(async (tx) => {
    const one = await tx.selectFrom('entries').selectAll().where('entry_id', '=', place.e).executeTakeFirstOrThrow();
    for (let at = 0; at < MANY; at += 100) {
      const rows = Array.from({ length: 100 }, () => ({ ...one, entry_id: v7() }));
      await tx.insertInto('entries').values(rows).execute();
    }
  });
}

test(`of the database: at most six statements, as many with ${MANY} entries more; on SQLite none walks a table`, async () => {
  const few = await costs();
  await fill();
  expect(await costs()).toEqual(few);
  // The copy and the newest marks; then own standing and groups; then names that trees show, and the way to own groups.
  expect(few).toEqual([2, 5, 6, 4]);
});

test('of the key: one statement', async () => {
  await bob.call(offline.privateRsa, { query: { user_application_id: device.applicationId } });
  const { stale, statements } = await watched(isKeyStale);
  expect([stale, statements.length]).toEqual([false, 1]);
  if (app.deps.db.dialect === 'sqlite') for (const one of statements) expect(await walks(one), one.sql).toEqual([]);
});
