/** The request's side of an import: starts the threads, gives the database to them for as long as they write, and hears what came of it. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { startThread } from '../platform/thread.ts';
import type { FromImport, ImportJob, ReadJob, SealJob, SealedSource, StoreJob } from './import-job.ts';
import { fromRefusal } from './refusal.ts';
import type { Stored } from './store-batch.ts';

/**
 * A hostile file runs into the first wall instead of taking the server's memory with it. The second keeps two threads from leaving room for garbage
 * that they need not have: an import makes much of it.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 } as const;
const GRACE_MS = 5000;
/** A thread that was told to end and does not: nobody else waits for it any longer than this. */
const DEADLINE_MS = 10_000;

type Told = Exclude<FromImport, { type: 'turn' }>;
export type JobParts = Omit<ImportJob, 'form'>;

/** Reads and stores a batch that a client has sealed. The bytes of the source are handed over and gone afterwards. */
export function storeSealed(deps: Deps, parts: JobParts, source: SealedSource, signal: AbortSignal): Promise<Stored> {
  const { port1, port2 } = new MessageChannel();
  const reader = startThread('read-worker', import.meta.url, {
    workerData: { source, port: port1 } satisfies ReadJob,
    transferList: [port1, ...[source.json, ...source.bodies.map((body) => body.bytes)].flatMap(transferable)],
    resourceLimits: HEAP,
  });
  return storeFrom(reader, deps, { ...parts, form: 'sealed', port: port2 }, signal);
}

/** Seals a KeePass file in the caller's name and stores the batch meanwhile. */
export function sealAndStore(
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
  return storeFrom(sealer, deps, { ...parts, form: 'plain', port: port2 }, signal);
}

/** Stores what comes from the other thread's port, as far as it comes. */
async function storeFrom(source: Worker, deps: Deps, job: StoreJob, signal: AbortSignal): Promise<Stored> {
  const stop = new AbortController();
  const failed = failureOf(source).catch((error: unknown) => {
    stop.abort();
    throw asOutOfMemory(error);
  });
  try {
    const stored = storeInThread(deps, job, AbortSignal.any([signal, stop.signal]));
    // Whichever fails first has the reason; a source that ends well never decides this race.
    return await Promise.race([stored, failed]);
  } finally {
    failed.catch(() => {});
    await source.terminate();
  }
}

/** Rejects when the thread ends before it has said that it is through; never fulfilled otherwise. */
function failureOf(source: Worker): Promise<never> {
  return new Promise((_, reject) => {
    let isThrough = false;
    source.once('message', () => (isThrough = true));
    source.once('error', reject);
    source.once('exit', () => {
      if (!isThrough) reject(new Error('The thread that reads an import ended without a word'));
    });
  });
}

async function storeInThread(deps: Deps, job: StoreJob, signal: AbortSignal): Promise<Stored> {
  const thread = startThread('import-worker', import.meta.url, {
    workerData: job,
    transferList: [job.port],
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

/** Hears the thread out. While it has the database, nobody else of this process writes. */
function conversation(deps: Deps, thread: Worker, ended: Promise<void>): Promise<Told> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: FromImport) => {
      if (message.type !== 'turn') return resolve(message);
      deps.db
        .exclusive(async () => {
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
  return isMemory ? refuse('file', 'The file could not be read: too many elements.') : error;
}

/** Small buffers share their memory with others. */
const SHARED_BELOW = 1024 * 1024;

/** The memory of these bytes, when they have it for themselves; others are copied instead. */
function transferable(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer, byteLength, byteOffset } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength > SHARED_BELOW;
  return isAlone ? [buffer] : [];
}
