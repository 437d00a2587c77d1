import { join } from 'node:path';
import type { Deps } from '../http/context.ts';
import { openPlainFile } from '../platform/storage/plain-file.ts';
import { type BackupRow, hasFileName } from './backup-repository.ts';
import { clockIn } from './schedule.ts';
import { existsSync } from 'node:fs';
import type { Transact } from '../db/database.ts';

export const archivePath = ({ config }: Pick<Deps, 'config'>, { file_name }: Pick<BackupRow, 'file_name'>): string =>
  join(config.backupDir, file_name);

/** Whether the file has its recorded size. */
export async function isThere(
  deps: Pick<Deps, 'config'>,
  row: Pick<BackupRow, 'file_name' | 'size'>,
): Promise<boolean> {
  const opened = await openPlainFile(archivePath(deps, row));
  await opened?.file.close();
  return opened !== null && opened.size === row.size;
}

/** In local time (docs/spec/decisions.md H3, H4). */
export function archiveName(at: number, timeZone: string, isSealed: boolean): string {
  const { year, month, day, hour, minute, second } = clockIn(timeZone, at);
  return `pb_backup_${year}_${month}_${day}__${hour}_${minute}_${second}.tar.gz${isSealed ? '.age' : ''}`;
}

export const renamed = (name: string, isSealed: boolean): string =>
  `${name.replace(/\.age$/, '')}${isSealed ? '.age' : ''}`;

const SECOND = 1000;

/** The first unused name at or after `from`; `next` is the second after it. */
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
