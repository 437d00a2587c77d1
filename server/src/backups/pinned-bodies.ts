/**
 * Holds on to the sealed files of a snapshot: a second name for each keeps its bytes on the disk when it is removed for good while the archive is
 * being written.
 */
import { createReadStream } from 'node:fs';
import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { NamedBody } from './snapshot-repository.ts';

/** A file that the snapshot speaks of is not there (any more). */
export class BodyGone extends Error {
  constructor(sha256: string) {
    super(`The sealed file ${sha256} is missing.`);
    this.name = 'BodyGone';
  }
}

export interface PinnedBodies {
  open(sha256: string): Readable;
}

/** @throws BodyGone */
export async function pinBodies(
  bodies: AsyncIterable<NamedBody>,
  bodiesDir: string,
  workDir: string,
): Promise<PinnedBodies> {
  const folder = join(workDir, 'pinned');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  /** File systems without second names: what is removed meanwhile fails the attempt, and the next one begins anew. */
  let canLink = true;
  for await (const { sha256 } of bodies) {
    if (!canLink) break;
    try {
      await link(join(bodiesDir, sha256), join(folder, sha256));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'ENOENT') throw new BodyGone(sha256);
      if (code !== 'EEXIST') canLink = false;
    }
  }
  return { open: (sha256) => createReadStream(join(canLink ? folder : bodiesDir, sha256)) };
}
