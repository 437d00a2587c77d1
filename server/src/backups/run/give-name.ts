/** Publishes a finished file under its name without ever overwriting a file (ADR 10). */
import { link, open, rename, rm } from 'node:fs/promises';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

export const isNameTaken = (error: unknown): boolean => codeOf(error) === 'EEXIST';

/** Errors of file systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Afterwards `part` is a second link to the same file, if the file system supports links. @throws EEXIST */
export async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    await giveReservedName(part, path);
  }
}

/** Reserves the name with a new empty file and renames over it. @throws EEXIST */
export async function giveReservedName(part: string, path: string): Promise<void> {
  const reserved = await open(path, 'wx', 0o600);
  await reserved.close();
  try {
    await rename(part, path);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
