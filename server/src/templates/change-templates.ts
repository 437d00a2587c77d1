import {
  TEMPLATE_PROBLEMS,
  type GroupTemplate,
  type save as saveEndpoint,
} from '@passwordbroker/core/contract/groups/templates';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { can } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { findGroup } from '../http/auth/path-repository.ts';
import type { Caller, Deps } from '../http/context.ts';
import {
  asTemplate,
  countTemplates,
  deleteTemplate,
  findTemplate,
  type TemplateRow,
  writeTemplate,
} from './template-repository.ts';

interface Place {
  readonly groupId: string;
  readonly templateId: string;
}

/**
 * Adds a kind of entry to the group, or replaces it.
 * @throws AppError `not_found`, `forbidden`; `conflict` if the group is full; `id_taken` in another group
 */
export async function saveTemplate(
  deps: Deps,
  caller: Caller,
  { template, ...place }: Place & { readonly template: BodyOf<typeof saveEndpoint> },
): Promise<GroupTemplate> {
  return deps.db.transact(async (tx) => {
    await requireAdmin(tx, caller, place.groupId);
    const before = await findTemplate(tx, place.templateId);
    if (before !== undefined && before.entry_group_id !== place.groupId) throw new AppError('id_taken');
    if (before === undefined && (await countTemplates(tx, place.groupId)) >= LIMITS.groupTemplates) {
      throw new AppError('conflict', { message: TEMPLATE_PROBLEMS.full });
    }
    const after = rowOf(place, template);
    if (before !== undefined && isSame(before, after)) return asTemplate(before);
    await writeTemplate(tx, after);
    await record(tx, deps, caller, {
      event_type: before === undefined ? 'template_created' : 'template_changed',
      ...place,
    });
    return asTemplate(after);
  });
}

/** @throws AppError `not_found`, `forbidden` */
export async function removeTemplate(deps: Deps, caller: Caller, place: Place): Promise<void> {
  await deps.db.transact(async (tx) => {
    await requireAdmin(tx, caller, place.groupId);
    const before = await findTemplate(tx, place.templateId);
    if (before?.entry_group_id !== place.groupId) throw new AppError('not_found');
    await deleteTemplate(tx, place.templateId);
    await record(tx, deps, caller, { event_type: 'template_deleted', ...place });
  });
}

/** The role may have changed since the request was authorised. */
async function requireAdmin(tx: Transact, { actor }: Caller, groupId: string): Promise<void> {
  const group = await findGroup({ read: tx }, groupId, actor.userId);
  if (group === undefined) throw new AppError('not_found');
  if (!can(group.role, 'templates.write')) throw new AppError('forbidden');
}

function rowOf({ groupId, templateId }: Place, { name, icon, fields }: BodyOf<typeof saveEndpoint>): TemplateRow {
  const stored = fields.map(({ type, title, login = null }) => ({ type, title, login }));
  const row = { template_id: templateId, entry_group_id: groupId, name, icon: icon || null };
  return { ...row, fields: JSON.stringify(stored) };
}

const isSame = (one: TemplateRow, other: TemplateRow) =>
  one.name === other.name && one.icon === other.icon && one.fields === other.fields;

interface Change extends Place {
  readonly event_type: 'template_created' | 'template_changed' | 'template_deleted';
}

async function record(tx: Transact, deps: Deps, { actor, origin }: Caller, change: Change): Promise<void> {
  const { event_type, groupId, templateId } = change;
  await recordEvent(tx, deps, {
    event_type,
    actor,
    origin,
    target_type: 'entry_group',
    target_id: groupId,
    details: { template_id: templateId },
  });
}
