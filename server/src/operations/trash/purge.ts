/**
 * An operation expires first, then its rows are deleted in batches. The scheduler continues after a crash.
 */
import type { Purge } from '@passwordbroker/core/contract/entries/operations';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { recordEvent, recordEvents } from '../../audit/audit-log.ts';
import type { Database, Transact } from '../../db/database.ts';
import type { Deps, Caller } from '../../http/context.ts';
import { removeUnnamedBodies } from '../../fields/storage-repository.ts';
import { portions } from '../../db/portions.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import {
  countForPurge,
  deleteEmptyOperations,
  expire,
  listExpired,
  purgeEntries,
  purgeFields,
  purgeGroups,
} from './purge-repository.ts';
import { findInTrash, mayPurge } from './trash.ts';
import { listGroupsOf } from './trash-repository.ts';
import { listTrashOperations, type TrashedOperation, type TrashRequest, listTops } from './trash-page-repository.ts';

/** @throws AppError `not_found`; `forbidden` unless admin of all its groups */
export async function purgeFromTrash(deps: Deps, caller: Caller, operationId: string): Promise<void> {
  await deps.db.transact(async (tx) => {
    const operation = await findPurgeable(tx, deps, operationId, caller.actor.userId);
    await endOperations(tx, deps, caller, [operation]);
  });
  await removeForGood(deps, operationId);
}

/** @throws AppError as `purgeFromTrash` */
export async function previewPurge(deps: Deps, operationId: string, userId: string): Promise<Purge> {
  await findPurgeable(deps.db.read, deps, operationId, userId);
  return { items: 1, counts: await countForPurge(deps.db.read, [operationId]) };
}

type WholeTrash = Pick<TrashRequest, 'userId' | 'within'>;

export async function previewEmptying(deps: Deps, trash: WholeTrash): Promise<Purge> {
  const ids = (await listPurgeable(deps.db.read, deps, trash)).map(({ operation_id }) => operation_id);
  return { items: ids.length, counts: await countForPurge(deps.db.read, ids) };
}

/** Newest first, at most `LIMITS.purgedAtOnce`. @throws AppError `conflict` unless there are `items` */
export async function emptyTrash(
  deps: Deps,
  caller: Caller,
  within: TrashRequest['within'],
  items: number,
): Promise<{ purged: number }> {
  const operations = await deps.db.transact(async (tx) => {
    const found = await listPurgeable(tx, deps, { userId: caller.actor.userId, ...(within && { within }) });
    if (found.length !== items) throw new AppError('conflict', { message: SERVER_TEXTS.trashChanged(found.length) });
    await endOperations(tx, deps, caller, found);
    return found;
  });
  for (const { operation_id } of operations) await removeForGood(deps, operation_id);
  return { purged: operations.length };
}

type Reader = Transact | Database['read'];

async function findPurgeable(
  reader: Reader,
  deps: Deps,
  operationId: string,
  userId: string,
): Promise<TrashedOperation> {
  const { operation, tops } = await findInTrash(reader, deps, operationId, userId);
  const groups = operation.target_kind === 'entry_group' ? await listGroupsOf(reader, operationId, userId) : tops;
  if (groups.some(({ role }) => role !== 'admin')) throw new AppError('forbidden');
  return operation;
}

async function listPurgeable(reader: Reader, { clock }: Deps, trash: WholeTrash): Promise<readonly TrashedOperation[]> {
  const span = { offset: 0, limit: LIMITS.purgedAtOnce };
  const operations = await listTrashOperations(reader, { ...trash, ...span, now: clock.now() });
  const tops = await listTops(reader, operations, trash.userId);
  const kept = new Set(tops.filter((top) => !mayPurge(top)).map(({ trashed_by }) => trashed_by));
  return operations.filter(({ operation_id }) => !kept.has(operation_id));
}

async function endOperations(
  tx: Transact,
  deps: Deps,
  { actor, origin }: Caller,
  operations: readonly TrashedOperation[],
): Promise<void> {
  const ids = operations.map(({ operation_id }) => operation_id);
  await expire(tx, ids, deps.clock.now());
  await recordEvents(
    tx,
    deps,
    operations.map(({ target_kind: target_type, target_id }) => ({
      event_type: 'purged',
      actor,
      origin,
      target_type,
      target_id,
    })),
  );
}

/** @throws the reason of `signal`; the next run continues */
export async function purgeExpired(deps: Deps, now: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const expired = await deps.db.transact((tx) => listExpired(tx, now, 100));
    if (expired.length === 0) return;
    for (const { operation_id, target_kind, target_id } of expired) {
      const target = { target_type: target_kind, target_id };
      await removeForGood(deps, operation_id, signal, (tx) =>
        recordEvent(tx, deps, { event_type: 'purged', actor: null, origin: NOBODY, ...target }),
      );
    }
  }
}

const NOBODY = { address: '', agentHash: null, userAgent: '', client: null };

/**
 * Deletes its items in batches, then the operation.
 * @param record runs in the last transaction
 */
export async function removeForGood(
  deps: Deps,
  operationId: string,
  signal?: AbortSignal,
  record: (tx: Transact) => Promise<void> = async () => {},
): Promise<void> {
  const operationIds = new Set([operationId]);
  for (const removePortion of [purgeFields, purgeEntries, purgeGroups]) {
    // Batches are transactions of their own, so that other writers can run.
    for (;;) {
      signal?.throwIfAborted();
      await deps.space.ease('admin');
      const purged = await deps.db.transact((tx) => removePortion(tx, operationId));
      if (purged.rows === 0) break;
      for (const id of purged.operationIds) operationIds.add(id);
      await removeUnnamedBodies(deps, purged.bodies);
    }
  }
  for (const portion of portions([...operationIds])) {
    await deps.db.transact(async (tx) => {
      await deleteEmptyOperations(tx, portion);
      if (portion.includes(operationId)) await record(tx);
    });
  }
}
