/**
 * An import that does not fit into one request (docs/spec/api.md §3.10). Its parts wait unread in the body store, in no
 * backup, until all are there; then they are stored as one import.
 */
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { startParts } from '@passwordbroker/core/contract/entries/import-parts';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../../db/database.ts';
import { refuseOverQuota } from '../../fields/storage.ts';
import { removeUnnamedBodies } from '../../fields/storage-repository.ts';
import { tooLarge, type UploadedFile } from '../../http/body/body.ts';
import type { Actor, Deps } from '../../http/context.ts';
import type { StoredSource } from '../import-job.ts';
import type { Stored } from '../store-batch.ts';
import {
  deleteImports,
  deleteParts,
  findImportAndLock,
  type ImportPartRow,
  type ImportRow,
  insertImport,
  insertParts,
  listImportsOf,
  listParts,
  updateImport,
} from './part-repository.ts';

/** For scripts: the web client causes none of them. */
const TEXTS = {
  partMissing: (part: number) => `Part ${part} is missing`,
  partsStored: 'This import has been stored',
  partsBeingStored: 'This import is being stored',
} as const;

const HOUR = 60 * 60_000;
/** After the last call. */
const LIVES_MS = HOUR;
/** Calls do not keep it longer. */
const LIVES_MOST_MS = 6 * HOUR;
/** Longer than an import takes: a process that died does not block the person. */
const STORING_MOST_MS = HOUR / 4;
/** Waiting rows, write-ahead log and table. */
const TIMES_WRITTEN = 3;
const BATCH = 'batch';
const FILE = /^file_[0-9a-f-]{36}_\d{1,10}$/;

interface Asking {
  readonly deps: Deps;
  readonly actor: Actor;
}

/**
 * Ends the person's older import.
 * @throws AppError `quota_exceeded`; `insufficient_storage`; `conflict` while the older one is stored
 */
export async function beginImport(
  { deps, actor }: Asking,
  { parts, bytes }: BodyOf<typeof startParts>,
): Promise<AnswerOf<typeof startParts>> {
  const { userId } = actor;
  await refuseOverQuota(deps.db, userId, bytes);
  await demandRoom(deps, (1 + TIMES_WRITTEN) * bytes);
  const now = deps.clock.now();
  const times = { created_at: now, called_at: now, storing_at: null };
  const row = { import_id: deps.newId(), user_id: userId, parts, bytes, operation_id: null, ...times };
  const left = await deps.db.transact(async (tx) => {
    for (const older of await listImportsOf(tx, userId)) refuseWhileStored(older, now);
    const bodies = await deleteImports(tx, { userId });
    await insertImport(tx, row);
    return bodies;
  });
  await removeUnnamedBodies(deps, left);
  return { import_id: row.import_id, expires_at: new Date(now + LIVES_MS).toISOString() };
}

async function demandRoom({ space }: Deps, bytes: number): Promise<void> {
  const room = space.book();
  await room.demand(bytes).finally(() => room.release());
}

/** @throws AppError `not_found` also after its time; `conflict` for one that is stored or is being stored */
async function findOpen(tx: Transact, { deps, actor }: Asking, importId: string): Promise<ImportRow> {
  const row = await findImportAndLock(tx, importId, actor.userId);
  const now = deps.clock.now();
  if (row === undefined || row.called_at + LIVES_MS <= now || row.created_at + LIVES_MOST_MS <= now)
    throw new AppError('not_found');
  refuseWhileStored(row, now);
  if (row.operation_id === null) return row;
  throw new AppError('conflict', { message: TEXTS.partsStored, details: { operation_id: row.operation_id } });
}

function refuseWhileStored({ storing_at }: ImportRow, now: number): void {
  if (storing_at === null || storing_at + STORING_MOST_MS <= now) return;
  throw new AppError('conflict', { message: TEXTS.partsBeingStored });
}

/** Call before the body of a part is read. @throws AppError as `findOpen` */
export async function requireOpenImport(asking: Asking, importId: string): Promise<void> {
  await asking.deps.db.transactBeside((tx) => findOpen(tx, asking, importId));
}

/**
 * Replaces the part if it was there.
 * @throws AppError `not_found` for a part that was not announced; `payload_too_large` beyond the announced size;
 * `bad_request` for other names of files or the same twice; as `findOpen`
 */
