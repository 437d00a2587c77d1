/**
 * Hostile archives uploaded to an empty installation (T86, T87, R21) each get their own message and change
 * nothing, and the next upload works.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recover, recoverable } from '@passwordbroker/core/contract/site/backups';
import { entry, forgeOf, withDigests } from '../backups/testing/forge.ts';
import type { Forge } from '../backups/testing/forge.ts';
import { pack } from '../backups/testing/repack.ts';
import type { Entry } from '../backups/testing/repack.ts';
import { fillVault, sealAll } from '../backups/testing/vault.ts';
import { everything } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';

const DAMAGED = 'The backup is damaged.';

let app: TestApp;
let site: TestApp;
let forge: Forge;
let attempts = 0;
beforeAll(async () => {
  [app, site] = [await startTestApp(), await startTestApp()];
  await fillVault(app, ['ada', 'bob']);
  await sealAll(app);
  forge = await forgeOf(app);
});
afterAll(async () => {
  await app.stop();
  await site.stop();
});

async function said(made: readonly Entry[]) {
  const multipart = new FormData();
  const file = await readFile(await pack(`${forge.plain}.sent`, made));
  multipart.append('backupFile', new Blob([new Uint8Array(file)]), 'pb.tar.gz');
  // An address has only twenty attempts.
  attempts += 1;
  const answer = await site.guest().request({ path: recover.path, multipart, address: `192.0.2.${attempts}` });
  return [answer.status, answer.json<{ errors?: { backupFile?: string[] } }>().errors?.backupFile?.[0]];
}

test('each archive is refused with its own message, and the installation stays empty and usable', async () => {
  const change = (table: string, from: RegExp, to: string) =>
    withDigests(forge.changed(`tables/${table}/`, (text) => text.replace(from, () => to)));
  const damaged = [
    forge.withEntry(entry('../../../../escaped', 'x')),
    forge.withEntry(entry('bodies/link', '', { type: 'symlink', linkname: '/etc/passwd' })),
    change('users', /"name":"/, '"name":"a\\u0000'),
    change('entries', /"entry_group_id":"[^"]+"/, '"entry_group_id":"00000000-0000-7000-8000-000000000000"'),
    withDigests(forge.entries, (manifest) => ({ ...manifest, audit_head: null })),
  ];
  for (const made of damaged) expect(await said(made)).toEqual([422, DAMAGED]);
  // Details are only in the log.
  const faults = site.log.map((line) => (JSON.parse(line) as { archive_fault?: string }).archive_fault);
  expect(faults.filter((fault) => fault !== undefined)).toEqual([
    'damaged: an entry that none of ours has',
    expect.stringMatching(/^damaged: tar /),
    'damaged: a row of users',
    expect.stringMatching(/^damaged: entries: /),
    'damaged: the head of the audit log is not that of the manifest',
  ]);
  const later = forge.changed('passwordbroker.json', (text) => text.replace('"0001-', '"9999-'));
  expect(await said(later)).toEqual([422, 'The backup was made by a newer version.']);
  const other = forge.changed('passwordbroker.json', (text) => text.replace('PasswordBroker', 'Other'));
  expect(await said(other)).toEqual([422, 'The file is not a backup of this product.']);

  expect(await site.guest().call(recoverable)).toEqual({ available: true });
  const [rows] = JSON.parse(await everything(site.deps)) as [unknown[][]];
  expect(rows.flat()).toEqual([]);
  for (const folder of ['bodies', 'backup-work', 'uploads']) {
    expect(await readdir(join(site.dataDir, folder)).catch(() => []), folder).toEqual([]);
  }
  expect(await said(forge.entries)).toEqual([200, undefined]);
});
