import type { BackupCounts } from './backups.ts';

const NOUNS: Readonly<Record<keyof BackupCounts, readonly [string, string]>> = {
  users: ['user', 'users'],
  entry_groups: ['group', 'groups'],
  entries: ['entry', 'entries'],
  fields: ['field', 'fields'],
  revisions: ['revision', 'revisions'],
  files: ['file', 'files'],
};

/** '1 user, 2 groups, …', zeros included. */
export function countsText(counts: BackupCounts): string {
  return (Object.keys(NOUNS) as (keyof BackupCounts)[])
    .map((name) => `${counts[name]} ${NOUNS[name][counts[name] === 1 ? 0 : 1]}`)
    .join(', ');
}
