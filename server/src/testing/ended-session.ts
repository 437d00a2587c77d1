import type { Database } from '../db/database.ts';
import type { TestApp } from './test-app.ts';
import type { TestAnswer } from './test-client.ts';

/** The answer to a request whose session ends after its authorisation, just before its transaction. */
export async function answerAfterEnd(
  { deps: { db } }: TestApp,
  userId: string,
  request: () => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const transact: Database['transact'] = db.transact.bind(db);
  let hasEnded = false;
  const endFirst: Database['transact'] = async (work) => {
    Object.assign(db, { transact });
    await transact((tx) => tx.deleteFrom('sessions').where('user_id', '=', userId).execute());
    hasEnded = true;
    return transact(work);
  };
  Object.assign(db, { transact: endFirst });
  const answer = await request();
  if (!hasEnded) throw new Error('The request came to no transaction');
  return answer;
}
