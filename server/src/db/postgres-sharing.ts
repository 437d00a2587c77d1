/**
 * Acts of one moment share a transaction of a PostgreSQL server (`docs/adr/0012-group-commit.md`): they run side by side, and what all of them ask for next goes
 * there together. Each is all or nothing by itself, and none is fulfilled before the commit that contains it.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { keepingAll, nameOfKept, setTurn } from './act-locks.ts';
import type { Kept } from './act-locks.ts';
import type { Transact } from './database.ts';
import { TransactionGone } from './kept-statement.ts';
import { Mutex } from './mutex.ts';
import type { Answer, Statement } from './postgres-batch.ts';
import { BEGIN, COMMIT, transactions } from './postgres-dialect.ts';
import { StatementsForgotten, endsConnection } from './postgres-pool.ts';
import type { PostgresConnection, PostgresPool } from './postgres-pool.ts';
import { NOTHING, isSeveral, resultOf, statementOf } from './postgres-query.ts';

/** So many acts at most share a transaction. */
const TOGETHER = 32;
/** While the server is busy with one transaction, this process prepares another. */
const AT_ONCE = 2;

/** Its transaction has failed, and not because of this act alone: nothing of it was done, and it may be done again. */
export class Undone extends Error {
  /** As after a failed serialization. */
  readonly code = '40001';
  constructor() {
    super('The transaction that the act shared has failed');
    this.name = 'Undone';
  }
}

type Work = (tx: Transact) => Promise<unknown>;

interface Act {
  readonly kept: Kept;
  readonly work: Work;
  readonly succeed: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
  /** Runs while it waits to begin. */
  readonly late: NodeJS.Timeout;
}

export interface Limits {
  /**
   * Most milliseconds that an operation waits to begin, for example behind transactions without a
   * response.
   */
  readonly lineMs: number;
  /** Most milliseconds that a transaction waits for an operation that is idle and does not end. */
  readonly idleMs: number;
  /** Makes the error after a timeout. */
  end(): Error;
}

export interface SharedActs {
  /**
   * Acts that keep the same entry come one after the other.
   * @throws Undone, what `work` throws, and what `limits.end` makes: then nothing of it was done
   */
  run<T>(kept: Kept, work: (tx: Transact) => Promise<T>): Promise<T>;
}

/** @param first statements with which each transaction begins */
export function sharingActs(pool: PostgresPool, first: readonly Statement[], limits: Limits): SharedActs {
  let waiting: Act[] = [];
  /** By transactions under way: whoever waits for one of these would make all others of his own wait. */
  const kept = new Set<string>();
  const transactionOn = transactions();
  let underWay = 0;
  let isDue = false;

  const isFree = (act: Act) => !kept.has(nameOfKept(act.kept));
  const plan = () => {
    if (isDue || underWay === AT_ONCE || !waiting.some(isFree)) return;
    isDue = true;
    // Behind everything that has arrived with it.
    setImmediate(() => {
      isDue = false;
      void share();
    });
  };
  const share = async () => {
    const acts = waiting.filter(isFree).slice(0, TOGETHER);
    if (acts.length === 0) return;
    const chosen = new Set(acts);
    waiting = waiting.filter((act) => !chosen.has(act));
    for (const act of acts) clearTimeout(act.late);
    const names = new Set(acts.map((act) => nameOfKept(act.kept)));
    for (const name of names) kept.add(name);
    underWay += 1;
    plan();
    await new SharedTransaction(acts, { transactionOn, limits }).run(pool, first);
    underWay -= 1;
    for (const name of names) kept.delete(name);
    plan();
  };
  return {
    run: <T>(keeps: Kept, work: (tx: Transact) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const giveUp = () => {
          waiting = waiting.filter((other) => other !== act);
          reject(limits.end());
        };
        // What comes out is what this work has answered.
        const succeed = (value: unknown) => resolve(value as T);
        const act: Act = { kept: keeps, work, succeed, fail: reject, late: setTimeout(giveUp, limits.lineMs) };
        waiting.push(act);
        plan();
      }),
  };
}

/** What one act has of the transaction. */
interface Seat {
  readonly act: Act;
  hasWritten: boolean;
  outcome: { readonly value: unknown } | { readonly error: unknown } | null;
}

