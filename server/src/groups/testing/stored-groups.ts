/** All stored rows of groups, their members and their keys. */
import type { TestApp } from '../../testing/test-app.ts';

export async function storedGroups({ deps }: TestApp): Promise<object> {
  const { read } = deps.db;
  return {
    groups: await read.selectFrom('entry_groups').selectAll().execute(),
    members: await read.selectFrom('group_members').selectAll().execute(),
    keys: await read.selectFrom('group_keys').select(['entry_group_id', 'gk_version']).execute(),
    grants: await read.selectFrom('group_grants').select(['entry_group_id', 'user_id']).execute(),
    rosters: await read.selectFrom('group_rosters').select(['entry_group_id', 'seq']).execute(),
  };
}
