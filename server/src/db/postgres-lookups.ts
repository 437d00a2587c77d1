/**
 * Reads that find what they ask for by a key: those of the same moment go to a PostgreSQL server together. Each by itself would be a way there and back, which
 * costs several times as much as the answer.
 */
import type { Answer, Statement } from './postgres-batch.ts';
import { StatementsForgotten, endsConnection } from './postgres-pool.ts';
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

async function answer(pool: PostgresPool, lookups: readonly Lookup[]): Promise<void> {
  const left = [...lookups];
  try {
    const connection = await pool.connect();
    try {
      await answerOn(connection, left);
    } finally {
      connection.release();
    }
  } catch (error) {
    for (const { reject } of left) reject(error);
  }
}

/** One that fails leaves those behind it without an answer: they are asked for once more, without it. @param left those without an answer: nobody in the end */
async function answerOn(connection: PostgresConnection, left: Lookup[]): Promise<void> {
  let isForgotten = false;
  while (left.length > 0) {
    const { given, failure } = await connection.ask(left.map(({ statement }) => statement));
    for (const [at, { resolve }] of left.splice(0, given.length).entries()) resolve(given[at] as Answer);
    if (failure === null) return;
    if (endsConnection(failure)) throw failure;
    // This connection tells all of them anew then.
    const isAgain: boolean = failure instanceof StatementsForgotten && !isForgotten;
    isForgotten ||= isAgain;
    if (!isAgain) left.shift()?.reject(failure);
  }
}
