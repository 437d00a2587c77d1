/** Saves the archive of a backup as a file; the server asks for a fresh sign-in first (docs/spec/api.md §1.4). */
import { type Backup, download } from '@passwordbroker/core/contract/site/backups';
import { saveBlob } from '../fields/file/save-blob.ts';
import { http } from '../lib/http.ts';
import { freshSignIn } from '../session/fresh-sign-in.ts';

type Named = Pick<Backup, 'backup_id' | 'file_name'>;

/** @param onReceived bytes so far, and of how many (0: not known) @returns whether it was saved; false: the confirmation was given up */
export async function downloadBackup(
  { backup_id, file_name }: Named,
  onReceived: (received: number, total: number) => void,
): Promise<boolean> {
  const blob = await freshSignIn.tryRun(() => http.blob(download, { params: { id: backup_id }, onReceived }));
  if (blob === null) return false;
  saveBlob(blob, file_name);
  return true;
}
