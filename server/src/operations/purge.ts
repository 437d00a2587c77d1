/**
 * Removing from the trash for good. An act's time is ended first: from then on nothing of it can come back, so its rows may go in portions, and what a
 * crash leaves behind is taken up by the scheduler.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps } from '../http/context.ts';
import { removeUnnamedBodies } from '../fields/body-repository.ts';
import type { Caller } from './caller.ts';
import { portions } from '../db/portions.ts';
import { deleteEmptyActs, expire, listExpired, purgeEntries, purgeFields, purgeGroups } from './purge-repository.ts';
import { findInTrash } from './restore.ts';
import { listGroupsOf } from './restore-repository.ts';

/** @throws AppError `not_found` when nothing of it is in the trash, `forbidden` unless the caller is admin of every group it is about */
export async function purgeFromTrash(deps: Deps, { actor, origin }: Caller, operationId: string): Promise<void> {
  await deps.db.transact(async (tx) => {
    const { act, tops } = await findInTrash(tx, deps, operationId, actor.userId);
    const groups = act.target_kind === 'entry_group' ? await listGroupsOf(tx, operationId, actor.userId) : tops;
    if (groups.some(({ role }) => role !== 'admin')) throw new AppError('forbidden');
    await expire(tx, operationId, deps.clock.now());
    const target = { target_type: act.target_kind, target_id: act.target_id };
    await recordEvent(tx, deps, { event_type: 'purged', actor, origin, ...target });
  });
  await removeForGood(deps, operationId);
}

/** The scheduler's part: everything whose time in the trash is over. Throws when it is told to stop; the next round goes on from there. */
export async function purgeExpired(deps: Deps, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const expired = await deps.db.transact((tx) => listExpired(tx, deps.clock.now(), 100));
    if (expired.length === 0) return;
    for (const { operation_id, target_kind, target_id } of expired) {
      const target = { target_type: target_kind, target_id };
      await removeForGood(deps, operation_id, signal);
      await deps.db.transact((tx) =>
        recordEvent(tx, deps, { event_type: 'purged', actor: null, origin: NOBODY, ...target }),
      );
    }
  }
}

/** The scheduler acts from nowhere. */
const NOBODY = { address: '', agentHash: null, userAgent: '' };

/** Removes everything that lies in the trash of an act, in portions, and the act itself. */
export async function removeForGood(deps: Deps, operationId: string, signal?: AbortSignal): Promise<void> {
  const acts = new Set([operationId]);
  for (const removePortion of [purgeFields, purgeEntries, purgeGroups]) {
    // Each portion is an act of its own, so that others get their turn at writing.
    for (;;) {
      signal?.throwIfAborted();
      await deps.space.ease('admin');
      const purged = await deps.db.transact((tx) => removePortion(tx, operationId));
      if (purged.rows === 0) break;
      for (const act of purged.acts) acts.add(act);
      await removeUnnamedBodies(deps, purged.bodies);
    }
  }
  for (const portion of portions([...acts])) await deps.db.transact((tx) => deleteEmptyActs(tx, portion));
}
