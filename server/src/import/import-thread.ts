/**
 * Runs an import from the main thread: starts its threads, lends them the database writer, and
 * returns their result.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import type { Worker } from 'node:worker_threads';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { removeUnnamedBodies } from '../fields/body-repository.ts';
import { startThread } from '../platform/thread.ts';
import type {
  CheckJob,
  FromImport,
  FromSender,
  HandsJob,
  ImportJob,
  JobParts,
  SealJob,
  SealKeys,
  SealedSource,
  ToImport,
} from './import-job.ts';
import type { Storing } from './import-turn.ts';
import { fromRefusal } from './refusal.ts';
import { dropLeftStaged, stagingLock } from './staging.ts';
import type { StagingLock } from './staging.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/**
 * The old generation bounds the memory of a hostile file; a small young generation keeps garbage
 * from adding up.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 } as const;
/** Sealing makes the most garbage and is the slowest part. */
const SEALING_HEAP = { ...HEAP, maxYoungGenerationSizeMb: 12 } as const;
/** The second sealing thread holds at most two portions, never the whole file. */
const HANDS_HEAP = { ...SEALING_HEAP, maxOldGenerationSizeMb: 128 } as const;
const GRACE_MS = 5000;
/** A thread that does not end by itself is terminated after this time. */
const DEADLINE_MS = 10_000;

type Told = Exclude<FromImport, { type: 'acquire' | 'release' }>;

/**
 * Stores a batch that a client has sealed: one thread checks it, another writes. Detaches the bytes
 * of `source`.
 */
export async function storeSealed(
  deps: Deps,
  parts: JobParts,
  source: SealedSource,
  signal: AbortSignal,
): Promise<Storing> {
  await dropLeftStaged(deps);
  const { port1, port2 } = new MessageChannel();
  const checker = startThread('check-worker', import.meta.url, {
    workerData: { ...parts, source, port: port1 } satisfies CheckJob,
    transferList: [port1, ...[source.json, ...source.bodies.map(({ bytes }) => bytes)].flatMap(transferable)],
    resourceLimits: HEAP,
  });
  return storeFrom(deps, [checker], { ...parts, port: port2 }, signal);
}

/** A KeePass file, and the keys of the person who imports it. */
export interface PlainSource {
  readonly file: Uint8Array;
  /** The file is read while this is pending; a rejection stops the import. */
  readonly keys: Promise<SealKeys>;
}

/** Seals a KeePass file in the caller's name, in two threads, and stores the batch. */
export async function sealAndStore(
  deps: Deps,
  parts: JobParts,
  { file, keys }: PlainSource,
  signal: AbortSignal,
): Promise<Storing> {
  await dropLeftStaged(deps);
  const { port1, port2 } = new MessageChannel();
  const hands = availableParallelism() < 2 ? null : startHands(parts);
  const sealer = startThread('seal-worker', import.meta.url, {
    workerData: { ...parts, file, port: port1, hands: hands?.port ?? null } satisfies SealJob,
    transferList: [port1, ...(hands === null ? [] : [hands.port]), ...transferable(file)],
    resourceLimits: SEALING_HEAP,
  });
  const noKeys = new AbortController();
  keys.then(
    (opened) => sealer.postMessage(opened satisfies SealKeys),
    () => noKeys.abort(),
  );
  const senders = hands === null ? [sealer] : [sealer, hands.thread];
  return storeFrom(deps, senders, { ...parts, port: port2 }, AbortSignal.any([signal, noKeys.signal]));
}

/** Starts the second sealing thread; it loads while the first one reads the file. */
function startHands({ databasePath, dataDir, operationId, now, fileLimit, user: { userId } }: JobParts) {
  const { port1, port2 } = new MessageChannel();
  const thread = startThread('hands-worker', import.meta.url, {
    workerData: { databasePath, dataDir, operationId, now, fileLimit, userId, port: port1 } satisfies HandsJob,
    transferList: [port1],
    resourceLimits: HANDS_HEAP,
  });
  return { thread, port: port2 };
}

/** Stores what comes through the port of the job. */
async function storeFrom(
  deps: Deps,
  senders: readonly Worker[],
  job: ImportJob,
  signal: AbortSignal,
): Promise<Storing> {
  const stop = new AbortController();
  const failed = Promise.race(senders.map(failureOf)).catch((error: unknown) => {
    stop.abort();
    throw asOutOfMemory(error);
  });
  failed.catch(() => {});
  const endAll = () => Promise.all(senders.map((sender) => sender.terminate()));
  const bodies = storedBodiesOf(senders);
  const removeBodies = async () => {
    await endAll();
    await deps.bodies.removeHalfWritten(job.operationId);
    await removeUnnamedBodies(deps, [...bodies]);
  };
  try {
    const storing = storeInThread(deps, job, AbortSignal.any([signal, stop.signal]));
    // `failed` never fulfils: it only brings the reason if a sender fails first.
    const { stored, ended } = await Promise.race([storing, failed]);
    return { stored, ended: Promise.all([ended, stored.isRepeat ? removeBodies() : endAll()]) };
  } catch (error) {
    await removeBodies().catch((failure: unknown) =>
      deps.log.error({ error: failure }, 'Files of a failed import could not be removed; the next sweep removes them'),
    );
    throw error;
  }
}

