/** The second thread that seals an import: portions of fields under the group keys that come with them. Ended with the import. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FieldWork } from '@passwordbroker/core/domain/import-fields';
import { risingIds } from '@passwordbroker/core/domain/rising-ids';
import { openBodiesBeside } from '../db/bodies-beside.ts';
import type { PortionBytes } from './batch-rows.ts';
import type { HandsJob } from './import-job.ts';
import { rowsSealer } from './own-rows.ts';
import { asRefusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';

export interface PortionOrder {
  readonly id: number;
  readonly work: readonly FieldWork[];
}

/** The portion, or why there is none. */
export type SealedRows = { readonly id: number } & ({ readonly portion: PortionBytes } | { readonly refusal: Refusal });

const { port, ...job } = workerData as HandsJob;
const bodies = openBodiesBeside(job.databasePath, job.dataDir);
const seal = rowsSealer({ ...job, newId: risingIds(job.now) }, async (bytes) => (await bodies).put(bytes));

async function answer({ id, work }: PortionOrder): Promise<void> {
  try {
    const portion = await seal(work);
    port.postMessage({ id, portion } satisfies SealedRows, [portion.bytes.buffer]);
  } catch (error) {
    port.postMessage({ id, refusal: asRefusal(error) } satisfies SealedRows);
  }
}

async function end(): Promise<void> {
  await (await bodies).close();
  // Whoever started this thread knows by this word that it has ended as it should.
  parentPort?.postMessage('through');
}

port.on('message', (order: PortionOrder) => void answer(order));
port.once('close', () => void end());