export async function keepPart(
  asking: Asking,
  { importId, part: text }: { readonly importId: string; readonly part: string },
  files: readonly UploadedFile[],
): Promise<void> {
  const { deps } = asking;
  const part = /^[1-9]\d?$/.test(text) ? Number(text) : 0;
  const names = new Set(files.map((file) => file.part));
  const isNamed = [...names].every((name) => name === BATCH || FILE.test(name));
  if (files.length === 0 || names.size < files.length || !isNamed) throw new AppError('bad_request');
  const rows: ImportPartRow[] = [];
  try {
    for (const file of files) {
      const { sha256, size } = await deps.bodies.put(file.bytes);
      rows.push({ import_id: importId, part, name: file.part, body_sha256: sha256, size });
    }
    const replaced = await deps.db.transact(async (tx) => {
      const row = await findOpen(tx, asking, importId);
      if (part < 1 || part > row.parts) throw new AppError('not_found');
      const others = (await listParts(tx, importId)).filter((other) => other.part !== part);
      const bytes = [...others, ...rows].reduce((sum, { size }) => sum + size, 0);
      if (bytes > row.bytes) throw tooLarge(row.bytes);
      const former = await deleteParts(tx, importId, part);
      await insertParts(tx, rows);
      // Another request may have removed it (ADR 15).
      for (const [at, { body_sha256 }] of rows.entries()) {
        const bytes = files[at]?.bytes;
        if (bytes !== undefined && !(await deps.bodies.has(body_sha256))) await deps.bodies.put(bytes);
      }
      await updateImport(tx, importId, { called_at: deps.clock.now() });
      return former;
    });
    await removeUnnamedBodies(deps, replaced);
  } catch (error) {
    const names = rows.map(({ body_sha256 }) => body_sha256);
    await removeUnnamedBodies(deps, names).catch((failure: unknown) =>
      deps.log.error({ error: failure }, 'A refused part of an import could not be removed; the next sweep removes it'),
    );
    throw error;
  }
}

/**
 * @param store runs the import
 * @throws AppError `conflict` for a part that is missing; `insufficient_storage`; as `findOpen` and `store`
 */
export async function storeKept(
  asking: Asking,
  importId: string,
  store: (source: StoredSource) => Promise<Stored>,
): Promise<Stored> {
  const { deps } = asking;
  const found = await deps.db.transact(async (tx) => {
    const row = await findOpen(tx, asking, importId);
    const source = sourceOf(row, await listParts(tx, importId));
    const now = deps.clock.now();
    await updateImport(tx, importId, { called_at: now, storing_at: now });
    return { row, source };
  });
  let stored: Stored;
  try {
    await demandRoom(deps, TIMES_WRITTEN * found.row.bytes);
    stored = await store(found.source);
  } catch (error) {
    await deps.db
      .transact((tx) => updateImport(tx, importId, { storing_at: null }))
      .catch((failure: unknown) => deps.log.error({ error: failure }, 'An import in parts waits until it can go on'));
    throw error;
  }
  const { operation_id } = stored.answer;
  const left = await deps.db.transact(async (tx) => {
    await updateImport(tx, importId, { operation_id, storing_at: null });
    return deleteParts(tx, importId, null);
  });
  await removeUnnamedBodies(deps, left);
  return stored;
}

function sourceOf({ parts }: ImportRow, rows: readonly ImportPartRow[]): StoredSource {
  const there = new Set(rows.map(({ part }) => part));
  for (let part = 1; part <= parts; part += 1) {
    if (there.has(part)) continue;
    throw new AppError('conflict', { message: TEXTS.partMissing(part), details: { part } });
  }
  const files = rows.filter(({ name }) => name !== BATCH);
  const bodies = new Map(files.map(({ name, body_sha256 }) => [name, body_sha256]));
  const batches = rows.filter(({ name }) => name === BATCH).map(({ body_sha256 }) => body_sha256);
  if (bodies.size < files.length || batches.length === 0) throw new AppError('bad_request');
  return { batches, bodies };
}

/** @throws AppError as `findOpen` */
export async function endImport(asking: Asking, importId: string): Promise<void> {
  const { deps, actor } = asking;
  const left = await deps.db.transact(async (tx) => {
    await findOpen(tx, asking, importId);
    return deleteImports(tx, { userId: actor.userId });
  });
  await removeUnnamedBodies(deps, left);
}

/** Removes those whose time is over. */
export async function sweepImports(deps: Deps, now: number): Promise<void> {
  const left = await deps.db.transact((tx) =>
    deleteImports(tx, { calledBefore: now - LIVES_MS, createdBefore: now - LIVES_MOST_MS }),
  );
  await removeUnnamedBodies(deps, left);
}
