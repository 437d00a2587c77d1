/** An import is undone by putting its tree into the trash, from where it can still come back. */
import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Deps } from '../../http/context.ts';
import { readSiteSettings } from '../../platform/site-settings-repository.ts';
import type { Caller } from '../caller.ts';
import { putIntoTrash } from '../journal.ts';
import type { OperationRow } from '../operation.ts';
import { markUndone } from '../operation-repository.ts';
import { findRoot, isTouchedByOthers, livingGroups } from '../trash/subtree-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';

/** Throws `forbidden` unless the caller imported it and is still admin of its root; `conflict` when others have worked in it since. */
export async function undoImport(deps: Deps, { actor, origin }: Caller, imported: OperationRow): Promise<Operation> {
  const { trash_days } = await readSiteSettings(deps);
  return deps.db.transact(async (tx) => {
    const root = await findRoot(tx, imported.target_id, actor.userId);
    if (imported.user_id !== actor.userId) throw new AppError('forbidden');
    if (root === undefined) throw new AppError('not_found');
    if (root.role !== 'admin') throw new AppError('forbidden');
    if (await isTouchedByOthers(tx, root.materialized_path, actor.userId)) {
      throw new AppError('conflict', { message: SERVER_TEXTS.importChanged });
    }
    if (!(await markUndone(tx, imported.operation_id, deps.clock.now()))) throw new AppError('not_found');
    const removal = await putIntoTrash(tx, deps, {
      actor,
      target: { kind: 'entry_group', id: imported.target_id, title: root.name, groupId: null },
      chosen: { groups: await livingGroups(tx, root.materialized_path) },
      trashDays: trash_days,
    });
    await recordEvent(tx, deps, {
      event_type: 'group_deleted',
      actor,
      origin,
      target_type: 'entry_group',
      target_id: imported.target_id,
      details: { undo_of: imported.operation_id, ...removal.counts },
    });
    return removal;
  });
}
