/** The request's side of an import: starts the threads, gives the database to them for as long as they write, and hears what came of it. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import type { Transferable, Worker } from 'node:worker_threads';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { startThread } from '../platform/thread.ts';
import type { FromImport, ImportJob, SealJob, SealedSource } from './import-job.ts';
import { fromRefusal } from './refusal.ts';
import type { Stored } from './store-batch.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/**
 * A hostile file runs into the first wall instead of taking the server's memory with it. The second keeps two threads from leaving room for garbage
 * that they need not have: an import makes much of it.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 } as const;
const GRACE_MS = 5000;
/** A thread that was told to end and does not: nobody else waits for it any longer than this. */
const DEADLINE_MS = 10_000;

type Told = Exclude<FromImport, { type: 'turn' }>;
export type JobParts = Omit<ImportJob, 'source'>;

/** Stores a batch that a client has sealed. The bytes of the source are handed over and gone afterwards. */
export function storeSealed(deps: Deps, parts: JobParts, source: SealedSource, signal: AbortSignal): Promise<Stored> {
  const handOver = [source.json, ...source.bodies.map((body) => body.bytes)].flatMap(transferable);
  return storeInThread(deps, { ...parts, source }, handOver, signal);
}

/** Seals a KeePass file in the caller's name and stores the batch meanwhile. */
export async function sealAndStore(
  deps: Deps,
  parts: JobParts,
  seal: Omit<SealJob, 'port'>,
  signal: AbortSignal,
): Promise<Stored> {
  const { port1, port2 } = new MessageChannel();
  const sealer = startThread('seal-worker', import.meta.url, {
    workerData: { ...seal, port: port1 } satisfies SealJob,
    transferList: [port1, ...transferable(seal.file)],
    resourceLimits: HEAP,
  });
  const stop = new AbortController();
  const failed = failureOf(sealer).catch((error: unknown) => {
    stop.abort();
    throw asOutOfMemory(error);
  });
  try {
    const job: ImportJob = { ...parts, source: { form: 'plain', port: port2 } };
    const stored = storeInThread(deps, job, [port2], AbortSignal.any([signal, stop.signal]));
    // Whichever fails first has the reason; a sealer that ends well never decides this race.
    return await Promise.race([stored, failed]);
  } finally {
    failed.catch(() => {});
    await sealer.terminate();
  }
}

/** Rejects when the thread ends before it has said that it is through; never fulfilled otherwise. */
function failureOf(sealer: Worker): Promise<never> {
  return new Promise((_, reject) => {
    let isThrough = false;
    sealer.once('message', () => (isThrough = true));
    sealer.once('error', reject);
    sealer.once('exit', () => {
      if (!isThrough) reject(new Error('The sealing thread ended without a word'));
    });
  });
}

async function storeInThread(
  deps: Deps,
  job: ImportJob,
  transferList: Transferable[],
  signal: AbortSignal,
): Promise<Stored> {
  const thread = startThread('import-worker', import.meta.url, {
    workerData: job,
    transferList,
    resourceLimits: HEAP,
  });
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  const abort = () => {
    thread.postMessage('abort');
    setTimeout(() => void thread.terminate(), GRACE_MS).unref();
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const told = await Promise.race([conversation(deps, thread, ended), abandonedAfter(signal)]);
    if (told.type === 'refused') throw fromRefusal(told.refusal);
    return { answer: told.answer, isRepeat: told.isRepeat };
  } finally {
    signal.removeEventListener('abort', abort);
    await Promise.race([ended, deadlineOf(thread)]);
  }
}

/** Rejects when nobody waits for the answer and the thread has had more than enough time to end. */
function abandonedAfter(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abandon = () => reject(new AppError('bad_request'));
    const wait = () => setTimeout(abandon, GRACE_MS + DEADLINE_MS).unref();
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

/** The thread has had its say; what is left of it is ended by force. */
async function deadlineOf(thread: Worker): Promise<void> {
  await setTimeoutPromise(DEADLINE_MS, undefined, { ref: false });
  void thread.terminate();
}

/** Hears the thread out. While it has the writer, nobody else of this process writes to an embedded database. */
function conversation(deps: Deps, thread: Worker, ended: Promise<void>): Promise<Told> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: FromImport) => {
      if (message.type !== 'turn') return resolve(message);
      deps.db
        .lendWriter(async () => {
          thread.postMessage('go');
          await ended;
        })
        .catch(reject);
    });
    thread.once('error', (error) => reject(asOutOfMemory(error)));
    void ended.then(() => reject(new Error('The import ended without a word')));
  });
}

/** Too much for the thread is the file's fault; any other crash is a bug of ours. */
function asOutOfMemory(error: unknown): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? refuse('file', SERVER_TEXTS.tooManyElements) : error;
}

/** Small buffers share their memory with others. */
const SHARED_BELOW = 1024 * 1024;

/** The memory of these bytes, when they have it for themselves; others are copied instead. */
function transferable(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer, byteLength, byteOffset } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength > SHARED_BELOW;
  return isAlone ? [buffer] : [];
}
