import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import type { AppError } from '@passwordbroker/core/contract/problem';
import { refuse } from '@passwordbroker/core/contract/problem';
import { storageFailure } from '../../db/failures.ts';

/** `newer`: of a later version · `password`: none or wrong · `unencrypted`: password for a plain archive */
export type ArchiveFault = 'foreign' | 'damaged' | 'newer' | 'password' | 'unencrypted' | 'space';

const SENTENCES: Readonly<Record<ArchiveFault, string>> = {
  foreign: BACKUP_TEXTS.fileForeign,
  damaged: BACKUP_TEXTS.fileDamaged,
  newer: BACKUP_TEXTS.fileNewer,
  password: BACKUP_TEXTS.passwordWrong,
  unencrypted: BACKUP_TEXTS.notEncrypted,
  space: 'There is not enough space on the disk.',
};

export class ArchiveError extends Error {
  readonly fault: ArchiveFault;
  /** For the log. Never holds content. */
  readonly detail: string;
  constructor(fault: ArchiveFault, detail: string) {
    super(SENTENCES[fault]);
    this.name = 'ArchiveError';
    this.fault = fault;
    this.detail = detail;
  }
}

export const damaged = (detail: string) => new ArchiveError('damaged', detail);

/** The archive's fault, or `space` if the disk is full. */
export function asDamage(error: unknown, place: string): unknown {
  if (error instanceof ArchiveError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (storageFailure(error) === 'insufficient_storage') return new ArchiveError('space', place);
  // SQLSTATE 22: invalid values, 23: constraints.
  return /^(SQLITE_(CONSTRAINT|MISMATCH$|ERROR$)|2[23]...$)/.test(code) ? damaged(`${place}: ${code}`) : error;
}

export const faultForLog = ({ fault, detail }: Pick<ArchiveError, 'fault' | 'detail'>) => ({
  archive_fault: `${fault}: ${detail}`,
});

export const refuseUpload = ({ fault, message }: Pick<ArchiveError, 'fault' | 'message'>): AppError =>
  refuse(fault === 'password' || fault === 'unencrypted' ? 'password' : 'backupFile', message);
