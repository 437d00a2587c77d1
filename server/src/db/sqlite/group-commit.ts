import type { Transact } from '../database.ts';
import { TransactionGone } from '../failures.ts';
import type { Mutex } from '../mutex.ts';
import type { Writer } from './connections.ts';

const MOST = 64;

type Work<T> = (tx: Transact) => Promise<T>;

interface Operation {
  readonly work: Work<unknown>;
  readonly succeed: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Group commit (ADR 12): returns a function that queues an operation and resolves after its commit.
 * Operations share a transaction in call order, each in a savepoint.
 * @param turn held during each commit
 */
export function groupCommit(writer: Writer, turn: Mutex): <T>(work: Work<T>) => Promise<T> {
  const queue: Operation[] = [];
  const savepoint = savepointOf(writer);
  let isPlanned = false;

  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    void turn.run(async () => {
      // Lets arrived requests queue theirs first.
      await new Promise(setImmediate);
      isPlanned = false;
      await commitSome(writer, savepoint, queue);
      writer.checkpoint();
      // Other transactions run first.
      if (queue.length > 0) plan();
    });
  };
  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      queue.push({ work, succeed: (value) => resolve(value as T), fail: reject });
      plan();
    });
}

export async function inTransaction<T>({ queries, operation, onFailure }: Writer, work: Work<T>): Promise<T> {
  try {
    return await queries.transaction().execute((tx) => operation(() => work(tx)));
  } catch (error) {
    onFailure(error);
    throw error;
  }
}

/** Runs queued operations in one transaction, then settles them. */
async function commitSome(writer: Writer, savepoint: Savepoint, queue: Operation[]): Promise<void> {
  if (queue.length === 0) return;
  const begun: Operation[] = [];
  const count = Math.min(queue.length, MOST);
  const outcomes: (() => void)[] = [];
  try {
    await inTransaction(writer, async (tx) => {
      while (begun.length < count) {
        const next = queue.shift() as Operation;
        begun.push(next);
        outcomes.push(await runOne(writer, savepoint, tx, next));
      }
    });
  } catch (error) {
    // Nothing is committed. If the transaction could not begin, all operations fail.
    for (const { fail } of begun.length > 0 ? begun : queue.splice(0)) fail(error);
    return;
  }
  for (const settle of outcomes) settle();
}

/** @throws what made SQLite roll back the whole transaction */
async function runOne(
  writer: Writer,
  savepoint: Savepoint,
  tx: Transact,
  { work, succeed, fail }: Operation,
): Promise<() => void> {
  savepoint.begin();
  try {
    const value = await work(tx);
    // The operation ignored an error that rolled back all.
    if (!writer.connection.inTransaction) throw new TransactionGone();
    savepoint.release();
    return () => succeed(value);
  } catch (error) {
    if (!writer.connection.inTransaction) throw error;
    writer.onFailure(error);
    savepoint.undo();
    return () => fail(error);
  }
}

interface Savepoint {
  begin(): void;
  release(): void;
  undo(): void;
}

function savepointOf({ connection }: Writer): Savepoint {
  const begin = connection.prepare('savepoint operation');
  const release = connection.prepare('release operation');
  const undo = connection.prepare('rollback to operation');
  return {
    begin: () => void begin.run(),
    release: () => void release.run(),
    undo() {
      undo.run();
      release.run();
    },
  };
}
