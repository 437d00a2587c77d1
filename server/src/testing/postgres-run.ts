/**
 * Before the tests on PostgreSQL: starts one server for all of them, with a template database that each
 * test's database is copied from.
 */
import { openDatabase } from '../db/open.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from './postgres-cluster.ts';
import { TEMPLATE } from './test-database.ts';

/** A minimal write-ahead log, as there is no replication. */
const SETTINGS = ['wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off'];

export default async function start(): Promise<() => Promise<void>> {
  const cluster = await startCluster({ isInMemory: true, settings: SETTINGS });
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-'));
  const db = await openDatabase({ dataDir, databaseUrl: cluster.url(TEMPLATE), now: Date.now() });
  await db.close();
  rmSync(dataDir, { recursive: true });
  process.env['TEST_POSTGRES'] = cluster.url('postgres');
  return () => cluster.stop();
}
