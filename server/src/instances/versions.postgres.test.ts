/**
 * Two versions of the server on one database (docs/spec/threats.md §5.2.7, R45): the newer one migrates the
 * schema while the older one runs.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { MIGRATIONS } from '../db/schema/migrations/index.ts';
import type { Migration } from '../db/schema/migrate.ts';
import { createSealedPlace, sealedField } from '../testing/sealed-place.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import { startSecond } from '../testing/second-instance.ts';
import type { SecondInstance } from '../testing/second-instance.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import type { TestAnswer, TestClient } from '../testing/test-client.ts';

/** The threat model requires ten minutes, which `npm run test:long` runs. */
const SECONDS = process.env['TEST_LONG'] === undefined ? 4 : 600;
/** The changes of a compatible migration: nullable columns or defaults, a new table, a new index. */
const WIDER: Migration = {
  name: '9999-wider',
  both: [
    'alter table entries add column colour varchar(20)',
    "alter table fields add column colour varchar(20) not null default 'none'",
    'alter table field_revisions add column colour varchar(20)',
    'alter table sessions add column colour varchar(20)',
    'alter table users add column colour varchar(20)',
    'create table colours (name varchar(20) primary key, entry_id varchar(36))',
    'create index entries_of_colour on entries (colour)',
  ],
};

let one: TestApp;
let next: SecondInstance | null = null;
let ada: SignedIn;
let place: SealedPlace;

beforeAll(async () => {
  one = await startTestApp();
  ada = await one.signUp('ada');
  place = await createSealedPlace(ada);
});
afterAll(async () => {
  await next?.stop();
  await one.stop();
});

test(`requests to the older version succeed during the newer one's migration, and to both for ${SECONDS} s after (R45)`, async () => {
  const surprises: string[] = [];
  const count = { older: 0, newer: 0 };
  const stop = new AbortController();
  const told = (who: keyof typeof count, what: string, { status, text }: TestAnswer) => {
    count[who] += 1;
    if (status >= 300) surprises.push(`${who}, ${what}: ${status} ${text.slice(0, 200)}`);
  };
  const work = async (who: keyof typeof count, client: TestClient) => {
    for (let round = 0; !stop.signal.aborted; round += 1) {
      const group = `/passwordBroker/api/entryGroups/${place.g}/entries`;
      const made = await client.request({ path: group, json: { title: `${who} ${round}` } });
      told(who, 'create', made);
      const { entry_id: e } = made.json<{ entry_id: string }>();
      told(who, 'rename', await client.request({ method: 'PUT', path: `${group}/${e}`, json: { title: 'Renamed' } }));
      const json = await sealedField({ ...place, e });
      told(who, 'field', await client.request({ path: `${group}/${e}/fields`, json }));
      told(who, 'list', await client.request({ path: `${group}/${e}/fields` }));
      told(who, 'list', await client.request({ path: group }));
      told(who, 'me', await client.request({ path: '/identity/api/me' }));
      told(who, 'trash', await client.request({ method: 'DELETE', path: `${group}/${e}` }));
    }
  };
  const older = [work('older', ada.copy()), work('older', ada.copy())];
  while (count.older < 20) await new Promise((resolve) => setTimeout(resolve, 20));
  next = await startSecond(one, { migrations: [...MIGRATIONS, WIDER] });
  const newer = [work('newer', next.at(ada)), work('newer', next.at(ada))];
  await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  // A busy machine needs longer for as many.
  await expect.poll(() => Math.min(count.older, count.newer), { timeout: 60_000 }).toBeGreaterThan(20);
  stop.abort();
  await Promise.all([...older, ...newer]);
  expect(surprises).toEqual([]);
  // Each version reads what the other one wrote.
  const { entry_id: e } = await next.at(ada).call(entries.create, { params: place, body: { title: 'By the newer' } });
  const { field_id: f } = await ada.call(fields.create, {
    params: { ...place, e },
    body: await sealedField({ ...place, e }),
  });
  const listed = await next.at(ada).call(fields.listAll, { params: { g: place.g, e } });
  expect(listed.map(({ field_id }) => field_id)).toEqual([f]);
}, 700_000);

test('a migration that would deadlock with a transaction of the older version gives way (R45)', async () => {
  const behind: Migration = {
    ...WIDER,
    name: '99991-wider',
    both: WIDER.both.map((text) => text.replaceAll('colour', 'shade')),
  };
  const started = { migration: null as Promise<SecondInstance> | null };
  const held = one.deps.db.read.transaction().execute(async (tx) => {
    await tx.selectFrom('users').select('user_id').execute();
    started.migration = startSecond(one, { migrations: [...MIGRATIONS, WIDER, behind] });
    // The migration has locked the table of entries and waits for users longer than the deadlock timeout.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return tx.selectFrom('entries').select('entry_id').execute();
  });
  await expect(held).resolves.not.toEqual([]);
  await next?.stop();
  next = (await started.migration) ?? null;
  expect((await next?.at(ada).request({ path: '/identity/api/me' }))?.status).toBe(200);
}, 60_000);
