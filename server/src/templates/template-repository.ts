import type { GroupTemplate } from '@passwordbroker/core/contract/groups/templates';
import type { Database, Transact } from '../db/database.ts';
import type { Tables } from '../db/schema/tables.ts';

export type TemplateRow = Tables['group_templates'];

/** @param row its `fields` were validated before they were stored */
export const asTemplate = ({ fields, ...row }: TemplateRow): GroupTemplate => ({
  ...row,
  fields: JSON.parse(fields) as GroupTemplate['fields'],
});

/** Kinds of the group, then of each group above it; within a group the oldest first. */
export async function listTemplates({ read }: Pick<Database, 'read'>, path: string): Promise<GroupTemplate[]> {
  const upwards = path.split('.').reverse();
  const rows = await read
    .selectFrom('group_templates')
    .innerJoin('entry_groups', 'entry_groups.entry_group_id', 'group_templates.entry_group_id')
    .selectAll('group_templates')
    .where('group_templates.entry_group_id', 'in', upwards)
    .where('entry_groups.trashed_by', 'is', null)
    .orderBy('template_id')
    .execute();
  return upwards.flatMap((groupId) => rows.filter((row) => row.entry_group_id === groupId)).map(asTemplate);
}

export async function findTemplate(tx: Transact, templateId: string): Promise<TemplateRow | undefined> {
  return tx.selectFrom('group_templates').selectAll().where('template_id', '=', templateId).executeTakeFirst();
}

export async function countTemplates(tx: Transact, groupId: string): Promise<number> {
  const { n } = await tx
    .selectFrom('group_templates')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('entry_group_id', '=', groupId)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Inserts the row, or replaces the one with its id. */
export async function writeTemplate(tx: Transact, row: TemplateRow): Promise<void> {
  const { name, icon, fields } = row;
  await tx
    .insertInto('group_templates')
    .values(row)
    .onConflict((found) => found.column('template_id').doUpdateSet({ name, icon, fields }))
    .execute();
}

export async function deleteTemplate(tx: Transact, templateId: string): Promise<void> {
  await tx.deleteFrom('group_templates').where('template_id', '=', templateId).execute();
}
