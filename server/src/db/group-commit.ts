/**
 * Acts of one moment share one commit, and so one wait for the disk (`docs/adr/0012-group-commit.md`). Each is all or nothing by itself; none is fulfilled
 * before the commit that contains it.
 */
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { Beside, Transact } from './database.ts';
import { TransactionGone } from './failures.ts';
import type { Mutex } from './mutex.ts';
import type { Writer } from './sqlite.ts';

/** So many of those that wait when a commit begins are in it; and while there is room, also those that come in its first milliseconds. */
const AT_ONCE = 64;
const TAKES_IN_FOR = 4;
/** So long whoever is in no hurry waits for others to share a commit with: three or four sign-ins of a storm on two cores. */
const UNHURRIED_MS = 40;

interface Act {
  readonly work: (tx: Transact) => Promise<unknown>;
  readonly succeed: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
}

export interface GroupCommit {
  /** Answers what `work` answers, once it is committed. Acts run in the order of their calls, each after all of the one before. */
  run<T>(work: (tx: Transact) => Promise<T>, how?: Beside): Promise<T>;
  /** Nobody else will come. */
  readonly hurry: () => void;
}

/** Each commit takes its turn among those who need the writer for themselves. */
export function groupCommit(writer: Writer, turn: Mutex): GroupCommit {
  const waiting: Act[] = [];
  const savepoints = savepointsOf(writer);
  let isDue = false;
  let unhurried: NodeJS.Timeout | undefined;

  const nobodyWaits = () => {
    clearTimeout(unhurried);
    unhurried = undefined;
  };
  const plan = () => {
    nobodyWaits();
    if (isDue) return;
    isDue = true;
    void turn.run(async () => {
      await everybodyHasCome(waiting);
      isDue = false;
      await commitSome(writer, savepoints, waiting);
      writer.checkpoint();
      if (waiting.length > 0) plan();
      else nobodyWaits();
    });
  };
  return {
    run: <T>(work: (tx: Transact) => Promise<T>, { isUnhurried = false }: Beside = {}) =>
      new Promise<T>((resolve, reject) => {
        // What comes out is what this work has answered.
        waiting.push({ work, succeed: (value) => resolve(value as T), fail: reject });
        if (isUnhurried) unhurried ??= setTimeout(plan, UNHURRIED_MS);
        else plan();
      }),
    hurry: () => {
      if (unhurried !== undefined) plan();
    },
  };
}

/** So many turns of the event loop at most. */
const TURNS = 8;

/**
 * Whatever requests have come by now brings its acts along: while each turn of the event loop brings one more there is no commit, and nobody waits without
 * something being done. What a commit costs by itself is then shared by more of them.
 */
async function everybodyHasCome(waiting: readonly unknown[]): Promise<void> {
  for (let turn = 0, before = -1; turn < TURNS && before < waiting.length && waiting.length < AT_ONCE; turn += 1) {
    before = waiting.length;
    await turnOfTheLoop();
  }
}

/** Runs `work` in a transaction of the writer. */
export async function inTransaction<T>(writer: Writer, work: (tx: Transact) => Promise<T>): Promise<T> {
  const { queries, operation, onFailure } = writer;
  try {
    return await queries.transaction().execute((tx) => operation(() => work(tx)));
  } catch (error) {
    onFailure(error);
    throw error;
  }
}

/** Runs acts from the front of the line in one transaction, and tells each of them how it went once that is committed. */
async function commitSome(writer: Writer, savepoints: Savepoints, waiting: Act[]): Promise<void> {
  if (waiting.length === 0) return;
  const present = waiting.slice(0, AT_ONCE);
  const begun: Act[] = [];
  let outcomes: (() => void)[] = [];
  const runThem = async (tx: Transact) => {
    const until = performance.now() + TAKES_IN_FOR;
    const hasRoom = () => begun.length < present.length || (begun.length < AT_ONCE && performance.now() < until);
    for (let act = waiting[0]; act !== undefined && hasRoom(); act = waiting[0]) {
      begun.push(act);
      waiting.shift();
      outcomes.push(await runOne(writer, tx, act));
    }
  };
  const runThemAgain = async (tx: Transact) => {
    for (const act of begun) outcomes.push(await runBehindSavepoint(savepoints, tx, act));
  };
  const commit = async () => {
    try {
      await inTransaction(writer, runThem);
    } catch (error) {
      if (!(error instanceof HalfDone)) throw error;
      outcomes = [];
      await inTransaction(writer, runThemAgain);
    }
  };
  try {
    await commit();
  } catch (error) {
    // Nothing of it is in the database, whatever they were to be told. Where it could not even begin, nobody else could.
    for (const act of begun.length > 0 ? begun : waiting.splice(0)) act.fail(error);
    return;
  }
  for (const tell of outcomes) tell();
}

/** An act has failed when it had written something, and nothing but the whole transaction can take that back. */
class HalfDone extends Error {}

/**
 * One act, nearly all of which succeed or are refused before they write anything. @throws HalfDone otherwise, and whatever made the engine give up the
 * transaction as a whole
 */
async function runOne(writer: Writer, tx: Transact, { work, succeed, fail }: Act): Promise<() => void> {
  const before = writer.changes();
  try {
    const value = await work(tx);
    // It went on behind a failure that has undone its neighbours, too.
    if (!writer.connection.inTransaction) throw new TransactionGone();
    return () => succeed(value);
  } catch (error) {
    writer.onFailure(error);
    if (!writer.connection.inTransaction) throw error;
    if (writer.changes() !== before) throw new HalfDone();
    return () => fail(error);
  }
}

/** One act: done, or undone as if it had never been. Throws when the engine has given up the transaction as a whole. */
async function runBehindSavepoint(
  savepoints: Savepoints,
  tx: Transact,
  { work, succeed, fail }: Act,
): Promise<() => void> {
  savepoints.begin();
  try {
    const value = await work(tx);
    savepoints.release();
    return () => succeed(value);
  } catch (error) {
    if (!savepoints.areThere()) throw error;
    savepoints.undo();
    return () => fail(error);
  }
}

interface Savepoints {
  begin(): void;
  release(): void;
  /** Undoes everything since `begin`. */
  undo(): void;
  /** Some failures, such as a full disk, may end the whole transaction. */
  areThere(): boolean;
}

function savepointsOf({ connection }: Writer): Savepoints {
  const begin = connection.prepare('savepoint act');
  const release = connection.prepare('release act');
  const undo = connection.prepare('rollback to act');
  return {
    begin: () => void begin.run(),
    release: () => void release.run(),
    undo() {
      undo.run();
      release.run();
    },
    areThere: () => connection.inTransaction,
  };
}
