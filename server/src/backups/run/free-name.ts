import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { archiveName } from './archive-name.ts';
import { hasFileName } from '../backup-repository.ts';

const SECOND = 1000;

/**
 * The first name at or after `from` without a backup or file, encrypted or not; `next` is the second after
 * it.
 */
export async function freeName(
  tx: Transact,
  { config, timeZone }: Pick<Deps, 'config' | 'timeZone'>,
  from: number,
  isSealed: boolean,
): Promise<{ readonly name: string; readonly next: number }> {
  for (let at = from; ; at += SECOND) {
    const names = [true, false].map((sealed) => archiveName(at, timeZone, sealed));
    const isTaken = (await hasFileName(tx, names)) || names.some((name) => existsSync(join(config.backupDir, name)));
    if (!isTaken) return { name: archiveName(at, timeZone, isSealed), next: at + SECOND };
  }
}
