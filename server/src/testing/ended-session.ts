import type { Database, Transact } from '../db/database.ts';
import type { TestApp } from './test-app.ts';
import type { TestAnswer } from './test-client.ts';

/** The answer to a request whose session ends after its authorisation, just before its transaction. */
export const answerAfterEnd = (
  app: Pick<TestApp, 'deps'>,
  userId: string,
  request: () => Promise<TestAnswer>,
): Promise<TestAnswer> =>
  answerAfter(app, (tx) => tx.deleteFrom('sessions').where('user_id', '=', userId).execute(), request);

/** The result of a request when something changes after its authorisation, just before its transaction. */
export async function answerAfter<T>(
  { deps: { db } }: Pick<TestApp, 'deps'>,
  change: (tx: Transact) => Promise<unknown>,
  request: () => Promise<T>,
): Promise<T> {
  const transact: Database['transact'] = db.transact.bind(db);
  let hasChanged = false;
  const changeFirst: Database['transact'] = async (work) => {
    Object.assign(db, { transact });
    await transact(change);
    hasChanged = true;
    return transact(work);
  };
  Object.assign(db, { transact: changeFirst });
  try {
    const answer = await request();
    if (!hasChanged) throw new Error('The request came to no transaction');
    return answer;
  } finally {
    Object.assign(db, { transact });
  }
}
