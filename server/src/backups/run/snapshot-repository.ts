import type { BackupCounts } from '@passwordbroker/core/contract/site/backups';
import { sql } from 'kysely';
import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import type { Tables } from '../../db/schema/tables.ts';
import { BACKED_UP, LEFT_OUT } from '../archive/tables.ts';
import type { TableName } from '../archive/tables.ts';

type Reader = Kysely<Tables>;
type AnyRow = Readonly<Record<string, unknown>>;

const FILES = 500;

async function listTables(read: Reader): Promise<string[]> {
  const found = await read.introspection.getTables();
  return found
    .map(({ name }) => name)
    .filter((name) => name !== 'schema_migrations' && !name.startsWith('entry_search_trigrams'));
}

/** @throws for a table in neither list: a backup would be incomplete */
export async function refuseUnknownTables(read: Reader): Promise<void> {
  const known = new Set<string>([...BACKED_UP.map(({ table }) => table), ...LEFT_OUT]);
  const unknown = (await listTables(read)).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`Nobody has said whether to back up: ${unknown.join(', ')}`);
}

/** Groups of unfinished imports (ADR 16). */
const STAGED = sql`select entry_group_id from entry_groups where trashed_by in (select operation_id from staged_imports)`;
const inUnfinished = sql<SqlBool>`operation_id in (select operation_id from staged_imports)`;
const inStaged = (column: string) => sql<SqlBool>`${sql.ref(column)} in (${STAGED})`;
const inStagedEntry = sql<SqlBool>`entry_id in (select entry_id from entries where entry_group_id in (${STAGED}))`;
const FIELDS_STAGED = sql`select field_id from fields join entries on entries.entry_id = fields.entry_id
  where entries.entry_group_id in (${STAGED})`;

/** No backup contains them. */
const staged: Partial<Record<TableName, RawBuilder<SqlBool>>> = {
  operations: inUnfinished,
  imported_rows: inUnfinished,
  entry_groups: inStaged('entry_group_id'),
  group_members: inStaged('entry_group_id'),
  group_keys: inStaged('entry_group_id'),
  group_grants: inStaged('entry_group_id'),
  group_rosters: inStaged('entry_group_id'),
  entries: inStaged('entry_group_id'),
  entry_tags: inStagedEntry,
  fields: inStagedEntry,
  field_revisions: sql`field_id in (${FIELDS_STAGED})`,
  field_history: sql`field_id in (${FIELDS_STAGED})`,
};

/** `all`: for a restored database, whose schema may be older. */
type Which = 'vault' | 'all';

function isOfVault(table: TableName, which: Which = 'vault'): RawBuilder<SqlBool> {
  const condition = staged[table];
  return condition === undefined || which === 'all' ? sql`true` : sql`not (${condition})`;
}

/** Pages in the order of the table's key. */
export async function* readTable(read: Reader, table: TableName): AsyncGenerator<AnyRow[]> {
  const place = BACKED_UP.find((one) => one.table === table);
  if (place === undefined) throw new Error(`${table} is not backed up`);
  const columns = place.key.map((column) => sql.ref(column));
  const order = sql.join(columns);
  for (let last: AnyRow | undefined; ;) {
    const after = last;
    const values = after === undefined ? [] : place.key.map((column) => sql`${after[column]}`);
    const isBehind = after === undefined ? sql`true` : sql`(${order}) > (${sql.join(values)})`;
    const { rows } =
      await sql<AnyRow>`select * from ${sql.table(table)} where ${isBehind} and ${isOfVault(table)} order by ${order} limit ${sql.lit(
        place.page,
      )}`.execute(read);
    if (rows.length > 0) yield rows;
    if (rows.length < place.page) return;
    last = rows.at(-1);
  }
}

export interface NamedBody {
  readonly sha256: string;
  readonly size: number;
}

/** Every referenced sealed file once, by name. */
export async function* readNamedBodies(read: Reader, which?: Which): AsyncGenerator<NamedBody> {
  for (let after = ''; ;) {
    const rows = await read
      .selectFrom('field_revisions')
      .select(({ fn }) => ['body_sha256', fn.max('body_size').as('body_size')])
      .where('body_sha256', '>', after)
      .where(isOfVault('field_revisions', which))
      .groupBy('body_sha256')
      .orderBy('body_sha256')
      .limit(FILES)
      .execute();
    for (const { body_sha256, body_size } of rows) {
      if (body_sha256 !== null) yield { sha256: body_sha256, size: Number(body_size) };
    }
    if (rows.length < FILES) return;
    after = rows.at(-1)?.body_sha256 ?? '';
  }
}

export async function countAll(read: Reader, which?: Which): Promise<BackupCounts> {
  const of = async (table: 'users' | 'entry_groups' | 'entries' | 'fields' | 'field_revisions') => {
    const { n } = await read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where(isOfVault(table, which))
      .executeTakeFirstOrThrow();
    return Number(n);
  };
  const { files } = await read
    .selectFrom('field_revisions')
    .select(({ fn }) => fn.count<number>('body_sha256').distinct().as('files'))
    .where(isOfVault('field_revisions', which))
    .executeTakeFirstOrThrow();
  return {
    users: await of('users'),
    entry_groups: await of('entry_groups'),
    entries: await of('entries'),
    fields: await of('fields'),
    revisions: await of('field_revisions'),
    files: Number(files),
  };
}

export interface Measure {
  readonly rows: number;
  readonly rowsOf: ReadonlyMap<TableName, number>;
  readonly bytes: number;
}

/** Independent of the paging that reads the rows. */
export async function measure(read: Reader): Promise<Measure> {
  let rows = 0;
  const rowsOf = new Map<TableName, number>();
  for (const { table } of BACKED_UP) {
    const { n } = await read
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where(isOfVault(table))
      .executeTakeFirstOrThrow();
    rows += Number(n);
    rowsOf.set(table, Number(n));
  }
  const { bytes } = await measureNamedBodies(read);
  return { rows, rowsOf, bytes };
}

export async function measureNamedBodies(read: Reader, which?: Which): Promise<{ count: number; bytes: number }> {
  const bodies = read
    .selectFrom('field_revisions')
    .select(({ fn }) => ['body_sha256', fn.max('body_size').as('size')])
    .where('body_sha256', 'is not', null)
    .where(isOfVault('field_revisions', which))
    .groupBy('body_sha256');
  const { count, bytes } = await read
    .selectFrom(bodies.as('bodies'))
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('bodies.size').as('bytes')])
    .executeTakeFirstOrThrow();
  return { count: Number(count), bytes: Number(bytes ?? 0) };
}

/** Whether a path is not the parent's path plus the own id. */
export async function hasStrayGroup(read: Reader): Promise<boolean> {
  const { rows } = await sql`select own.entry_group_id from entry_groups own
    left join entry_groups parent on parent.entry_group_id = own.parent_entry_group_id
    where own.materialized_path <> coalesce(parent.materialized_path || '.', '') || own.entry_group_id limit 1`.execute(
    read,
  );
  return rows.length > 0;
}

export async function hasHollowField(read: Reader): Promise<boolean> {
  const { rows } = await sql`select own.field_id from fields own
    left join field_revisions present on present.field_id = own.field_id and present.rev = own.rev
    where present.field_id is null limit 1`.execute(read);
  return rows.length > 0;
}
