import { join } from 'node:path';
import type { Deps } from '../http/context.ts';
import { openPlainFile } from '../platform/storage/plain-file.ts';
import type { BackupRow } from './backup-repository.ts';

export const archivePath = ({ config }: Pick<Deps, 'config'>, { file_name }: Pick<BackupRow, 'file_name'>): string =>
  join(config.backupDir, file_name);

/** Whether the file exists and has its recorded size. */
export async function isThere(
  deps: Pick<Deps, 'config'>,
  row: Pick<BackupRow, 'file_name' | 'size'>,
): Promise<boolean> {
  const opened = await openPlainFile(archivePath(deps, row));
  await opened?.file.close();
  return opened !== null && opened.size === row.size;
}
