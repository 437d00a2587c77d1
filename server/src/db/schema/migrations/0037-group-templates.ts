/** Kinds of entries that groups add to the built-in ones. */
import type { Migration } from '../migrate.ts';

export const groupTemplates: Migration = {
  name: '0037-group-templates',
  both: [
    `create table group_templates (
      template_id text primary key,
      entry_group_id text not null references entry_groups (entry_group_id) on delete cascade,
      name text not null,
      icon text,
      fields text not null
    )`,
    'create index group_templates_of_group on group_templates (entry_group_id)',
  ],
};
