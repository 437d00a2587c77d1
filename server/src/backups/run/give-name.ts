/** Gives a finished file its name, and never puts it over a file that is there (ADR 10). */
import { link, open, rename, rm } from 'node:fs/promises';

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether it was refused because there is something of that name. */
export const isNameTaken = (error: unknown): boolean => codeOf(error) === 'EEXIST';

/** What file systems without second names say. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Afterwards `part` is there still, as another name of the same file, where the file system knows such. @throws EEXIST */
export async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    await giveReservedName(part, path);
  }
}

/** The name is taken first, with an empty file that nobody else can have made: what is replaced then is that one. @throws EEXIST */
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
