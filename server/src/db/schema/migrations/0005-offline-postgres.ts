/**
 * As `0005-offline-sqlite.ts`; the stamp is the writing transaction's id, a cursor the lowest running id.
 * Triggers run once per statement.
 */

const NOW = 'pg_current_xact_id()::text::bigint';

type Event = 'insert' | 'update' | 'delete';

/** `touched`: the new rows, on deletion the old ones. */
const eachStatement = (table: string, name: string, events: readonly Event[], body: string) => [
  `create function ${name}() returns trigger language plpgsql as $$ begin ${body} return null; end $$`,
  ...events.map(
    (event) => `create trigger ${name}_${event} after ${event} on ${table}
      referencing ${event === 'delete' ? 'old' : 'new'} table as touched for each statement execute function ${name}()`,
  ),
];

/** Marks groups as changed, except their entries. */
const headsOf = (groups: string) =>
  `update changed_groups set head_stamp = ${NOW} where head_stamp < ${NOW} and entry_group_id in (${groups});`;

const accessOf = (whole: boolean) =>
  `insert into changed_access (user_id, entry_group_id, stamp, whole_stamp)
    select distinct user_id, entry_group_id, ${NOW}, ${whole ? NOW : '0'} from touched
    on conflict (user_id, entry_group_id) do update set stamp = excluded.stamp${whole ? ', whole_stamp = excluded.whole_stamp' : ''};`;

const entriesIn = (rows: string) =>
  `insert into changed_entries (entry_group_id, entry_id, stamp)
    select distinct g, e, ${NOW} from (${rows}) as rows
    where not exists (select 1 from changed_groups where entry_group_id = g and whole_stamp = ${NOW})
    on conflict (entry_group_id, entry_id) do update set stamp = excluded.stamp
      where changed_entries.stamp < excluded.stamp;`;

const ENTRIES = 'select touched.entry_group_id as g, touched.entry_id as e from touched';
const ENTRIES_OF_FIELDS = `select entries.entry_group_id as g, entries.entry_id as e from touched
  join entries on entries.entry_id = touched.entry_id`;
const ENTRIES_OF_REVISIONS = `select entries.entry_group_id as g, entries.entry_id as e from touched
  join fields on fields.field_id = touched.field_id join entries on entries.entry_id = fields.entry_id`;
const FIELDS_BY = `select entries.entry_group_id as g, entries.entry_id as e from fields
  join entries on entries.entry_id = fields.entry_id
  join touched on touched.user_id in (fields.created_by, fields.updated_by)`;
const ADMINISTERED = `select group_members.entry_group_id from group_members
  join touched on touched.user_id = group_members.user_id where group_members.role = 'admin'`;

export const markedInPostgres: readonly string[] = [
  ...eachStatement(
    'entry_groups',
    'mark_new_groups',
    ['insert'],
    `insert into changed_groups (entry_group_id, head_stamp, tree_stamp, whole_stamp)
      select entry_group_id, ${NOW}, ${NOW}, ${NOW} from touched;`,
  ),
  `create function mark_group() returns trigger language plpgsql as $$ begin
    update changed_groups set head_stamp = ${NOW},
      tree_stamp = case when new.name <> old.name or new.materialized_path <> old.materialized_path
        or new.trashed_by is distinct from old.trashed_by then ${NOW} else tree_stamp end,
      whole_stamp = case when new.trashed_by is distinct from old.trashed_by then ${NOW} else whole_stamp end
      where entry_group_id = new.entry_group_id;
    return null; end $$`,
  'create trigger mark_group after update on entry_groups for each row execute function mark_group()',
  ...eachStatement(
    'entry_groups',
    'forget_groups',
    ['delete'],
    `delete from changed_groups where entry_group_id in (select entry_group_id from touched);
     delete from changed_entries where entry_group_id in (select entry_group_id from touched);`,
  ),
  ...eachStatement('group_rosters', 'mark_rosters', ['insert'], headsOf('select entry_group_id from touched')),
  ...eachStatement(
    'user_certificates',
    'mark_certificates',
    ['delete'],
    headsOf(`select group_rosters.entry_group_id from group_rosters
      join touched on touched.user_id = group_rosters.signer and touched.fpr = group_rosters.signer_fpr`),
  ),
  ...eachStatement(
    'group_members',
    'mark_memberships',
    ['insert', 'delete'],
    accessOf(true) + headsOf('select entry_group_id from touched'),
  ),
  ...eachStatement(
    'group_members',
    'mark_roles',
    ['update'],
    accessOf(false) + headsOf('select entry_group_id from touched'),
  ),
  ...eachStatement('group_grants', 'mark_grants', ['insert', 'update', 'delete'], accessOf(false)),
  ...eachStatement('user_keysets', 'mark_keysets', ['insert', 'update', 'delete'], headsOf(ADMINISTERED)),
  `create function mark_name() returns trigger language plpgsql as $$ begin
    ${headsOf("select entry_group_id from group_members where user_id = new.user_id and role = 'admin'")}
    ${entriesIn(`select entries.entry_group_id as g, entries.entry_id as e from fields
      join entries on entries.entry_id = fields.entry_id where new.user_id in (fields.created_by, fields.updated_by)`)}
    return null; end $$`,
  `create trigger mark_name after update of name on users for each row
    when (new.name is distinct from old.name) execute function mark_name()`,
  ...eachStatement('users', 'mark_left_fields', ['delete'], entriesIn(FIELDS_BY)),
  ...eachStatement('entries', 'mark_entries', ['insert', 'update'], entriesIn(ENTRIES)),
  // Final deletion: moving to the trash has set the mark.
  ...eachStatement(
    'entries',
    'mark_removed_entries',
    ['delete'],
    entriesIn(`${ENTRIES} where touched.trashed_by is null`),
  ),
  `create function mark_former_place() returns trigger language plpgsql as $$ begin
    ${entriesIn('select old.entry_group_id as g, old.entry_id as e')}
    return null; end $$`,
  `create trigger mark_former_place after update of entry_group_id on entries for each row
    when (new.entry_group_id <> old.entry_group_id) execute function mark_former_place()`,
  // Adding a field also changes or creates its entry.
  ...eachStatement('fields', 'mark_fields', ['update'], entriesIn(ENTRIES_OF_FIELDS)),
  ...eachStatement(
    'fields',
    'mark_removed_fields',
    ['delete'],
    entriesIn(`${ENTRIES_OF_FIELDS} where touched.trashed_by is null`),
  ),
  // Adding a revision also changes its field; a later change is a new wrap.
  ...eachStatement('field_revisions', 'mark_wraps', ['update'], entriesIn(ENTRIES_OF_REVISIONS)),
];
