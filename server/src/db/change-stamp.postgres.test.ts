/** A dump restored on another server, whose transaction ids are lower. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import { deviceOf } from '../offline/testing/device.ts';
import { type Cluster, postgresPrograms, startCluster } from '../testing/postgres-cluster.ts';
import { createSealedPlace } from '../testing/sealed-place.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';

const environment: Record<string, string> = {};
let app: TestApp;
let elsewhere: Cluster;
beforeAll(async () => {
  [app, elsewhere] = [await startTestApp({ environment }), await startCluster()];
});
afterAll(async () => {
  await app.stop();
  await elsewhere.stop();
});

async function query(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The URL without the parameter that only our server reads. */
const plain = (url: string) => url.replace(/connections=\d+&?/, '');

function restore(from: string, to: string) {
  const program = (name: string) => join(postgresPrograms() ?? '', name);
  const dump = spawnSync(program('pg_dump'), ['-d', from, '--no-owner'], { maxBuffer: 1e9 });
  if (dump.status !== 0) throw new Error(dump.stderr.toString());
  const put = spawnSync(program('psql'), ['-q', '-v', 'ON_ERROR_STOP=1', '-d', to], { input: dump.stdout });
  if (put.status !== 0) throw new Error(put.stderr.toString());
}

test('after a restore on another server every copy is downloaded again, and later changes are delivered', async () => {
  const source = plain(app.environment['DATABASE_URL'] ?? '');
  const spend = 'do $$ begin for i in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$';
  await query(source, spend);
  const ada = await app.signUp('ada');
  const place = await createSealedPlace(ada, { name: 'Operations', entry: 'Mail' });
  const device = await deviceOf(ada);
  await device.fetch();
  await ada.call(entries.rename, { params: place, body: { title: 'Post' } });
  await device.follow();
  const rename = (title: string) => ada.call(entries.rename, { params: place, body: { title } });

  // A restart on the same cluster keeps all copies.
  await app.restart();
  await rename('Before');
  expect((await device.follow()).groups).toHaveLength(1);

  await query(elsewhere.url('postgres'), 'create database vault');
  restore(source, elsewhere.url('vault'));
  const [numbers] = await query(
    elsewhere.url('vault'),
    'select (select max(stamp) from offline_copies) > pg_snapshot_xmax(pg_current_snapshot())::text::bigint as above',
  );
  expect(numbers?.['above']).toBe(true);
  environment['DATABASE_URL'] = elsewhere.url('vault');
  await app.restart();

  await rename('There');
  expect(await device.isStale()).toBe(true);
  await expect(device.follow()).rejects.toThrow('No delta');
  await device.fetch();
  await rename('After');
  expect(await device.isStale()).toBe(true);
  const { groups } = await device.follow();
  expect(groups.flatMap((group) => group.entries.map(({ title }) => title))).toEqual(['After']);
  await app.restart();
  await rename('Later');
  expect((await device.follow()).groups).toHaveLength(1);
});
