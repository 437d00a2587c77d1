/** Files that only their owner can read. */
import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { CommandError, EXIT } from '../failure.ts';

interface NewFile {
  readonly path: string;
  /** Whether a file of this name is replaced, as a whole at the end. */
  readonly isReplaced: boolean;
}

/**
 * Opens the file before `work`, so that nothing is revealed or made that could not be kept. Without a call of `write`, and
 * after an error, there is no new file.
 * @throws CommandError if it cannot be made; what `work` throws
 */
export async function withNewFile<T>(
  { path, isReplaced }: NewFile,
  work: (write: (content: string | Uint8Array) => void) => Promise<T>,
): Promise<T> {
  // A device or a link is never replaced by a file.
  if (isReplaced && lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new CommandError(EXIT.failed, 'no_file', `${path} is no file.`);
  const written = isReplaced ? `${path}.${process.pid}.part` : path;
  const file = opened(written, path);
  let isKept = false;
  // Also when a signal ends the process.
  const remove = () => {
    if (!isKept) rmSync(written, { force: true });
  };
  process.once('exit', remove);
  try {
    return await work((content) => {
      const bytes = Buffer.from(content as Uint8Array);
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      fsyncSync(file);
      if (isReplaced) renameSync(written, path);
      isKept = true;
    });
  } finally {
    process.off('exit', remove);
    remove();
    closeSync(file);
  }
}

function opened(written: string, path: string): number {
  try {
    return openSync(written, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw error;
    throw new CommandError(EXIT.failed, 'no_file', `${path} exists already.`);
  }
}
