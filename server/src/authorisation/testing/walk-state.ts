/** Roles, and where each object is, read from the tables for the oracle. */
import type { Role } from '@passwordbroker/core/domain/policy';
import type { Deps } from '../../http/context.ts';

export interface WalkOperation {
  readonly kind: string;
  readonly targetKind: string;
  readonly targetId: string;
  /** Former parent of a moved group; null: it was a root. */
  readonly fromGroup: string | null;
  readonly by: string | null;
  readonly open: boolean;
}

export interface WalkState {
  readonly groups: ReadonlyMap<string, { readonly parent: string | null; readonly trashedBy: string | null }>;
  readonly entries: ReadonlyMap<string, { readonly g: string; readonly trashedBy: string | null }>;
  readonly fields: ReadonlyMap<string, { readonly e: string; readonly trashedBy: string | null }>;
  /** Field of each history row, by the row's id. */
  readonly history: ReadonlyMap<string, string>;
  /** Group of each record of a former member, by the record's id. */
  readonly departures: ReadonlyMap<string, string>;
  /** Group of each kind of entry, by the kind's id. */
  readonly templates: ReadonlyMap<string, string>;
  readonly operations: ReadonlyMap<string, WalkOperation>;
  readonly users: ReadonlySet<string>;
  /** The role of a person in a group, also of a group in the trash. */
  readonly roleOf: (g: string, userId: string) => Role | null;
}

export async function readState({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<WalkState> {
  const { read } = db;
  const groups = await read
    .selectFrom('entry_groups')
    .select(['entry_group_id', 'parent_entry_group_id', 'trashed_by'])
    .execute();
  const entries = await read.selectFrom('entries').select(['entry_id', 'entry_group_id', 'trashed_by']).execute();
  const fields = await read.selectFrom('fields').select(['field_id', 'entry_id', 'trashed_by']).execute();
  const history = await read.selectFrom('field_history').select(['field_edit_log_id', 'field_id']).execute();
  const departures = await read.selectFrom('departures').select(['departure_id', 'entry_group_id']).execute();
  const templates = await read.selectFrom('group_templates').select(['template_id', 'entry_group_id']).execute();
  const operations = await read
    .selectFrom('operations')
    .select(['operation_id', 'kind', 'target_kind', 'target_id', 'detail', 'user_id', 'undo_until', 'undone_at'])
    .execute();
  const users = await read.selectFrom('users').select('user_id').execute();
  const members = await read.selectFrom('group_members').select(['entry_group_id', 'user_id', 'role']).execute();
  const roles = new Map(members.map((row) => [`${row.entry_group_id} ${row.user_id}`, row.role]));
  const now = clock.now();
  return {
    groups: new Map(
      groups.map((row) => [row.entry_group_id, { parent: row.parent_entry_group_id, trashedBy: row.trashed_by }]),
    ),
    entries: new Map(entries.map((row) => [row.entry_id, { g: row.entry_group_id, trashedBy: row.trashed_by }])),
    fields: new Map(fields.map((row) => [row.field_id, { e: row.entry_id, trashedBy: row.trashed_by }])),
    history: new Map(history.map((row) => [row.field_edit_log_id, row.field_id])),
    departures: new Map(departures.map((row) => [row.departure_id, row.entry_group_id])),
    templates: new Map(templates.map((row) => [row.template_id, row.entry_group_id])),
    operations: new Map(
      operations.map((row) => [
        row.operation_id,
        {
          kind: row.kind,
          targetKind: row.target_kind,
          targetId: row.target_id,
          fromGroup: (JSON.parse(row.detail) as { from_group?: string | null }).from_group ?? null,
          by: row.user_id,
          open: row.undone_at === null && row.undo_until !== null && now < row.undo_until,
        },
      ]),
    ),
    users: new Set(users.map(({ user_id }) => user_id)),
    roleOf: (g, userId) => roles.get(`${g} ${userId}`) ?? null,
  };
}
