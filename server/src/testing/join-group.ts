/** Adds a member directly in the tables, for tests of a role's permissions and not of granting it. */
import type { Role } from '@passwordbroker/core/domain/policy';
import type { TestApp } from './test-app.ts';
import { insertMembers } from '../groups/group-repository.ts';

export async function joinGroup(
  { deps }: TestApp,
  groupId: string,
  person: { readonly userId: string },
  role: Role,
): Promise<void> {
  const [now, id] = [deps.clock.now(), deps.newId()];
  const row = { id, entry_group_id: groupId, user_id: person.userId, role, created_at: now, updated_at: now };
  await deps.db.transact((tx) => insertMembers(tx, [row]));
}
