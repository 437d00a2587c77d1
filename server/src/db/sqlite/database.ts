/** SQLite with one writer and one reader (ADR 3). */
import type { Kysely } from 'kysely';
import type { BodyStore } from '../../platform/storage/bodies.ts';
import { type Database, type Transact, RollBack } from '../database.ts';
import { groupCommit, inTransaction } from './group-commit.ts';
import { Mutex } from '../mutex.ts';
import type { Tables } from '../schema/tables.ts';
import type { Writer } from './connections.ts';

interface Parts {
  readonly path: string;
  readonly read: Kysely<Tables>;
  readonly writer: Writer;
  readonly bodies: BodyStore;
  readonly unlock: () => void;
}

export function embedded({ path, read, writer, bodies, unlock }: Parts): Database {
  const { queries: write, checkpoint } = writer;
  const turn = new Mutex();
  const transact = <T>(work: (tx: Transact) => Promise<T>) =>
    turn.run(() => inTransaction(writer, work).finally(checkpoint));
  return {
    dialect: 'sqlite',
    read,
    path,
    bodies,
    transact,
    transactBeside: groupCommit(writer, turn),
    transactIfFree: async (work) => (turn.isBusy ? null : transact(work)),
    exclusive: (work) => turn.run(work),
    lendWriter: (work) => turn.run(work),
    async probe() {
      await read.selectFrom('site_settings').select('name').limit(1).execute();
      // Proof enough; a long import must not report the process as unready.
      if (turn.isBusy) return;
      await transact(async (tx) => {
        await tx.insertInto('site_settings').values({ name: 'probe', value: '', updated_at: 0 }).execute();
        throw new RollBack();
      }).catch((error: unknown) => {
        if (!(error instanceof RollBack)) throw error;
      });
    },
    async close() {
      await turn.run(async () => {
        await read.destroy();
        await write.destroy();
      });
      unlock();
    },
  };
}
