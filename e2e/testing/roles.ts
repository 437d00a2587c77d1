/** Another role for the one person of a journey, in the database itself: nobody can take it from himself through the product. */
import Database from 'better-sqlite3';
import { join } from 'node:path';

export function setRole(dataDir: string, groupId: string, role: 'admin' | 'moderator' | 'member'): void {
  const database = new Database(join(dataDir, 'passwordbroker.sqlite'), { timeout: 5000 });
  try {
    const { changes } = database
      .prepare('UPDATE group_members SET role = ? WHERE entry_group_id = ?')
      .run(role, groupId);
    if (changes !== 1) throw new Error(`${changes} members of the group instead of one`);
  } finally {
    database.close();
  }
}