/** Names of the file bodies that these threads have stored; the set grows while they run. */
function storedBodiesOf(senders: readonly Worker[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const sender of senders) {
    sender.on('message', (message: FromSender) => {
      if (message !== 'through') names.add(message.body);
    });
  }
  return names;
}

/** Rejects when the thread ends before its message `through`; never fulfils. */
function failureOf(sender: Worker): Promise<never> {
  return new Promise((_, reject) => {
    let isThrough = false;
    sender.on('message', (message: FromSender) => {
      if (message !== 'through') return;
      isThrough = true;
      // All its messages are queued at the other thread; this frees its memory early.
      void sender.terminate();
    });
    sender.once('error', reject);
    sender.once('exit', () => {
      if (!isThrough) reject(new Error('Import worker exited without a result'));
    });
  });
}

async function storeInThread(deps: Deps, job: ImportJob, signal: AbortSignal): Promise<Storing> {
  const staging = stagingLock(deps);
  const thread = startThread('import-worker', import.meta.url, {
    workerData: job,
    transferList: [job.port],
    resourceLimits: HEAP,
  });
  const exit = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  const abort = () => {
    thread.postMessage('abort' satisfies ToImport);
    setTimeout(() => void thread.terminate(), GRACE_MS).unref();
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const told = await Promise.race([conversation(deps, thread, { exit, staging, signal }), abandonedAfter(signal)]);
    if (told.type === 'refused') throw fromRefusal(told.refusal);
    const ended = Promise.race([exit, deadlineOf(thread)]).finally(() => releaseStaging(deps, staging));
    return { stored: { answer: told.answer, isRepeat: told.isRepeat }, ended };
  } catch (error) {
    await Promise.race([exit, deadlineOf(thread)]);
    await releaseStaging(deps, staging);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function releaseStaging(deps: Deps, staging: StagingLock): Promise<void> {
  await staging.release().catch((error: unknown) => {
    deps.log.error({ error }, 'Rows of a failed import could not be removed; the next sweep removes them');
  });
}

/** Rejects when the thread has not answered 15 s after the request was aborted; never fulfils. */
function abandonedAfter(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abandon = () => reject(new AppError('bad_request'));
    const wait = () => setTimeout(abandon, GRACE_MS + DEADLINE_MS).unref();
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

/** Terminates the thread after `DEADLINE_MS`. */
async function deadlineOf(thread: Worker): Promise<void> {
  await setTimeoutPromise(DEADLINE_MS, undefined, { ref: false });
  void thread.terminate();
}

interface Conversation {
  /** Fulfilled when the thread has exited. */
  readonly exit: Promise<void>;
  readonly staging: StagingLock;
  readonly signal: AbortSignal;
}

/**
 * Resolves with the result of the thread. Lends it the writer between its `acquire` and `release`.
 */
function conversation(deps: Deps, thread: Worker, { exit, staging, signal }: Conversation): Promise<Told> {
  return new Promise((resolve, reject) => {
    let release = () => {};
    const lend = async () => {
      await staging.acquire(signal);
      await deps.db.lendWriter(async () => {
        const released = new Promise<void>((resolve) => (release = resolve));
        thread.postMessage('acquired' satisfies ToImport);
        await Promise.race([released, exit]);
      });
    };
    thread.on('message', (message: FromImport) => {
      if (message.type === 'acquire') lend().catch(reject);
      else if (message.type === 'release') release();
      else resolve(message);
    });
    thread.once('error', (error) => reject(asOutOfMemory(error)));
    void exit.then(() => reject(new Error('Import worker exited without a result')));
  });
}

/** Turns an out-of-memory crash into a refusal of the file; other errors are bugs and stay. */
function asOutOfMemory(error: unknown): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? refuse('file', SERVER_TEXTS.tooManyElements) : error;
}

/** Node allocates small buffers from a shared pool. */
const SHARED_BELOW = 1024 * 1024;

/** The buffer of these bytes if they own it alone; otherwise empty, and they are copied. */
function transferable(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer, byteLength, byteOffset } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength > SHARED_BELOW;
  return isAlone ? [buffer] : [];
}
