import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

interface PlainFile {
  readonly file: FileHandle;
  readonly size: number;
}

/**
 * Opens a regular file; null for a link, which may lead outside, or a pipe, which may block. The caller
 * closes it.
 */
export async function openPlainFile(path: string): Promise<PlainFile | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (ABSENT.has(code)) return null;
    throw error;
  });
  if (file === null) return null;
  const found = await file.stat();
  if (found.isFile()) return { file, size: found.size };
  await file.close();
  return null;
}

/** Missing, a link, or a pipe without a writer. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);
