/**
 * Triggers that mark changes. Taking a cursor increases the stamp (`db/change-stamp.ts`): with one writer,
 * later writes have at least that stamp.
 */

const NOW = '(select stamp from change_clock)';

const trigger = (name: string, when: string, ...statements: readonly string[]) =>
  `create trigger ${name} ${when} begin ${statements.join('; ')}; end`;

/** Marks groups as changed, except their entries. */
const headsOf = (groups: string) =>
  `update changed_groups set head_stamp = ${NOW} where head_stamp < ${NOW} and entry_group_id in (${groups})`;

/** Marks a person's data in the group; `whole`: the membership. */
const accessOf = (row: 'new' | 'old', whole: boolean) =>
  `insert into changed_access (user_id, entry_group_id, stamp, whole_stamp)
    values (${row}.user_id, ${row}.entry_group_id, ${NOW}, ${whole ? NOW : '0'})
    on conflict (user_id, entry_group_id) do update set stamp = excluded.stamp
    ${whole ? ', whole_stamp = excluded.whole_stamp' : ''}`;

/** A group new since the last cursor is downloaded as a whole. */
const unlessNew = (group: string) =>
  `when (select whole_stamp from changed_groups where entry_group_id = ${group}) is not ${NOW}`;

/** Marks entries with their fields; `rows` selects group and entry. */
const entriesIn = (rows: string) =>
  `insert into changed_entries (entry_group_id, entry_id, stamp) ${rows}
    on conflict (entry_group_id, entry_id) do update set stamp = excluded.stamp where stamp < excluded.stamp`;

const entryOf = (row: 'new' | 'old') => entriesIn(`values (${row}.entry_group_id, ${row}.entry_id, ${NOW})`);
const entryOfField = (row: 'new' | 'old') =>
  entriesIn(`select entry_group_id, entry_id, ${NOW} from entries where entry_id = ${row}.entry_id`);

/** Marks entries that name the person as a field's author. */
const fieldsBy = (row: 'new' | 'old') =>
  entriesIn(`select distinct entries.entry_group_id, entries.entry_id, ${NOW} from fields
    join entries on entries.entry_id = fields.entry_id
    where fields.created_by = ${row}.user_id or fields.updated_by = ${row}.user_id`);
const administeredBy = (row: 'new' | 'old') =>
  headsOf(`select entry_group_id from group_members where user_id = ${row}.user_id and role = 'admin'`);

const groups = [
  trigger(
    'changed_group_added',
    'after insert on entry_groups',
    `insert into changed_groups (entry_group_id, head_stamp, tree_stamp, whole_stamp)
      values (new.entry_group_id, ${NOW}, ${NOW}, ${NOW})`,
  ),
  trigger(
    'changed_group_changed',
    'after update on entry_groups',
    `update changed_groups set head_stamp = ${NOW},
      tree_stamp = case when new.name <> old.name or new.materialized_path <> old.materialized_path
        or new.trashed_by is not old.trashed_by then ${NOW} else tree_stamp end,
      whole_stamp = case when new.trashed_by is not old.trashed_by then ${NOW} else whole_stamp end
      where entry_group_id = new.entry_group_id`,
  ),
  trigger(
    'changed_group_removed',
    'after delete on entry_groups',
    'delete from changed_groups where entry_group_id = old.entry_group_id',
    'delete from changed_entries where entry_group_id = old.entry_group_id',
  ),
  trigger('changed_roster_added', 'after insert on group_rosters', headsOf('select new.entry_group_id')),
  trigger(
    'changed_certificate_removed',
    'after delete on user_certificates',
    headsOf('select entry_group_id from group_rosters where signer = old.user_id and signer_fpr = old.fpr'),
  ),
];

const people = [
  trigger(
    'changed_member_added',
    'after insert on group_members',
    accessOf('new', true),
    headsOf('select new.entry_group_id'),
  ),
  trigger(
    'changed_member_changed',
    'after update on group_members',
    accessOf('new', false),
    headsOf('select new.entry_group_id'),
  ),
  trigger(
    'changed_member_removed',
    'after delete on group_members',
    accessOf('old', true),
    headsOf('select old.entry_group_id'),
  ),
  trigger('changed_grant_added', 'after insert on group_grants', accessOf('new', false)),
  trigger('changed_grant_changed', 'after update on group_grants', accessOf('new', false)),
  trigger('changed_grant_removed', 'after delete on group_grants', accessOf('old', false)),
  trigger('changed_keyset_added', 'after insert on user_keysets', administeredBy('new')),
  trigger('changed_keyset_changed', 'after update of fpr on user_keysets', administeredBy('new')),
  trigger('changed_keyset_removed', 'after delete on user_keysets', administeredBy('old')),
  trigger(
    'changed_name',
    'after update of name on users when new.name <> old.name',
    administeredBy('new'),
    fieldsBy('new'),
  ),
  trigger('changed_account_removed', 'after delete on users', fieldsBy('old')),
];

const secrets = [
  trigger('changed_entry_added', `after insert on entries ${unlessNew('new.entry_group_id')}`, entryOf('new')),
  trigger('changed_entry_changed', 'after update on entries', entryOf('new')),
  trigger(
    'changed_entry_moved',
    'after update of entry_group_id on entries when new.entry_group_id <> old.entry_group_id',
    entryOf('old'),
  ),
  // Final deletion: moving to the trash has set the mark.
  trigger('changed_entry_removed', 'after delete on entries when old.trashed_by is null', entryOf('old')),
  // Adding a field also changes or creates its entry.
  trigger('changed_field_changed', 'after update on fields', entryOfField('new')),
  trigger('changed_field_removed', 'after delete on fields when old.trashed_by is null', entryOfField('old')),
  // Adding a revision also changes its field; a later change is a new wrap.
  trigger(
    'changed_wrap',
    'after update on field_revisions',
    entriesIn(`select entries.entry_group_id, entries.entry_id, ${NOW} from fields
      join entries on entries.entry_id = fields.entry_id where fields.field_id = new.field_id`),
  ),
];

export const markedInSqlite: readonly string[] = [
  'create table change_clock (id integer primary key check (id = 1), stamp integer not null) strict',
  'insert into change_clock (id, stamp) values (1, 1)',
  ...groups,
  ...people,
  ...secrets,
];