interface Asked {
  readonly seat: Seat;
  readonly statement: Statement;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

const NOBODY_WAITS = { resolve: () => {}, reject: () => {} };

interface Surroundings {
  readonly transactionOn: (connection: DatabaseConnection) => Transact;
  readonly limits: Limits;
}

class SharedTransaction {
  readonly #around: Surroundings;
  /** Of those that keep the same entry, the next begins when the one before has ended. */
  readonly #lanes: readonly Act[][];
  /** With which it begins, so that everybody has what he keeps. */
  readonly #locks: readonly Statement[];
  readonly #isAlone: boolean;
  readonly #seats: Seat[] = [];
  /** Their acts have not ended; of these, some wait for their turn and ask for nothing. */
  readonly #live = new Set<Seat>();
  readonly #inLine = new Set<Seat>();
  readonly #turn = new Mutex();
  /** For the next way to the server, and whose acts wait for it. */
  #asked: Asked[] = [];
  readonly #asking = new Set<Seat>();
  #everybodyAsks: (() => void) | null = null;
  #isOver = false;
  /** Why nothing of it is committed, and whose doing that is: nobody's is everybody's failure. */
  #failure: { readonly error: unknown; readonly of: Seat | null } | null = null;

  constructor(acts: readonly Act[], around: Surroundings) {
    this.#around = around;
    this.#locks = keepingAll(acts.map(({ kept }) => kept));
    this.#isAlone = acts.length === 1;
    const ofEntries = new Map<string, Act[]>();
    const others: Act[][] = [];
    for (const act of acts) {
      if ('entry' in act.kept) ofEntries.set(act.kept.entry, [...(ofEntries.get(act.kept.entry) ?? []), act]);
      else others.push([act]);
    }
    this.#lanes = [...ofEntries.values(), ...others];
  }

  /** Tells each act how it went. Never rejected. */
  async run(pool: PostgresPool, first: readonly Statement[]): Promise<void> {
    try {
      const connection = await pool.connect();
      await this.#runOn(connection, first);
      if (this.#failure !== null) await connection.rollback();
      connection.release();
    } catch (error) {
      this.#failure = { error, of: null };
    }
    for (const seat of this.#seats) this.#tell(seat);
    for (const act of this.#lanes.flat()) act.fail(this.#errorOf(null));
  }

  async #runOn(connection: PostgresConnection, first: readonly Statement[]): Promise<void> {
    let opening = [BEGIN, ...first, ...this.#locks];
    for (const lane of this.#lanes) this.#startNext(lane);
    try {
      for (;;) {
        await this.#untilEverybodyAsks();
        if (this.#live.size === 0 || this.#isOver) break;
        await this.#askAll(connection, opening);
        opening = [];
      }
      if (this.#failure === null) await this.#askAll(connection, opening, COMMIT);
    } catch (error) {
      this.#failure = { error, of: null };
    }
  }

  #startNext(lane: Act[]): void {
    const act = this.#failure === null ? lane.shift() : undefined;
    if (act === undefined) return;
    const seat: Seat = { act, hasWritten: false, outcome: null };
    this.#seats.push(seat);
    this.#live.add(seat);
    const ended = (outcome: NonNullable<Seat['outcome']>) => {
      seat.outcome = outcome;
      this.#live.delete(seat);
      if ('error' in outcome) this.#leave(seat, outcome.error);
      this.#startNext(lane);
      this.#look();
    };
    const tx = this.#around.transactionOn({
      executeQuery: (query) => this.#ask(seat, query),
      streamQuery: () => {
        throw new Error('There are no cursors here');
      },
    });
    setTurn(tx, (work) => this.#inTurn(seat, work));
    const working = async () => act.work(tx);
    working().then(
      (value) => ended({ value }),
      (error: unknown) => ended({ error }),
    );
  }

  /** Whoever waits for his turn asks for nothing, and nobody waits for him. */
  async #inTurn<T>(seat: Seat, work: () => Promise<T>): Promise<T> {
    this.#inLine.add(seat);
    this.#look();
    return this.#turn.run(() => {
      this.#inLine.delete(seat);
      return work();
    });
  }

  /** An act that has written something takes all others along when it fails: nothing but the whole transaction can be undone. */
  #leave(seat: Seat, error: unknown): void {
    const dropped = this.#asked.filter((asked) => asked.seat === seat);
    this.#asked = this.#asked.filter((asked) => asked.seat !== seat);
    this.#asking.delete(seat);
    this.#inLine.delete(seat);
    // What waits for an answer may have the turn of others.
    for (const { reject } of dropped) reject(new TransactionGone());
    if (seat.hasWritten) this.#failure ??= { error, of: seat };
  }

