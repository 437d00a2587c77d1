/**
 * Reads that find what they ask for by a key: those of the same moment go to a PostgreSQL server together. Each by itself would be a way there and back, which
 * costs several times as much as the answer.
 */
import type { Answer, Answers, Statement } from './postgres-batch.ts';
import { StatementsForgotten, endsConnection, isLockedOut, isOutOfTime } from './postgres-pool.ts';
import type { PostgresConnection, PostgresPool } from './postgres-pool.ts';

/** So many at most wait for one another's answers; others take a further connection. */
const TOGETHER = 16;

export type LookUp = (statement: Statement) => Promise<Answer>;

interface Lookup {
  readonly statement: Statement;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export function lookingUp(pool: PostgresPool): LookUp {
  let waiting: Lookup[] = [];
  const send = () => {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += TOGETHER) void answer(pool, all.slice(at, at + TOGETHER));
  };
  return (statement) =>
    new Promise((resolve, reject) => {
      // Behind everything that has arrived with it.
      if (waiting.length === 0) setImmediate(send);
      waiting.push({ statement, resolve, reject });
    });
}

/** Those that one that fails has left without an answer are asked for once more, each by itself: nobody waits for what several of them wait for. */
async function answer(pool: PostgresPool, lookups: readonly Lookup[]): Promise<void> {
  let left = lookups;
  const rejectAll = (error: unknown) => {
    for (const { reject } of left) reject(error);
  };
  try {
    const connection = await pool.connect();
    try {
      const { given, failure } = await askTwice(connection, lookups);
      for (const [at, one] of given.entries()) lookups[at]?.resolve(one);
      left = lookups.slice(given.length);
      if (failure === null) return;
      // The others would wait for as long once more: they have waited for as long as anybody may.
      if (endsConnection(failure) || isOutOfTime(failure)) return rejectAll(failure);
      const [failed] = left;
      failed?.reject(failure);
      left = left.slice(1);
      // Who asks for the same waits for the same.
      const isHopeless = ({ statement }: Lookup) => isLockedOut(failure) && statement.text === failed?.statement.text;
      for (const { reject } of left.filter(isHopeless)) reject(failure);
      left = left.filter((one) => !isHopeless(one));
    } finally {
      connection.release();
    }
    for (const one of left) void answer(pool, [one]);
  } catch (error) {
    // A value that no statement can have, too, and nobody knows whose.
    if (lookups.length > 1 && error instanceof TypeError) for (const one of lookups) void answer(pool, [one]);
    else rejectAll(error);
  }
}

/** A second time on a connection that has to be told of all statements anew. */
async function askTwice(connection: PostgresConnection, lookups: readonly Lookup[]): Promise<Answers> {
  const statements = lookups.map(({ statement }) => statement);
  const first = await connection.ask(statements);
  if (!(first.failure instanceof StatementsForgotten)) return first;
  const { given, failure } = await connection.ask(statements.slice(first.given.length));
  return { given: [...first.given, ...given], failure };
}
