/** Pins sealed files of a snapshot by hard links, so that they outlive a deletion. */
import { createReadStream } from 'node:fs';
import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openBodiesBeside } from '../../db/bodies/bodies-beside.ts';
import type { DatabaseSource } from '../../db/snapshot/source.ts';
import type { NamedBody } from './snapshot-repository.ts';

export class BodyGone extends Error {
  constructor(sha256: string) {
    super(`The sealed file ${sha256} is missing.`);
    this.name = 'BodyGone';
  }
}

export interface PinnedBodies {
  open(sha256: string): Readable;
  close(): Promise<void>;
}

interface Place {
  readonly source: DatabaseSource;
  readonly bodiesDir: string;
  readonly workDir: string;
}

/** @throws BodyGone */
export async function pinBodies(
  bodies: AsyncIterable<NamedBody>,
  { source, bodiesDir, workDir }: Place,
): Promise<PinnedBodies> {
  if (source.dialect === 'postgres') return pinOnServer(source.path);
  const folder = join(workDir, 'pinned');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  /** Without hard links, a deleted file fails the attempt, and the next one starts from a new snapshot. */
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
  return { open: (sha256) => createReadStream(join(canLink ? folder : bodiesDir, sha256)), async close() {} };
}

/** Rows cannot be pinned: a deleted one fails the attempt. */
async function pinOnServer(path: string): Promise<PinnedBodies> {
  const bodies = await openBodiesBeside(path, '');
  return {
    open: (sha256) => Readable.from(orGone(sha256, bodies.open(sha256)), { objectMode: false }),
    close: () => bodies.close(),
  };
}

async function* orGone(sha256: string, body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw isGone ? new BodyGone(sha256) : error;
  }
}
