/** Where archives are restored to be proven, below the data folder; each piece of work has a folder of its own. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { spoolFolder } from '../http/spool.ts';

const workRoot = (dataDir: string) => join(dataDir, 'backup-work');
export const workFolder = (dataDir: string, name: string) => join(workRoot(dataDir), name);

/** Names of the folders that there are. */
export const workFolders = (dataDir: string): Promise<string[]> => readdir(workRoot(dataDir)).catch(() => []);

const HOUR = 60 * 60_000;

/** Removes what a process that died has left. With `isAlone` nobody else can be using the folder; else only what is old. */
export async function clearLeftWork(dataDir: string, isAlone: boolean): Promise<void> {
  for (const root of [workRoot(dataDir), spoolFolder(dataDir)]) {
    for (const name of await readdir(root).catch(() => [])) {
      const found = await stat(join(root, name)).catch(() => null);
      const isOld = found !== null && found.mtimeMs < Date.now() - 6 * HOUR;
      if (isAlone || isOld) await rm(join(root, name), { recursive: true, force: true });
    }
  }
}
