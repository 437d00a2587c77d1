/** What the backup commands say about counts. */
import type { BackupCounts } from '@passwordbroker/core/contract/backups';

export const countsSentence = ({ users, entry_groups, entries, fields, revisions, files }: BackupCounts): string =>
  `${users} users, ${entry_groups} groups, ${entries} entries, ${fields} fields, ${revisions} revisions, ${files} files`;