  async #ask<Row>(seat: Seat, query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = statementOf(query);
    if (seat.outcome !== null) throw new TransactionGone();
    if (this.#failure !== null) throw this.#errorOf(seat);
    if (isSeveral(statement)) throw new Error('Several statements in one text are for an act that shares nothing');
    if (statement.isSilent === true) {
      this.#asked.push({ seat, statement, ...NOBODY_WAITS });
      return NOTHING;
    }
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.#asked.push({ seat, statement, resolve, reject });
      this.#asking.add(seat);
      this.#look();
    });
    return resultOf(answer);
  }

  /** One way to the server and back, for everybody who has asked. */
  async #askAll(connection: PostgresConnection, opening: readonly Statement[], closing?: Statement): Promise<void> {
    const asked = this.#asked;
    this.#asked = [];
    this.#asking.clear();
    const undone = () => {
      for (const { seat, reject } of asked) reject(this.#errorOf(seat));
    };
    if (this.#failure !== null) return undone();
    const statements = [...opening, ...asked.map(({ statement }) => statement)];
    const all = closing === undefined ? statements : [...statements, closing];
    const { given, failure } = await connection.ask(all).catch((error: Error) => ({ given: [], failure: error }));
    if (failure !== null) {
      this.#failure ??= this.#failureBehind(failure, given.length - opening.length, asked);
      return undone();
    }
    for (const [at, { seat, statement, resolve }] of asked.entries()) {
      const answer = given[opening.length + at] as Answer;
      seat.hasWritten ||= statement.isSilent === true || answer.command !== 'SELECT';
      // It did not wait for what it has written.
      if (seat.outcome !== null && 'error' in seat.outcome) this.#leave(seat, seat.outcome.error);
      resolve(answer);
    }
    // Somebody has kept silent about a failure: the server undoes what it is told to commit then.
    if (closing !== undefined && given.at(-1)?.command !== 'COMMIT') {
      this.#failure ??= { error: new TransactionGone(), of: null };
    }
  }

  /** @param at of the statement that failed among those that were asked for; below 0 it is one of the opening */
  #failureBehind(error: Error, at: number, asked: readonly Asked[]): { error: unknown; of: Seat | null } {
    if (endsConnection(error)) return { error, of: null };
    const isEachOnes = error instanceof TypeError || error instanceof StatementsForgotten;
    // The beginning is everybody's.
    if (at < -this.#locks.length && !isEachOnes) return { error, of: null };
    // Whose lock was not to be had nobody knows, nor whose value no statement can have: each finds out by himself.
    if (at < 0 || error instanceof TypeError) return { error: this.#isAlone ? error : new Undone(), of: null };
    return { error, of: asked[at]?.seat ?? null };
  }

  async #untilEverybodyAsks(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#everybodyAsks = resolve;
      timer = setTimeout(() => this.#giveUp(), this.#around.limits.idleMs);
      this.#look();
    });
    clearTimeout(timer);
    this.#everybodyAsks = null;
  }

  /** Somebody neither asks nor ends. Nobody else waits for that, nor does the next transaction. */
  #giveUp(): void {
    this.#failure ??= { error: this.#around.limits.end(), of: null };
    this.#isOver = true;
    const left = this.#asked;
    this.#asked = [];
    for (const { seat, reject } of left) reject(this.#errorOf(seat));
    this.#everybodyAsks?.();
  }

  #look(): void {
    // Of those in line one is about to go on, or has asked.
    if (this.#asking.size === 0 && this.#live.size > 0) return;
    if (this.#asking.size + this.#inLine.size >= this.#live.size) this.#everybodyAsks?.();
  }

  #tell(seat: Seat): void {
    const { act, outcome } = seat;
    const isOwn = this.#failure === null || this.#failure.of === seat;
    if (outcome !== null && 'error' in outcome && isOwn) act.fail(outcome.error);
    else if (this.#failure !== null || outcome === null) act.fail(this.#errorOf(seat));
    else if ('value' in outcome) act.succeed(outcome.value);
  }

  #errorOf(seat: Seat | null): unknown {
    const { error, of } = this.#failure ?? { error: new TransactionGone(), of: null };
    return of === null || of === seat ? error : new Undone();
  }
}
