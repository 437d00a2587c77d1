import { readdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { spoolFolder } from '../http/body/spool.ts';

const workRoot = (dataDir: string) => join(dataDir, 'backup-work');
export const workFolder = (dataDir: string, name: string) => join(workRoot(dataDir), name);

export const workFolders = (dataDir: string): Promise<string[]> => readdir(workRoot(dataDir)).catch(() => []);

const HOUR = 60 * 60_000;

/** Of attempts and the command line. */
const OF_OTHERS = /^([0-9a-f-]{36}\.|verify-)/;

/** Call before this process serves: then none is its own. */
export const listLeftWork = (dataDir: string): readonly string[] =>
  [workRoot(dataDir), spoolFolder(dataDir)].flatMap((root) => namesIn(root).map((name) => join(root, name)));

/** Removes folders of dead processes; unless `isAlone`, only those older than six hours. */
export async function clearLeftWork(found: readonly string[], isAlone: boolean): Promise<void> {
  for (const path of found) {
    const { mtimeMs = Infinity } = (await stat(path).catch(() => null)) ?? {};
    const isDead = isAlone && !OF_OTHERS.test(basename(path));
    if (isDead || mtimeMs < Date.now() - 6 * HOUR) await rm(path, { recursive: true, force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
