/** Why a backup could not be made, in a sentence for the site admin. Never a path or a content. */
import { ArchiveError } from '../archive/archive-problem.ts';
import { BackupFailed } from './backup-thread.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: 'There is not enough space on the disk.',
  EDQUOT: 'There is not enough space on the disk.',
  SQLITE_FULL: 'There is not enough space on the disk.',
  EACCES: 'The folder for backups cannot be written to.',
  EPERM: 'The folder for backups cannot be written to.',
  EROFS: 'The folder for backups cannot be written to.',
  EEXIST: 'The folder for backups cannot be written to.',
  ENOTDIR: 'The folder for backups cannot be written to.',
};

export function failureSentence(error: unknown): string {
  if (error instanceof ArchiveError) {
    return error.fault === 'space' ? error.message : `It could not be restored: ${error.detail}.`;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = SENTENCES[code];
  if (known !== undefined) return known;
  // Ours, and it names nothing but the digest of a sealed file.
  if (error instanceof BackupFailed && error.message.startsWith('The sealed file')) return error.message;
  return 'Something went wrong. The log says what.';
}
