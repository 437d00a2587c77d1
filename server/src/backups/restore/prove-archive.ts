/** Verifies with an ephemeral identity (docs/spec/threats.md §3.1.34). */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { randomText } from '../../platform/ids-and-digests.ts';
import type { Opener } from '../archive/age.ts';
import type { CreateJob, Proven } from '../run/backup-thread.ts';
import { digestOfFile } from '../archive-files.ts';
import { restoreArchive } from './restore-archive.ts';
import { writeArchive } from '../archive/write-archive.ts';
import type { Watch } from '../archive/write-archive.ts';

const HALF = 0.5;

export async function createArchive({ archive, key }: Omit<CreateJob, 'kind'>, watch: Watch): Promise<Proven> {
  const identity = key === null ? null : await generateX25519Identity();
  const encryption =
    key === null || identity === null
      ? null
      : {
          recipients: [key.recipient, await identityToRecipient(identity)],
          sealedIdentity: key.sealedIdentity,
        };
  const first = { ...watch, onProgress: (part: number) => watch.onProgress?.(part * HALF) };
  await writeArchive({ ...archive, encryption }, first);
  try {
    return await proveArchive(
      archive.target,
      identity === null ? null : { identity },
      { workDir: archive.workDir, now: archive.now },
      { ...watch, onProgress: (part) => watch.onProgress?.(HALF + part * HALF) },
    );
  } catch (error) {
    await rm(archive.target, { force: true });
    throw error;
  }
}

/** Restores into a temporary database. @throws ArchiveError */
export async function proveArchive(
  path: string,
  opener: Opener | null,
  { workDir, now }: { readonly workDir: string; readonly now: number },
  watch: Watch,
): Promise<Proven> {
  const scratchDir = join(workDir, `scratch-${randomText(9)}`);
  try {
    const { counts } = await restoreArchive({ path, opener, scratchDir, keepBodies: false, now }, watch);
    const found = digestOfFile(path);
    if (found === null) throw Object.assign(new Error('The archive is gone'), { code: 'ENOENT' });
    return { ...found, counts };
  } finally {
    await rm(scratchDir, { recursive: true, force: true });
  }
}
