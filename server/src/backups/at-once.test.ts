/** R19: a backup during two imports and edits contains each transaction completely or not at all. */
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as backups from '@passwordbroker/core/contract/site/backups';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { verifyChain } from '../audit/chain/verify-chain.ts';
import { openToRead } from '../db/open.ts';
import type { DatabaseToRead } from '../db/database.ts';
import { findDamage } from '../db/integrity.ts';
import { largeKeepassXml } from '../import/testing/keepass-xml.ts';
import { nextRevision } from '../testing/next-revision.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { makeWaiting } from './run/make-backup.ts';
import { restoreInto } from './testing/archive.ts';
import { fillVault, sealAll } from './testing/vault.ts';
import type { Vault } from './testing/vault.ts';

const ENTRIES = 300;
let app: TestApp;
let vault: Vault;
beforeAll(async () => {
  app = await startTestApp();
  vault = await fillVault(app);
});
afterAll(() => app.stop());

async function importEntries(): Promise<void> {
  const multipart = new FormData();
  multipart.append('master_password', vault.ada.masterPassword);
  multipart.append('file', new Blob([new Uint8Array(largeKeepassXml(ENTRIES))]), 'vault.xml');
  const answer = await vault.ada.request({ path: '/passwordBroker/api/import', multipart });
  expect(answer.status, answer.text).toBe(201);
}

/** Writes revisions of one field until told to stop; `rev` is the last acknowledged one. */
function editing() {
  const { ada, place, fieldId } = vault;
  const state = { rev: 2, isOver: false };
  const work = async () => {
    while (!state.isOver) {
      const content = { type: 'password' as const, title: 'Root', login: 'root', value: utf8(`after ${state.rev}`) };
      const body = await nextRevision(place, { fieldId, baseRev: state.rev }, content);
      await ada.call(fields.update, { params: { ...place, f: fieldId }, body });
      state.rev += 1;
    }
  };
  return { state, ended: work() };
}

async function storedIn({ read }: Pick<DatabaseToRead, 'read'>) {
  const imported = await read.selectFrom('entries').select('title').where('title', 'like', 'Service %').execute();
  const field = await read
    .selectFrom('fields')
    .select('rev')
    .where('field_id', '=', vault.fieldId)
    .executeTakeFirstOrThrow();
  const revisions = await read
    .selectFrom('field_revisions')
    .select('rev')
    .where('field_id', '=', vault.fieldId)
    .orderBy('rev')
    .execute();
  const history = await read
    .selectFrom('field_history')
    .select('rev')
    .where('field_id', '=', vault.fieldId)
    .orderBy('rev')
    .execute();
  return {
    imported: imported.length,
    rev: field.rev,
    revisions: revisions.map(({ rev }) => rev),
    history: history.map(({ rev }) => rev),
  };
}

test('R19: a backup made during imports and edits is consistent, and so is the vault', async () => {
  const importing = [importEntries(), importEntries()];
  const edits = editing();
  await expect.poll(() => edits.state.rev, { interval: 5, timeout: 20_000 }).toBeGreaterThan(2);
  const { backup_id: id } = await vault.ada.call(backups.create);
  const before = edits.state.rev;
  await makeWaiting(app.deps);
  const after = edits.state.rev + 1;
  await Promise.all(importing);
  edits.state.isOver = true;
  await edits.ended;

  const backup = await vault.ada.call(backups.get, { params: { id } });
  expect(backup).toMatchObject({ state: 'created', error_message: null });
  const { scratchDir } = await restoreInto(join(app.deps.config.backupDir, backup.file_name), null);
  const restored = await openToRead({ dataDir: scratchDir });
  const there = await storedIn(restored);
  await restored.close();
  await rm(scratchDir, { recursive: true });
  expect([0, ENTRIES, 2 * ENTRIES]).toContain(there.imported);
  expect(there.rev).toBeGreaterThanOrEqual(before);
  expect(there.rev).toBeLessThanOrEqual(after);
  const all = Array.from({ length: there.rev }, (_, at) => at + 1);
  expect([there.revisions, there.history]).toEqual([all, all]);

  expect(await findDamage(app.deps.db)).toEqual([]);
  await sealAll(app);
  expect(await verifyChain(app.deps)).toMatchObject({ ok: true, unsealed: 0 });
  expect((await storedIn(app.deps.db)).imported).toBe(2 * ENTRIES);
});
