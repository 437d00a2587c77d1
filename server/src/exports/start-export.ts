/** What an export contains, and who may export it. */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Export, start } from '@passwordbroker/core/contract/entries/exports';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { ancestorsOf } from '@passwordbroker/core/domain/groups/group-tree';
import type { Role } from '@passwordbroker/core/domain/policy';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { portions } from '../db/portions.ts';
import { type ExportRow, findOpenExport, insertExport, updateExport } from './export-repository.ts';
import {
  type Asking,
  asExport,
  expire,
  EXPORT_MOST,
  EXPORT_TEXTS,
  isForgotten,
  rolesThatExport,
  target,
} from './exports.ts';
import {
  countEntries,
  countFields,
  insertExportValues,
  listGroupsOfEntries,
  listOwnGroups,
  listScopeGroups,
  type ExportedPart,
  type ScopeGroup,
} from './scope-repository.ts';
import { countValues } from './values-repository.ts';

/**
 * Writes down what the export contains, in the order in which it is released.
 * @throws AppError `forbidden` with the groups that the person may not export; `not_found` for a group or entry that
 * the person cannot read; `conflict` with the id of the person's open export; `validation` above `EXPORT_MOST`
 */
export async function startExport(
  { deps, actor, origin }: Asking,
  { scope, format, history = false, files = false }: BodyOf<typeof start>,
): Promise<Export> {
  const { userId } = actor;
  return deps.db.transact(async (tx) => {
    const roles = await rolesThatExport(tx, deps, format);
    const now = deps.clock.now();
    const open = await findOpenExport(tx, userId);
    if (open !== undefined && !isForgotten(open, now)) {
      throw new AppError('conflict', { message: EXPORT_TEXTS.another, details: { export_id: open.export_id } });
    }
    if (open !== undefined) await expire(tx, deps, { ...open, email: actor.email });
    const contents = await contentsOf(tx, userId, roles, scope);
    let entries = 0;
    for (const of of contents) entries += await countEntries(tx, of);
    if (entries > EXPORT_MOST.entries) throw refuse('scope', EXPORT_TEXTS.tooManyEntries);
    const row: ExportRow = {
      export_id: deps.newId(),
      user_id: userId,
      format,
      state: 'open',
      counts: '{}',
      released: 0,
      created_at: now,
      called_at: now,
    };
    await insertExport(tx, row);
    const types = { password: 0, link: 0, note: 0, file: 0, TOTP: 0 };
    const counts = { entry_groups: 0, entries, fields: 0, types, revisions: 0, file_bytes: 0, values: 0 };
    let position = 0;
    let releasedFiles = 0;
    for (const of of contents) {
      position += await insertExportValues(tx, of, { exportId: row.export_id, before: position, history, files });
      for (const { type, fields, revisions, file_bytes } of await countFields(tx, of, history && files)) {
        types[type] += fields;
        counts.fields += fields;
        counts.revisions += revisions;
        counts.file_bytes += file_bytes;
        if (type === 'file') releasedFiles += history ? revisions : fields;
      }
    }
    counts.values = await countValues(tx, row.export_id);
    counts.entry_groups = position - entries - counts.values;
    if (counts.entry_groups > EXPORT_MOST.groups) throw refuse('scope', EXPORT_TEXTS.tooManyGroups);
    if (counts.fields > EXPORT_MOST.fields) throw refuse('scope', EXPORT_TEXTS.tooManyFields);
    if (files && releasedFiles > EXPORT_MOST.files) throw refuse('files', EXPORT_TEXTS.tooManyFiles);
    if (files && counts.file_bytes > EXPORT_MOST.fileBytes) throw refuse('files', EXPORT_TEXTS.filesTooLarge);
    await updateExport(tx, row.export_id, { counts: JSON.stringify(counts) });
    const { entry_groups, values } = counts;
    const details = { format, entry_groups, entries, values };
    await recordEvent(tx, deps, { event_type: 'export_started', actor, origin, ...target(row), details });
    return asExport({ ...row, counts: JSON.stringify(counts) });
  });
}

/** Portions of the scope, by group: each entry is in one of them. @throws as `startExport` */
async function contentsOf(
  tx: Transact,
  userId: string,
  roles: readonly Role[],
  { groups: groupIds = [], below = false, entries: entryIds = [] }: BodyOf<typeof start>['scope'],
): Promise<ExportedPart[]> {
  if (groupIds.length + entryIds.length === 0) throw refuse('scope', EXPORT_TEXTS.empty);
  const chosen = await readable(tx, userId, new Set(groupIds));
  const whole = new Map(chosen.map((group) => [group.entry_group_id, group]));
  if (below) {
    const ids = new Set(whole.keys());
    for (const group of await listOwnGroups(tx, userId)) {
      if (ancestorsOf(group.materialized_path).some((id) => ids.has(id))) whole.set(group.entry_group_id, group);
    }
  }
  const entries = await listGroupsOfEntries(tx, [...new Set(entryIds)]);
  if (entries.length !== new Set(entryIds).size) throw new AppError('not_found');
  const ofEntries = await readable(tx, userId, new Set(entries.map(({ entry_group_id }) => entry_group_id)));
  const all = new Map([...whole, ...ofEntries.map((group) => [group.entry_group_id, group] as const)]);
  const refused = [...all.values()].filter(({ role }) => !roles.includes(role));
  if (refused.length > 0) {
    const named = refused.map(({ entry_group_id, name }) => ({ entry_group_id, name }));
    throw new AppError('forbidden', { message: EXPORT_TEXTS.role, details: { groups: named } });
  }
  const single = entries.filter(({ entry_group_id }) => !whole.has(entry_group_id));
  return [
    ...[...portions([...whole.keys()])].map((some) => ({ groupIds: some })),
    ...(single.length === 0 ? [] : [{ entries: single }]),
  ];
}

async function readable(tx: Transact, userId: string, ids: ReadonlySet<string>): Promise<ScopeGroup[]> {
  const groups = await listScopeGroups(tx, userId, [...ids]);
  if (groups.length !== ids.size) throw new AppError('not_found');
  return groups;
}
