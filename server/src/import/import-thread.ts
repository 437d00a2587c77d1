/** The request's side of an import: starts the threads, gives the database to them for as long as they write, and hears what came of it. */
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
} from './import-job.ts';
import type { Storing } from './import-turn.ts';
import { fromRefusal } from './refusal.ts';
import { dropLeftStaged, stagingTurn } from './staging.ts';
import type { StagingTurn } from './staging.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

/**
 * A hostile file runs into the first wall instead of taking the server's memory with it. The second keeps two threads from leaving room for garbage
 * that they need not have: an import makes much of it.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 } as const;
/** Sealing makes most garbage of all, and is what such an import waits for. */
const SEALING_HEAP = { ...HEAP, maxYoungGenerationSizeMb: 12 } as const;
/** The second pair of hands has two portions at a time, and never the whole file. */
const HANDS_HEAP = { ...SEALING_HEAP, maxOldGenerationSizeMb: 128 } as const;
const GRACE_MS = 5000;
/** A thread that was told to end and does not: nobody else waits for it any longer than this. */
const DEADLINE_MS = 10_000;

type Told = Exclude<FromImport, { type: 'turn' | 'back' }>;

/** Stores a batch that a client has sealed: one thread checks it, another writes. The bytes of the source are handed over and gone afterwards. */
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

/** A KeePass file, and in whose name it is sealed. */
export interface PlainSource {
  readonly file: Uint8Array;
  /** The file is read meanwhile; nothing comes of it when there are none. */
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

/** The second pair of hands gets ready while the first thread reads the file. */
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
    // Whichever fails first has the reason; a sender that ends well never decides this race.
    const { stored, ended } = await Promise.race([storing, failed]);
    return { stored, ended: Promise.all([ended, stored.isRepeat ? removeBodies() : endAll()]) };
  } catch (error) {
    await removeBodies().catch((failure: unknown) =>
      deps.log.error({ error: failure }, 'files of a failed import could not be removed; the sweep removes them later'),
    );
    throw error;
  }
}

/** Names of the file bodies that these threads have stored so far; they tell each one. */
function storedBodiesOf(senders: readonly Worker[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const sender of senders) {
    sender.on('message', (message: FromSender) => {
      if (message !== 'through') names.add(message.body);
    });
  }
  return names;
}

/** Rejects when the thread ends before it has said that it is through; never fulfilled otherwise. */
function failureOf(sender: Worker): Promise<never> {
  return new Promise((_, reject) => {
    let isThrough = false;
    sender.on('message', (message: FromSender) => {
      if (message !== 'through') return;
      isThrough = true;
      // What it has said is with the other thread; its memory is wanted there.
      void sender.terminate();
    });
    sender.once('error', reject);
    sender.once('exit', () => {
      if (!isThrough) reject(new Error('The thread that makes the batch ended without a word'));
    });
  });
}

async function storeInThread(deps: Deps, job: ImportJob, signal: AbortSignal): Promise<Storing> {
  const staging = stagingTurn(deps);
  const thread = startThread('import-worker', import.meta.url, {
    workerData: job,
    transferList: [job.port],
    resourceLimits: HEAP,
  });
  const exit = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  const abort = () => {
    thread.postMessage('abort');
    setTimeout(() => void thread.terminate(), GRACE_MS).unref();
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const told = await Promise.race([conversation(deps, thread, { exit, staging, signal }), abandonedAfter(signal)]);
    if (told.type === 'refused') throw fromRefusal(told.refusal);
    const ended = Promise.race([exit, deadlineOf(thread)]).finally(() => endStaging(deps, staging));
    return { stored: { answer: told.answer, isRepeat: told.isRepeat }, ended };
  } catch (error) {
    await Promise.race([exit, deadlineOf(thread)]);
    await endStaging(deps, staging);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function endStaging(deps: Deps, staging: StagingTurn): Promise<void> {
  await staging.end().catch((error: unknown) => {
    deps.log.error({ error }, 'rows of a failed import could not be removed; the sweep removes them later');
  });
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

interface Conversation {
  /** Fulfilled when the thread is gone. */
  readonly exit: Promise<void>;
  readonly staging: StagingTurn;
  readonly signal: AbortSignal;
}

/** Hears the thread out. While it has its turn nobody else of this process writes to an embedded database. */
function conversation(deps: Deps, thread: Worker, { exit, staging, signal }: Conversation): Promise<Told> {
  return new Promise((resolve, reject) => {
    let giveBack = () => {};
    const lend = async () => {
      await staging.hold(signal);
      await deps.db.lendWriter(async () => {
        const back = new Promise<void>((given) => (giveBack = given));
        thread.postMessage('go');
        await Promise.race([back, exit]);
      });
    };
    thread.on('message', (message: FromImport) => {
      if (message.type === 'turn') lend().catch(reject);
      else if (message.type === 'back') giveBack();
      else resolve(message);
    });
    thread.once('error', (error) => reject(asOutOfMemory(error)));
    void exit.then(() => reject(new Error('The import ended without a word')));
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
