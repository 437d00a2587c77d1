import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import type { AppError } from '@passwordbroker/core/contract/problem';
import { refuse } from '@passwordbroker/core/contract/problem';

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

export const faultForLog = ({ fault, detail }: Pick<ArchiveError, 'fault' | 'detail'>) => ({
  archive_fault: `${fault}: ${detail}`,
});

export const refuseUpload = ({ fault, message }: Pick<ArchiveError, 'fault' | 'message'>): AppError =>
  refuse(fault === 'password' || fault === 'unencrypted' ? 'password' : 'backupFile', message);
