import { rm, stat } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { v7 } from 'uuid';
import { AppError } from '@passwordbroker/core/contract/problem';
import { openBodiesBeside } from '../../db/bodies/bodies-beside.ts';
import { openBulkWriter } from '../../db/bulk/writer.ts';
import { switchOver, takeFilesOver } from '../../recovery/switch-over.ts';
import { ArchiveError } from '../archive/archive-problem.ts';
import type { BackupJob, FromBackup, Proven, RecoverJob, ToBackup } from './backup-thread.ts';
import { createArchive, proveArchive } from '../restore/prove-archive.ts';
import { restoreArchive } from '../restore/restore-archive.ts';

const TELL_EVERY_MS = 300;

const port = parentPort;
if (port === null) throw new Error('This file is the entry of a thread');
const job = workerData as BackupJob;
const abort = new AbortController();
let go = () => {};
const turn = new Promise<void>((resolve) => (go = resolve));
port.on('message', (message: ToBackup) => (message === 'go' ? go() : abort.abort()));
const say = (message: FromBackup) => port.postMessage(message);

let toldAt = 0;
const watch = {
  signal: abort.signal,
  onProgress(part: number) {
    const now = performance.now();
    if (now - toldAt < TELL_EVERY_MS) return;
    toldAt = now;
    say({ type: 'progress', part });
  },
};

function work(): Promise<Proven> {
  switch (job.kind) {
    case 'create':
      return createArchive(job, watch);
    case 'verify':
      return proveArchive(job.path, job.opener, job, watch);
    case 'recover':
      return recover(job);
  }
}

async function recover({ path, password, source, dataDir, switching }: RecoverJob): Promise<Proven> {
  const opener = password === null ? null : { password };
  const { scratchDir, now } = switching;
  const { counts } = await restoreArchive({ path, opener, scratchDir, keepBodies: true, now }, watch);
  const { size } = await stat(path);
  const bodies = await openBodiesBeside(source.path, dataDir);
  // It takes long, so before exclusive use.
  await takeFilesOver(switching, bodies).finally(() => bodies.close());
  say({ type: 'turn' });
  await turn;
  const writer = await openBulkWriter(source.path);
  try {
    await switchOver(switching, { writer, newId: () => v7() });
  } finally {
    // Closed before the server gets the database back.
    await writer.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
  return { size, sha256: null, counts };
}

function refusalOf(error: unknown): FromBackup {
  if (error instanceof ArchiveError) return { type: 'refused', fault: error.fault, detail: error.detail };
  if (error instanceof AppError && error.code === 'forbidden') return { type: 'not empty' };
  const known: Error & { code?: unknown } = error instanceof Error ? error : new Error('');
  const { message, code, name, stack = '' } = known;
  return { type: 'failed', message, code: typeof code === 'string' ? code : '', origin: { name, stack } };
}

work()
  .then(
    (proven) => say({ type: 'done', proven }),
    (error: unknown) => say(refusalOf(error)),
  )
  .finally(() => port.close());
