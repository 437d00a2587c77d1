/**
 * T84, R21: 500 random damages of two backups, uploaded to an empty installation, are refused with 422 and
 * change nothing.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recover, recoverable } from '@passwordbroker/core/contract/site/backups';
import { seeded } from '../authorisation/testing/seeded.ts';
import { ARCHIVE_PASSWORD, archiveOf } from '../backups/testing/archive.ts';
import { corrupted } from '../backups/testing/corruption.ts';
import { fillVault } from '../backups/testing/vault.ts';
import { everything } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';

let app: TestApp;
let site: TestApp;
beforeAll(async () => {
  [app, site] = [await startTestApp(), await startTestApp()];
  await fillVault(app);
});
afterAll(async () => {
  await app.stop();
  await site.stop();
});

async function send(bytes: Buffer, password: string | null, address: string) {
  const multipart = new FormData();
  if (password !== null) multipart.append('password', password);
  multipart.append('backupFile', new Blob([new Uint8Array(bytes)]), 'pb.tar.gz');
  return site.guest().request({ path: recover.path, multipart, address });
}

test('T84, R21: 500 random bit flips and truncations are refused', { timeout: 900_000 }, async () => {
  const chance = seeded(84);
  const said = new Map<string, number>();
  for (const password of [ARCHIVE_PASSWORD, null]) {
    const whole = await readFile(await archiveOf(app, { password }));
    for (let n = 0; n < 250; n += 1) {
      const { name, bytes } = corrupted(whole, chance);
      const answer = await send(bytes, password, `192.0.2.${n}`);
      expect([name, answer.status]).toEqual([name, 422]);
      const [sentence = ''] = Object.values(answer.json<{ errors: Record<string, string[]> }>().errors).flat();
      said.set(sentence, (said.get(sentence) ?? 0) + 1);
    }
  }
  console.info(`T84: ${[...said].map(([sentence, n]) => `${n} × '${sentence}'`).join(', ')}`);
  expect(await site.guest().call(recoverable)).toEqual({ available: true });
  const [rows] = JSON.parse(await everything(site.deps)) as [unknown[][]];
  expect(rows.flat()).toEqual([]);
  for (const folder of ['bodies', 'backup-work', 'uploads']) {
    expect(await readdir(join(site.dataDir, folder)).catch(() => []), folder).toEqual([]);
  }
});
