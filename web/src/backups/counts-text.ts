/** What a trial restore counted, in a line. */
import type { BackupCounts } from '@passwordbroker/core/contract/backups';
import { ADMIN_BACKUP_TEXTS } from '../texts/admin-backup.ts';

const NOUNS = ADMIN_BACKUP_TEXTS.counts;

/** '1 user, 2 groups, …' in the order of the texts; all of them, so that a zero is seen. */
export function countsText(counts: BackupCounts): string {
  return (Object.keys(NOUNS) as (keyof BackupCounts)[])
    .map((name) => `${counts[name]} ${NOUNS[name][counts[name] === 1 ? 0 : 1]}`)
    .join(', ');
}
