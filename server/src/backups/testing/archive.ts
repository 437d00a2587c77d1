/** Archives of a running test server, written in this thread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MIGRATIONS } from '../../db/schema/migrations/index.ts';
import { sourceOf } from '../../db/snapshot/source.ts';
import { randomText } from '../../platform/ids-and-digests.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { TEST_WORK_FACTOR } from '../../testing/test-person.ts';
import { makeArchiveKey } from '../archive/age.ts';
import { restoreArchive } from '../restore/restore-archive.ts';
import { writeArchive } from '../archive/write-archive.ts';

export const ARCHIVE_PASSWORD = 'correct horse battery staple';

interface Wish {
  readonly password?: string | null;
  /** Path of the archive; by default in a new folder. */
  readonly target?: string;
}

/** Writes an archive of the present state, by default with `ARCHIVE_PASSWORD`, and returns its path. */
export async function archiveOf(app: TestApp, { password = ARCHIVE_PASSWORD, target: place }: Wish = {}) {
  const folder = await mkdtemp(join(app.dataDir, 'archive-'));
  const key = password === null ? null : await makeArchiveKey(password, TEST_WORK_FACTOR);
  const target = place ?? join(folder, key === null ? 'pb.tar.gz' : 'pb.tar.gz.age');
  await writeArchive({
    source: sourceOf(app.deps.db),
    bodiesDir: join(app.dataDir, 'bodies'),
    workDir: folder,
    target,
    encryption: key === null ? null : { recipients: [key.recipient], sealedIdentity: key.sealedIdentity },
    version: '1.2.3',
    schema: MIGRATIONS.map(({ name }) => name),
    now: app.clock.now(),
  });
  return target;
}

/** Restores an archive into a scratch folder, which stays after success. */
export async function restoreInto(path: string, password: string | null = ARCHIVE_PASSWORD) {
  const scratchDir = join(tmpdir(), `passwordbroker-scratch-${randomText(9)}`);
  const opener = password === null ? null : { password };
  const job = { path, opener, scratchDir, keepBodies: true, now: Date.UTC(2026, 2, 2) };
  try {
    return { scratchDir, ...(await restoreArchive(job)) };
  } catch (error) {
    await rm(scratchDir, { recursive: true, force: true });
    throw error;
  }
}
