/** Publishes a finished file without ever overwriting one (ADR 10). */
import { link, open, rename, rm } from 'node:fs/promises';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

export const isNameTaken = (error: unknown): boolean => codeOf(error) === 'EEXIST';

/** File systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** `part` stays as a second link where links exist. @throws EEXIST */
export async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    await giveReservedName(part, path);
  }
}

/** Reserves the name with an empty file and renames over it. @throws EEXIST */
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
