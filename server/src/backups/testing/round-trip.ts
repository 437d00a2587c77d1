/**
 * Moves a vault into an empty server: backed up as by the schedule, recovered as by the command line, with
 * durations.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { changeSettings } from '@passwordbroker/core/contract/site/backups';
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import { recoverFrom } from '../../recovery/recover.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { ARCHIVE_PASSWORD } from './archive.ts';
import { madeBackup } from './made-backup.ts';
import { openAll } from './sealed-vault.ts';

export interface RoundTrip {
  readonly backup: Backup;
  /** Bytes. */
  readonly archive: number;
  /** Milliseconds. */
  readonly making: number;
  readonly recovering: number;
  readonly opening: number;
  readonly opened: { readonly values: number; readonly files: number };
}

/** Resolves when the person has signed in to the recovered server and opened every revision. */
export async function roundTrip(
  from: TestApp,
  into: TestApp,
  { person, groupId }: { readonly person: SignedIn; readonly groupId: string },
): Promise<RoundTrip> {
  const settings = { schedule: [3], enable: false, email_enable: false, archive_password: ARCHIVE_PASSWORD };
  await person.call(changeSettings, { body: settings });
  const started = performance.now();
  const backup = await madeBackup(from, person);
  if (backup.state !== 'created') throw new Error(backup.error_message ?? backup.state);
  const made = performance.now();
  const path = join(from.deps.config.backupDir, backup.file_name);
  const origin = { address: 'test', agentHash: null, userAgent: '', client: null };
  await recoverFrom(into.deps, { path, password: ARCHIVE_PASSWORD, origin });
  const recovered = performance.now();
  const opened = await openAll(into, await into.signIn(person), groupId);
  return {
    backup,
    archive: (await stat(path)).size,
    making: made - started,
    recovering: recovered - made,
    opening: performance.now() - recovered,
    opened,
  };
}
