import { type AccessAnswer, type AccessRow, MOST_LISTED } from '@passwordbroker/core/contract/groups/access';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import type { Database } from '../db/database.ts';
import { countUnchanged } from '../former-members/known-repository.ts';
import { asGroupUser, byRoleAndName } from '../groups/group-answers.ts';
import { listMembers } from '../groups/group-repository.ts';
import { findEntry, type GroupInPath } from '../http/auth/path-repository.ts';
import { countValues } from './access-repository.ts';

interface Asked {
  readonly group: Pick<GroupInPath, 'entry_group_id' | 'role'>;
  readonly callerId: string;
  /** Counts the values of one entry alone. */
  readonly entryId: string | undefined;
}

/** Lists the people who can read a group; for admins with counts of opened values. @throws AppError `not_found` */
export async function whoCanReadGroup(db: Database, { group, callerId, entryId }: Asked): Promise<AccessAnswer> {
  const groupId = group.entry_group_id;
  if (entryId !== undefined && (await findEntry(db, groupId, entryId)) === undefined) throw new AppError('not_found');
  const members = (await listMembers(db, groupId)).map(asGroupUser).sort(byRoleAndName);
  const listed = members.slice(0, MOST_LISTED).map(({ user_id }) => user_id);
  const isCounted = can(group.role, 'members.write');
  const entryIds = entryId === undefined ? undefined : [entryId];
  const [values, counted] = await Promise.all([
    countValues(db, groupId, entryId),
    isCounted ? countUnchanged(db, { groupIds: [groupId], userIds: listed }, { callerId, groupId, entryIds }) : [],
  ]);
  const byUser = new Map(counted.map((row) => [row.user_id, row]));
  return {
    values,
    users: members.map(({ user, role, updated_at: since }, at): AccessRow => {
      const ways = [{ kind: 'direct' as const, role, since }];
      if (!isCounted || at >= MOST_LISTED)
        return { user, role, ways, opened: null, last_opened_at: null, in_copies: null };
      const known = byUser.get(user.user_id);
      return {
        user,
        role,
        ways,
        opened: Number(known?.opened ?? 0),
        last_opened_at: known === undefined ? null : new Date(known.last_opened_at).toISOString(),
        in_copies: Number(known?.in_copies ?? 0),
      };
    }),
  };
}
