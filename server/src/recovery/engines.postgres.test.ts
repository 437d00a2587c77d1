/**
 * R51: a backup moves from the embedded engine to PostgreSQL and back with every row and file, and passes the
 * checks both ways.
 */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as invites from '@passwordbroker/core/contract/users/invites';
import { checkRestored } from '../backups/restore/check-restored.ts';
import { readTable } from '../backups/run/snapshot-repository.ts';
import { BACKED_UP } from '../backups/archive/tables.ts';
import { ARCHIVE_PASSWORD, archiveOf, restoreInto } from '../backups/testing/archive.ts';
import { CANARY, fillVault, sealAll, secretOf } from '../backups/testing/vault.ts';
import type { Vault } from '../backups/testing/vault.ts';
import { openToRead } from '../db/open.ts';
import type { Database } from '../db/database.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { recoverFrom } from './recover.ts';

let embedded: TestApp;
let onServer: TestApp;
let vault: Vault;
beforeAll(async () => {
  embedded = await startTestApp({ environment: { DATABASE_URL: '' } });
  onServer = await startTestApp();
  vault = await fillVault(embedded, ['ada', 'bob']);
  const groups = [{ entry_group_id: vault.place.g, role: 'member' as const }];
  await vault.ada.call(invites.create, { body: { user: { email: 'eve@example.org' }, groups } });
  await sealAll(embedded);
});
afterAll(async () => {
  await embedded.stop();
  await onServer.stop();
});

/** Rows as sorted text, as engines sort differently. */
async function rowsOf({ read }: Pick<Database, 'read'>): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>();
  for (const { table } of BACKED_UP) {
    const rows: string[] = [];
    for await (const page of readTable(read, table)) rows.push(...page.map((row) => JSON.stringify(row)));
    all.set(
      table,
      rows.toSorted((one, other) => (one < other ? -1 : 1)),
    );
  }
  return all;
}

test('a backup restores from the embedded engine to PostgreSQL and back without a change', async () => {
  expect([embedded.deps.db.dialect, onServer.deps.db.dialect]).toEqual(['sqlite', 'postgres']);
  const before = await rowsOf(embedded.deps.db);
  const origin = { address: 'test', agentHash: null, userAgent: '', client: null };
  const archive = await archiveOf(embedded);
  await recoverFrom(onServer.deps, { path: archive, password: ARCHIVE_PASSWORD, origin });
  await checkRestored(onServer.deps.db);
  // Former sessions and invitations are invalid (T88), and the recovery is logged.
  const { read } = onServer.deps.db;
  expect(await read.selectFrom('sessions').selectAll().execute()).toEqual([]);
  expect((await read.selectFrom('invites').select('revoked_at').execute()).map((row) => row.revoked_at)).not.toContain(
    null,
  );
  const epochs = async (from: typeof read) =>
    (await from.selectFrom('users').select('epoch').execute()).map((row) => row.epoch);
  expect(await epochs(read)).toEqual((await epochs(embedded.deps.db.read)).map((epoch) => epoch + 1));
  const events = await read.selectFrom('audit_log').select('audit_id').where('event_type', '=', 'recovered').execute();
  expect(events).toHaveLength(1);
  const ada = await onServer.signIn(vault.ada);
  expect(await secretOf(vault, ada)).toBe(CANARY);
  const file = await ada.request({
    path: `/passwordBroker/api/entryGroups/${vault.place.g}/entries/${vault.place.e}/fields/${vault.fileId}/file`,
  });
  expect(file.bytes.equals(vault.body)).toBe(true);
  await sealAll(onServer);

  const { scratchDir } = await restoreInto(await archiveOf(onServer));
  const back = await openToRead({ dataDir: scratchDir });
  const after = await rowsOf(back);
  await back.close();
  await rm(scratchDir, { recursive: true });
  // The recovery changes these tables: people sign in again, invitations are revoked, and events are logged.
  const grows = new Set(['users', 'invites', 'audit_log', 'audit_chain', 'field_history']);
  for (const { table } of BACKED_UP) {
    if (!grows.has(table)) expect(after.get(table), table).toEqual(before.get(table));
  }
  for (const table of ['audit_log', 'audit_chain', 'field_history']) {
    const later = new Set(after.get(table));
    expect(
      (before.get(table) ?? []).filter((row) => !later.has(row)),
      table,
    ).toEqual([]);
  }
});
