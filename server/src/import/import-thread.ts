import { rm } from 'node:fs/promises';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { removeUnnamedBodies } from '../fields/storage-repository.ts';
import type { Semaphore } from '../platform/semaphore.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { startThread } from '../platform/thread.ts';
import {
  fromRefusal,
  type FromImport,
  type ImportJob,
  type JobParts,
  type KeepassSource,
  type SealKeys,
  type SealedSource,
  type StoredSource,
  type ToImport,
} from './import-job.ts';
import { fileOfRows } from './portion-bytes.ts';
import { dropLeftStaged, stagingLock, type StagingLock } from './staging.ts';
import type { Stored } from './store-batch.ts';

/** Limits the memory that a hostile file can take. */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 12 } as const;
const GRACE_MS = 5000;
const DEADLINE_MS = 10_000;

export interface Storing {
  readonly stored: Stored;
  /** Resolves once the thread has exited and cleanup is done. */
  readonly ended: Promise<unknown>;
}

/** Runs `work` in the import queue until `ended` resolves. @throws AppError `unavailable` if it is full */
export function inTurn(imports: Semaphore, work: () => Promise<Storing>): Promise<Stored> {
  return new Promise((resolve, reject) => {
    imports
      .run(async () => {
        const { stored, ended } = await work();
        resolve(stored);
        await ended;
      })
      .catch(reject);
  });
}

/** Detaches the bytes of `source`. */
export async function storeSealed(
  deps: Deps,
  parts: JobParts,
  source: SealedSource | StoredSource,
  signal: AbortSignal,
): Promise<Storing> {
  await dropLeftStaged(deps);
  return store(deps, startImport({ ...parts, source }), parts.operationId, signal);
}

/** As `storeSealed`. Reads the file while `keys` is pending; a rejection stops it. */
export async function sealAndStore(
  deps: Deps,
  parts: JobParts,
  source: KeepassSource,
  keys: Promise<SealKeys>,
  signal: AbortSignal,
): Promise<Storing> {
  await dropLeftStaged(deps);
  const thread = startImport({ ...parts, source });
  const noKeys = new AbortController();
  keys.then(
    (opened) => thread.postMessage(opened satisfies ToImport),
    () => noKeys.abort(),
  );
  return store(deps, thread, parts.operationId, AbortSignal.any([signal, noKeys.signal]));
}

function startImport(job: ImportJob): Worker {
  const { source } = job;
  return startThread('import-worker', import.meta.url, {
    workerData: job,
    transferList: bytesOf(source).flatMap(transferable),
    resourceLimits: HEAP,
  });
}

function bytesOf(source: ImportJob['source']): readonly Uint8Array[] {
  if ('file' in source) return [source.file];
  return 'json' in source ? [source.json, ...source.bodies.map(({ bytes }) => bytes)] : [];
}

const SHARED_BELOW = 1024 * 1024;

/** Small buffers share a pool, which must not be detached. */
function transferable(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer, byteLength, byteOffset } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength > SHARED_BELOW;
  return isAlone ? [buffer] : [];
}

async function store(deps: Deps, thread: Worker, operationId: string, signal: AbortSignal): Promise<Storing> {
  const staging = stagingLock(deps);
  const bodies: string[] = [];
  thread.on('message', (message: FromImport) => {
    if (message.type === 'body') bodies.push(message.name);
  });
  const exit = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
  const abort = () => {
    thread.postMessage('abort' satisfies ToImport);
    setTimeout(() => void thread.terminate(), GRACE_MS).unref();
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const cleanUp = async (isStored: boolean) => {
    await Promise.race([exit, deadlineOf(thread)]);
    await logged(deps, 'Rows of a failed import could not be removed; the next sweep removes them', () =>
      staging.release(),
    );
    // A terminated thread has not removed it.
    await rm(fileOfRows({ dataDir: deps.config.dataDir, operationId }), { force: true });
    if (isStored) return;
    await logged(deps, 'Files of a failed import could not be removed; the next sweep removes them', async () => {
      await deps.bodies.removeHalfWritten(operationId);
      await removeUnnamedBodies(deps, bodies);
    });
  };
  try {
    const result = await Promise.race([resultOf(deps, thread, { exit, staging, signal }), abandonedAfter(signal)]);
    if (result.type === 'refused') throw fromRefusal(result.refusal);
    const { answer, isRepeat } = result;
    // A repeat has stored its file bodies again.
    return { stored: { answer, isRepeat }, ended: cleanUp(!isRepeat) };
  } catch (error) {
    await cleanUp(false);
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const logged = (deps: Deps, text: string, work: () => Promise<void>) =>
  work().catch((error: unknown) => deps.log.error({ error }, text));

/** Rejects 15 s after the abort of the request. */
function abandonedAfter(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abandon = () => reject(new AppError('bad_request'));
    const wait = () => setTimeout(abandon, GRACE_MS + DEADLINE_MS).unref();
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true });
  });
}

async function deadlineOf(thread: Worker): Promise<void> {
  await setTimeoutPromise(DEADLINE_MS, undefined, { ref: false });
  void thread.terminate();
}

interface Context {
  readonly exit: Promise<void>;
  readonly staging: StagingLock;
  readonly signal: AbortSignal;
}

function resultOf(deps: Deps, thread: Worker, { exit, staging, signal }: Context) {
  return new Promise<Extract<FromImport, { type: 'done' | 'refused' }>>((resolve, reject) => {
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
      else if (message.type !== 'body') resolve(message);
    });
    thread.once('error', (error) => reject(asOutOfMemory(error)));
    void exit.then(() => reject(new Error('Import worker exited without a result')));
  });
}

function asOutOfMemory(error: unknown): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? refuse('file', SERVER_TEXTS.tooManyElements) : error;
}
