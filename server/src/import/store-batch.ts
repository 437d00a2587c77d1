/**
 * Stores a whole sealed batch: everything is checked, then everything is written in one transaction, or nothing is. Runs in a thread of its own,
 * with its own writing connection; the database is asked for as late as that costs no time.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { verifyCertificate } from '@passwordbroker/core/domain/certificate';
import type { BulkWriter } from '../db/bulk-writer.ts';
import type { Transact } from '../db/database.ts';
import { brokenUniqueness } from '../db/failures.ts';
import { entryRow, fieldReader } from './batch-fields.ts';
import type { FieldRows, KeepBody } from './batch-fields.ts';
import { groupReader } from './batch-groups.ts';
import type { Importer } from './batch-groups.ts';
import { unknownReference } from './batch-problem.ts';
import type { BatchHead, BatchSource } from './batch-source.ts';
import { findRepeat } from './import-repeat.ts';
import type { ImportAnswer, ImportJob } from './import-job.ts';
import { risingIds } from './rising-ids.ts';
import { beginWriting } from './write-batch.ts';
import type { HeadRows } from './write-batch.ts';

/** While another thread still seals, writing begins when this share has arrived: it is the faster of the two, so they end together. */
const SHARE_BEFORE_WRITING = 0.4;

export interface Surroundings {
  readonly writer: BulkWriter;
  readonly keepBody: KeepBody;
  /** Fulfilled when nobody else writes to the database. */
  readonly askForTurn: () => Promise<void>;
  readonly signal: AbortSignal;
}

export interface Stored {
  readonly answer: ImportAnswer;
  /** The same request had been served before. */
  readonly isRepeat: boolean;
}

/** Throws `AppError` for a batch that must not be stored, and whatever the signal was aborted with. */
export async function storeBatch(job: ImportJob, source: BatchSource, surroundings: Surroundings): Promise<Stored> {
  const { writer, signal, askForTurn } = surroundings;
  const identity = await verifyCertificate(job.certificate);
  const { now, fileLimit } = job;
  const importer: Importer = { userId: job.user.userId, identity, now, fileLimit, newId: risingIds(now) };
  const head = await source.head();
  const headRows = await checkHead(importer, head);
  const portions = readFields(importer, headRows, source, surroundings);
  const waiting = await gather(portions, source.isPaced ? head.fields * SHARE_BEFORE_WRITING : Infinity);
  await askForTurn();
  signal.throwIfAborted();
  const repeated = async (tx: Transact) => {
    const repeat = await findRepeat(tx, job, source, head, waiting);
    return repeat === null ? null : { answer: repeat, isRepeat: true };
  };
  const stored = writer.transact(async (tx, insert) => {
    const before = await repeated(tx);
    if (before !== null) return before;
    const writing = await beginWriting(tx, insert, { job, source, head, rows: headRows, newId: importer.newId });
    await writing.fields(waiting.splice(0));
    for await (const portion of portions) await writing.fields(portion);
    return { answer: await writing.finish(), isRepeat: false };
  });
  return stored.catch(async (error: unknown) => {
    // The same batch at the same time: its groups stood in the way of ours until they were there for good.
    const meanwhile = brokenUniqueness(error) === null ? null : await writer.transact(repeated);
    if (meanwhile === null) throw error;
    return meanwhile;
  });
}

async function checkHead(importer: Importer, head: BatchHead): Promise<HeadRows> {
  const reader = groupReader(importer);
  const groups = [];
  for (const [at, group] of head.groups.entries()) groups.push(await reader.read(group, at));
  const entries = head.entries.map((entry, at) => {
    if (!reader.has(entry.entry_group_id)) throw unknownReference('batch', 'entries', at, 'entry_group_id');
    return entryRow(importer, entry);
  });
  return { groups, entries };
}

/** Fields as rows, checked, in portions; between two portions a message from outside gets through. */
async function* readFields(
  importer: Importer,
  { entries }: HeadRows,
  source: BatchSource,
  { keepBody, signal }: Surroundings,
): AsyncGenerator<FieldRows[]> {
  const entryIds = new Set(entries.map((entry) => entry.entry_id));
  let at = 0;
  for await (const { fields, bodies } of source.portions()) {
    signal.throwIfAborted();
    const parts = new Map(bodies.map(({ part, bytes }) => [part, bytes]));
    const reader = fieldReader(importer, entryIds, parts, keepBody);
    const rows: FieldRows[] = [];
    for (const field of fields) {
      rows.push(await reader.read(field, at));
      at += 1;
    }
    yield rows;
    await nextTurn();
  }
}

async function gather(portions: AsyncGenerator<FieldRows[]>, enough: number): Promise<FieldRows[]> {
  const gathered: FieldRows[] = [];
  while (gathered.length < enough) {
    const next = await portions.next();
    if (next.done === true) break;
    for (const rows of next.value) gathered.push(rows);
  }
  return gathered;
}
