/**
 * The second thread that seals an import: portions of fields under the group keys that come with
 * them.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { FieldWork } from '@passwordbroker/core/domain/import/import-fields';
import { monotonicIds } from '@passwordbroker/core/domain/monotonic-ids';
import type { PortionBytes } from './batch-rows.ts';
import { openImportBodies } from './import-bodies.ts';
import type { HandsJob } from './import-job.ts';
import { rowsSealer } from './own-rows.ts';
import { asRefusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';

/** A portion to seal, or the end of the import. */
export type ToHands = { readonly id: number; readonly work: readonly FieldWork[] } | 'end';

/** The sealed portion, or the refusal. */
export type FromHands = { readonly id: number } & ({ readonly portion: PortionBytes } | { readonly refusal: Refusal });

const { port, ...job } = workerData as HandsJob;
const bodies = openImportBodies(job);
// A failure to open is reported when a body is stored; most imports store none.
bodies.catch(() => {});
const seal = rowsSealer({ ...job, newId: monotonicIds(job.now) }, async (bytes) => (await bodies).keep(bytes));

async function answer({ id, work }: Exclude<ToHands, 'end'>): Promise<void> {
  try {
    const portion = await seal(work);
    port.postMessage({ id, portion } satisfies FromHands, [portion.bytes.buffer]);
  } catch (error) {
    port.postMessage({ id, refusal: asRefusal(error) } satisfies FromHands);
  }
}

async function end(): Promise<void> {
  await bodies.then((opened) => opened.close()).catch(() => {});
  // Tells the thread that started this one that the exit is expected.
  parentPort?.postMessage('through');
  port.close();
}

port.on('message', (message: ToHands) => void (message === 'end' ? end() : answer(message)));
