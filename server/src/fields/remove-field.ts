import type { remove } from '@passwordbroker/core/contract/entries/fields';
import type { Operation } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import { isEntryAlive } from '../entries/entry-repository.ts';
import { findGroupInAct } from '../groups/group-repository.ts';
import type { Context } from '../http/context.ts';
import { putIntoTrash } from '../operations/journal.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { findFieldInAct } from './field-repository.ts';

type Removing = Pick<Context<typeof remove, unknown>, 'deps' | 'actor' | 'origin' | 'group' | 'entry' | 'field'>;

/** @throws AppError `not_found`, `forbidden` */
export async function removeField({ deps, actor, origin, group, entry, field }: Removing): Promise<Operation> {
  const { trash_days } = await readSiteSettings(deps);
  const groupId = group.entry_group_id;
  return deps.db.transact(async (tx) => {
    const current = await findGroupInAct(tx, groupId, actor.userId);
    const present = await findFieldInAct(tx, field.field_id);
    const isHere = present?.entry_id === entry.entry_id && (await isEntryAlive(tx, groupId, entry.entry_id));
    if (current === undefined || !isHere) throw new AppError('not_found');
    if (!can(current.role, 'field.write')) throw new AppError('forbidden');
    const removal = await putIntoTrash(tx, deps, {
      actor,
      target: { kind: 'field', id: field.field_id, title: present.title, groupId },
      chosen: { fields: [field.field_id] },
      trashDays: trash_days,
    });
    await recordEvent(tx, deps, {
      event_type: 'field_deleted',
      actor,
      origin,
      target_type: 'field',
      target_id: field.field_id,
      details: { entry_id: entry.entry_id, entry_group_id: groupId, operation_id: removal.operation_id },
    });
    return removal;
  });
}
