import { lstatSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { digestOfFile } from '../archive-files.ts';
import type { FileDigest } from '../archive-files.ts';
import { CopyFailed, ITSELF } from './second-target.ts';
import type { CopyJob, FromCopy } from './copy-thread.ts';
import { folderStore } from './folder-target.ts';
import { s3Store } from './s3-target.ts';

const TELL_EVERY_MS = 500;

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a thread');
const job = workerData as CopyJob;
const say = (message: FromCopy) => port.postMessage(message);

let toldAt = 0;
function alive(): void {
  const now = performance.now();
  if (now - toldAt < TELL_EVERY_MS) return;
  toldAt = now;
  say({ type: 'alive' });
}

const store = job.target.kind === 'folder' ? folderStore(job.target, job.id, alive) : s3Store(job.target, alive);

/** Accepts an equal copy of an unrecorded attempt. */
async function copy({ name, source, expected }: Extract<CopyJob, { kind: 'copy' }>): Promise<void> {
  const archive = readSource(source);
  if (expected.sha256 !== null && (archive.sha256 !== expected.sha256 || archive.size !== expected.size)) {
    throw new CopyFailed('The archive has changed since it was proven, so it is not copied.', 'changed', true);
  }
  if (await store.isSource(name, source)) throw new CopyFailed(ITSELF, 'itself', true);
  const before = await store.digest(name, archive.size);
  if (before !== null) {
    if (isSame(before, archive)) return;
    throw new CopyFailed('There is another file of this name in the second target.', 'taken', true);
  }
  await store.put(name, source, archive);
  const after = await store.digest(name, archive.size);
  if (after !== null && isSame(after, archive)) return;
  if (after !== null) await store.remove(name);
  throw new CopyFailed('What was read back from the second target differs from the archive.', 'differs');
}

function readSource(path: string): FileDigest {
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const digest = isFile ? digestOfFile(path, alive) : null;
  if (digest === null) throw new CopyFailed('The archive is not in BACKUP_DIR any more.', 'missing', true);
  return digest;
}

const isSame = (one: FileDigest, other: FileDigest) => one.size === other.size && one.sha256 === other.sha256;

function failureOf(error: unknown): FromCopy {
  if (error instanceof CopyFailed) {
    return { type: 'failed', sentence: error.message, code: error.code, isFinal: error.isFinal };
  }
  // Without the message: it may name a path.
  const { name, stack = '' } = error instanceof Error ? error : new Error('');
  return { type: 'broken', name, stack };
}

(job.kind === 'copy' ? copy(job) : store.remove(job.name))
  .then(
    () => say({ type: 'done' }),
    (error: unknown) => say(failureOf(error)),
  )
  .finally(() => port.close());
