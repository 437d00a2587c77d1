/** Imports that stop between two transactions, as if the process died. */
import { fillPath } from '@passwordbroker/core/contract/endpoint';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { ROUTES } from '../../app/app.ts';
import { openBulkWriter } from '../../db/bulk/writer.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { listCertificates } from '../../users/keys/key-repository.ts';
import { checkedRows } from '../checked-rows.ts';
import type { JobParts } from '../import-job.ts';
import { sealedSource } from '../sealed-source.ts';
import { storeBatch, type Stored } from '../store-batch.ts';
import type { TestBatch } from './sealed-batch.ts';
import { waitingInMemory } from '../portion-bytes.ts';

export const UUIDS = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

class Died extends Error {}

export interface StagedImport {
  readonly operationId: string;
  /** Number of committed transactions. */
  readonly turns: number;
  /** Null if the import was stopped. */
  readonly stored: Stored | null;
}

/**
 * Imports like the server's threads.
 * @param beforeTurn called before each transaction with its number; false stops there
 */
export async function storeUntil(
  app: TestApp,
  person: SignedIn,
  { batch, bodies }: TestBatch,
  beforeTurn: (turn: number) => Promise<boolean> | boolean,
): Promise<StagedImport> {
  const [certificate] = await listCertificates(app.deps.db, person.userId);
  if (certificate === undefined) throw new Error('The person needs keys');
  const job: JobParts = {
    databasePath: app.deps.db.path,
    dataDir: app.dataDir,
    operationId: app.deps.newId(),
    user: person,
    certificate,
    origin: { address: '127.0.0.1', agentHash: null, userAgent: '', client: null },
    noticesFrom: null,
    fileLimit: 25 * 1024 * 1024,
    now: app.clock.now(),
  };
  const parts = Object.entries(bodies).map(([part, bytes]) => ({ part, bytes }));
  const source = sealedSource({ json: utf8(JSON.stringify(batch)), isWholeBody: false, bodies: parts });
  const rows = checkedRows(job, source, (bytes) => app.deps.bodies.put(bytes));
  const writer = await openBulkWriter(app.deps.db.path);
  let turns = 0;
  const withWriter = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!(await beforeTurn(turns))) throw new Died();
    const value = await app.deps.db.lendWriter(work);
    turns += 1;
    return value;
  };
  try {
    const signal = new AbortController().signal;
    const stored = await storeBatch(job, rows, {
      writer,
      withWriter,
      signal,
      bodies: app.deps.bodies,
      waiting: waitingInMemory(),
    });
    return { operationId: job.operationId, turns, stored };
  } catch (error) {
    if (error instanceof Died) return { operationId: job.operationId, turns, stored: null };
    throw error;
  } finally {
    await writer.close();
  }
}

/** The answers of all GET calls to this person, with these ids in their paths. @param word to search for */
export async function everyAnswer(
  person: SignedIn,
  word: string,
  ids: Readonly<Record<string, string>>,
): Promise<string> {
  const answers: string[] = [];
  for (const { endpoint } of ROUTES) {
    if (endpoint.method !== 'GET' || endpoint.path.endsWith('/logout')) continue;
    const url = fillPath<string>(endpoint.path, ids);
    const queries = endpoint.path.endsWith('/search') || url.includes('search') ? [`?q=${word}`, '?q='] : [''];
    for (const query of queries) {
      const answer = await person.request({ path: url + query });
      answers.push(`${url} ${answer.status} ${answer.text}`);
    }
  }
  return answers.join('\n');
}
