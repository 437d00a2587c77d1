/** What is wrong with an archive, in words that do not depend on who asked. */
import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';
import type { AppError } from '@passwordbroker/core/contract/problem';
import { refuse } from '@passwordbroker/core/contract/problem';

/**
 * `foreign`: none of ours · `damaged` · `newer`: of a later schema · `password`: none was given, or the wrong one · `unencrypted`: one was given, and
 * there is nothing to open · `space`: the disk is full.
 */
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
  /** For the operator and the log: where it was seen. Never a content. */
  readonly detail: string;
  constructor(fault: ArchiveFault, detail: string) {
    super(SENTENCES[fault]);
    this.name = 'ArchiveError';
    this.fault = fault;
    this.detail = detail;
  }
}

export const damaged = (detail: string) => new ArchiveError('damaged', detail);

/** As the log takes it. */
export const faultForLog = ({ fault, detail }: Pick<ArchiveError, 'fault' | 'detail'>) => ({
  archive_fault: `${fault}: ${detail}`,
});

/** The refusal of an upload (docs/spec/api.md §3.11). */
export const refuseUpload = ({ fault, message }: Pick<ArchiveError, 'fault' | 'message'>): AppError =>
  refuse(fault === 'password' || fault === 'unencrypted' ? 'password' : 'backupFile', message);
