/**
 * Changes the role of the only user of a test in the database: the product does not let users demote
 * themselves.
 */
import { join } from 'node:path';
import { openWriter } from '../../../server/src/db/sqlite/connections.ts';

export async function setRole(dataDir: string, groupId: string, role: 'admin' | 'moderator' | 'member'): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    const { numUpdatedRows } = await queries
      .updateTable('group_members')
      .set({ role })
      .where('entry_group_id', '=', groupId)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) throw new Error(`${numUpdatedRows} members of the group instead of one`);
  } finally {
    await queries.destroy();
  }
}

/** Removes the only user of the test from a group. With a role in a child group they become its guest. */
export async function leaveGroup(dataDir: string, groupId: string): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    await queries.deleteFrom('group_members').where('entry_group_id', '=', groupId).execute();
  } finally {
    await queries.destroy();
  }
}
