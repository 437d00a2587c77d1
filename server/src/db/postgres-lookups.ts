/**
 * Reads that find what they ask for by a key: those of the same moment go to a PostgreSQL server together. Each by itself would be a way there and back, which
 * costs several times as much as the answer.
 */
import type { Answer, Statement } from './postgres-batch.ts';
import { StatementsForgotten, endsConnection } from './postgres-pool.ts';
import type { PostgresPool } from './postgres-pool.ts';

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

/** One that fails leaves its neighbours without an answer: they are asked for once more, without it. */
async function answer(pool: PostgresPool, lookups: readonly Lookup[], isAgain = false): Promise<void> {
  let left = lookups;
  try {
    while (left.length > 0) {
      const { given, failure } = await asked(pool, left);
      for (const [at, one] of given.entries()) left[at]?.resolve(one);
      left = left.slice(given.length);
      if (failure === null) return;
      if (endsConnection(failure)) throw failure;
      if (failure instanceof StatementsForgotten && !isAgain) return await answer(pool, left, true);
      left[0]?.reject(failure);
      left = left.slice(1);
    }
  } catch (error) {
    for (const { reject } of left) reject(error);
  }
}

async function asked(pool: PostgresPool, lookups: readonly Lookup[]) {
  const connection = await pool.connect();
  try {
    return await connection.ask(lookups.map(({ statement }) => statement));
  } finally {
    connection.release();
  }
}
