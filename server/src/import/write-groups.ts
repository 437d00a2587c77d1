/** The rows of all groups of an import: a call for each table, however many groups there are. */
import type { InsertRows } from '../db/bulk-writer.ts';
import type { GroupRows } from './batch-groups.ts';

/** @param groups parents before children */
export async function writeGroups(insert: InsertRows, groups: readonly GroupRows[]): Promise<void> {
  const keys = groups.map(({ key }) => key);
  await insert(
    'entry_groups',
    groups.map(({ group }) => group),
  );
  await insert(
    'group_members',
    groups.map(({ member }) => member),
  );
  await insert(
    'group_keys',
    keys.map(({ key }) => key),
  );
  await insert(
    'group_grants',
    keys.flatMap(({ grants }) => grants),
  );
  await insert(
    'group_rosters',
    keys.flatMap(({ roster }) => (roster === null ? [] : [roster])),
  );
}
