/** Files whose folder others may write to: what is read is the file of that name itself. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

interface PlainFile {
  /** Open to be read; whoever asked closes it. */
  readonly file: FileHandle;
  /** Bytes. */
  readonly size: number;
}

/** Null when there is none of that name, or something else than a file: a link leads elsewhere, and a pipe would never open. */
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

/** The name is free, or leads elsewhere, or nobody is at the other end. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);
