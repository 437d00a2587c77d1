/** Texts about the second target of backups and about failing backups. */
export const BACKUP_COPY_TEXTS = {
  title: 'Second target',
  loading: 'Loading the state of the second target',
  none: 'None is set. A backup on the disk that fails is lost with it: set BACKUP_COPY on the server to a folder on another disk, or to an S3-compatible store.',
  target: 'Copies go to',
  lastCopy: 'Last copy',
  never: 'never',
  statusFailed: 'The state of the second target could not be loaded.',
  readable: 'Copies are readable',
  readableWhat:
    'No archive password is set: everybody who can read the second target can read titles, logins and users. Values stay sealed.',
  states: {
    waiting: 'waiting to be copied',
    copying: 'copying',
    copied: 'copied',
    failed: 'not copied',
    deleted: 'copy removed',
  },
  nextTry: (time: string) => `Next try ${time}`,
  copyAgain: 'Copy again',
  copy: (name: string) => `Copy again ${name}`,
  requested: (name: string) => `${name} is copied again`,
  requestFailed: (reason: string) => `The backup was not copied. ${reason}`,
  overdue: 'No backup has succeeded for a day.',
  copyOverdue: 'No backup has been copied to the second target for a day.',
  openBackups: 'Open backups',
  lastBackup: (time: string) => `Last backup: ${time}.`,
} as const;
