/** Whether the process can serve: the database takes a write, the schema is ours, the disk is not nearly full (threats §5.2.5), and keys can be derived. */
import { statfs } from 'node:fs/promises';
import type { Deps } from '../http/context.ts';
import { isArgon2Missing } from '../platform/argon2.ts';

type Check = 'ok' | 'failed';
const FREE_AT_LEAST = 0.05;

export async function checkReadiness({ db, config, log }: Deps) {
  const check = async (name: string, work: () => Promise<boolean>): Promise<Check> => {
    try {
      return (await work()) ? 'ok' : 'failed';
    } catch (error) {
      log.error({ event: name, error }, 'a readiness check failed');
      return 'failed';
    }
  };
  return {
    database: await check('database', async () => {
      await db.probe();
      return true;
    }),
    // A database whose migrations are not complete is never opened.
    migrations: 'ok' as const,
    storage: await check('storage', async () => {
      const { bavail, blocks } = await statfs(config.dataDir);
      return bavail / blocks > FREE_AT_LEAST;
    }),
    // Loaded behind the first answers, so that a start does not wait for it.
    ...(isArgon2Missing() ? { key_derivation: 'failed' as const } : {}),
  };
}
