import { BACKUP_TEXTS } from '@passwordbroker/core/contract/site/backups';

export const RECOVERY_TEXTS = {
  page: 'Initial recovery',
  file: 'Backup file',
  drop: 'Drop a file here or',
  choose: 'choose a backup file',
  fileKind: 'pb_backup_….tar.gz, or .tar.gz.age when it has a password',
  replace: 'Replace',
  oneFileOnly: 'One backup file at a time',
  fileMissing: BACKUP_TEXTS.fileMissing,
  fileTooLarge:
    'The file is too large to be uploaded here. Restore it with the command line of the server: backup restore.',
  password: 'Archive password',
  submit: 'Recover',
  recovering: 'Recovering',
  uploading: 'Uploading. Keep this tab open.',
  restoring: 'Restoring. Keep this tab open.',
  failed: 'Something going wrong try again',
  done: 'The backup has been restored.',
  doneWhat: 'Everybody logs in anew, with the passwords of the time of the backup.',
  goToLogin: 'Go to login',
  createInstead: 'Create the first user instead',
  side: 'Start from a backup',
  sideText: 'Choose a backup file to restore this server. If the archive was made with a password, enter it too.',
} as const;
