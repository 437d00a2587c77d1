/** Whether the process can serve: the database takes a write, the schema is ours, the disk is not nearly full (docs/spec/threats.md §5.2.5), and keys can be derived. */
import type { Deps } from '../http/context.ts';
import { isArgon2Missing } from '../platform/passwords/argon2.ts';

type Check = 'ok' | 'failed';

export async function checkReadiness({ db, space, log }: Deps) {
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
      return (await space.problem()) === null;
    }),
    // Loaded behind the first answers, so that a start does not wait for it.
    ...(isArgon2Missing() ? { key_derivation: 'failed' as const } : {}),
  };
}
