import type { Database, Transact } from '../../db/database.ts';
import { PLANNED_EACH_TIME, prepared, preparedList } from '../../db/prepared.ts';
import { type AuditLogRow, type ChainRow, readCheckpoint, type Checkpoint } from './links-and-checkpoints.ts';
import type { Tables } from '../../db/schema/tables.ts';

type Reader = Pick<Database, 'read'>;

export async function findLastLink(db: Transact | Database['read']): Promise<ChainRow | undefined> {
  return LAST_LINK.first(db, {});
}

const LAST_LINK = prepared((db) => db.selectFrom('audit_chain').selectAll().orderBy('seq', 'desc').limit(1));

export async function hasUnsealed({ read }: Reader): Promise<boolean> {
  return (await UNSEALED.all(read, { limit: 1 })).length > 0;
}

export async function countUnsealed({ read }: Reader): Promise<number> {
  const counted = read.selectFrom('audit_unsealed').select((eb) => eb.fn.countAll<number>().as('n'));
  return Number((await counted.executeTakeFirstOrThrow()).n);
}

const UNSEALED = prepared((db, given: { readonly limit: number }) =>
  db.selectFrom('audit_unsealed').select('audit_id').orderBy('audit_id').limit(given.limit),
);

/** Returns the oldest queued ids, and those of their rows that exist and have no link yet. */
export async function listUnsealed(tx: Transact, limit: number): Promise<{ ids: string[]; rows: AuditLogRow[] }> {
  const waiting = await UNSEALED.all(tx, { limit });
  const ids = waiting.map(({ audit_id }) => audit_id);
  return { ids, rows: await WITHOUT_LINK(tx, waiting) };
}

interface Named {
  readonly audit_id: string;
}
const idsOf = (rows: readonly Named[]) => rows.map(({ audit_id }) => audit_id);

/** Planned at each use: a plan made for a short chain would scan all of a long one. */
const WITHOUT_LINK = preparedList(
  (db, rows: readonly Named[]) =>
    db
      .selectFrom('audit_log')
      .leftJoin('audit_chain', 'audit_chain.audit_id', 'audit_log.audit_id')
      .selectAll('audit_log')
      .where('audit_log.audit_id', 'in', idsOf(rows))
      .where('audit_chain.seq', 'is', null)
      .orderBy('audit_log.audit_id'),
  PLANNED_EACH_TIME,
);

export async function insertLinks(tx: Transact, links: readonly ChainRow[]): Promise<void> {
  await LINKS(tx, links);
}

const LINKS = preparedList((db, links: readonly ChainRow[]) =>
  db.insertInto('audit_chain').values(links.map(({ seq, audit_id, prev, hash }) => ({ seq, audit_id, prev, hash }))),
);

export async function forgetUnsealed(tx: Transact, ids: readonly string[]): Promise<void> {
  await FORGOTTEN(
    tx,
    ids.map((audit_id) => ({ audit_id })),
  );
}

const FORGOTTEN = preparedList((db, rows: readonly Named[]) =>
  db.deleteFrom('audit_unsealed').where('audit_id', 'in', idsOf(rows)),
);

/** `row` is null if the audit row is missing. */
export type StoredLink = ChainRow & { readonly row: AuditLogRow | null };

/** Ascending. */
export async function listLinks({ read }: Reader, after: number, limit: number): Promise<StoredLink[]> {
  const found = await read
    .selectFrom('audit_chain')
    .leftJoin('audit_log', 'audit_log.audit_id', 'audit_chain.audit_id')
    .select(['audit_chain.seq', 'audit_chain.audit_id as link_id', 'audit_chain.prev', 'audit_chain.hash'])
    .select(['audit_log.audit_id', 'created_at', 'event_type', 'user_id', 'login', 'target_type', 'target_id'])
    .select(['address', 'agent_hash', 'details'])
    .where('audit_chain.seq', '>', after)
    .orderBy('audit_chain.seq')
    .limit(limit)
    .execute();
  return found.map(({ seq, link_id, prev, hash, audit_id, created_at, event_type, ...rest }) => {
    const isThere = audit_id !== null && created_at !== null && event_type !== null;
    return { seq, audit_id: link_id, prev, hash, row: isThere ? { audit_id, created_at, event_type, ...rest } : null };
  });
}

export async function findFirstLink({ read }: Reader): Promise<ChainRow | undefined> {
  return read.selectFrom('audit_chain').selectAll().orderBy('seq').limit(1).executeTakeFirst();
}

export async function findLink({ read }: Reader, seq: number): Promise<ChainRow | undefined> {
  return read.selectFrom('audit_chain').selectAll().where('seq', '=', seq).executeTakeFirst();
}

export interface SealedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly seq: number;
  readonly audit_id: string;
  readonly created_at: number;
}

/** Returns the newest checkpoint that has a link. */
export async function findCheckpoint({ read }: Reader): Promise<SealedCheckpoint | null> {
  const row = await read
    .selectFrom('audit_log')
    .innerJoin('audit_chain', 'audit_chain.audit_id', 'audit_log.audit_id')
    .select(['audit_log.audit_id', 'audit_log.created_at', 'audit_log.details', 'audit_chain.seq'])
    .where('event_type', '=', 'audit_pruned')
    .orderBy('audit_chain.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const checkpoint = readCheckpoint(row?.details ?? null);
  return row === undefined || checkpoint === null ? null : { ...row, checkpoint };
}

/** Reads `log_months` from the newest sealed settings change or checkpoint; null without one. */
export async function monthsOnRecord({ read }: Reader): Promise<number | null> {
  const row = await read
    .selectFrom('audit_log')
    .innerJoin('audit_chain', 'audit_chain.audit_id', 'audit_log.audit_id')
    .select('audit_log.details')
    .where((eb) =>
      eb.or([
        eb('event_type', '=', 'audit_pruned'),
        eb.and([eb('event_type', '=', 'settings_changed'), eb('details', 'like', '%"log_months":%')]),
      ]),
    )
    .orderBy('audit_chain.seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const told = JSON.parse(row?.details ?? '{}') as { readonly log_months?: unknown; readonly months?: unknown };
  const months = told.log_months ?? told.months;
  return typeof months === 'number' ? months : null;
}

/** Triggers refuse to delete rows that no sealed checkpoint covers. */
export async function removeLinks(tx: Transact, upTo: number): Promise<void> {
  await tx
    .deleteFrom('audit_log')
    .where('audit_id', 'in', (row) => row.selectFrom('audit_chain').select('audit_id').where('seq', '<=', upTo))
    .execute();
  await tx.deleteFrom('audit_chain').where('seq', '<=', upTo).execute();
}

/** Both numbers are from one snapshot. */
export async function countRowsAndLinks({ read }: Reader): Promise<{ rows: number; links: number }> {
  const counted = await read
    .selectNoFrom((from) => [
      from
        .selectFrom('audit_log')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('rows'),
      from
        .selectFrom('audit_chain')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('links'),
    ])
    .executeTakeFirstOrThrow();
  return { rows: Number(counted.rows), links: Number(counted.links) };
}

export type ReceiverName = Tables['audit_pushes']['receiver'];

/** A new receiver starts at the current end of the chain. */
export async function readProgress(db: Database, receiver: ReceiverName): Promise<number> {
  const stored = await findProgress(db, receiver);
  if (stored !== undefined) return stored;
  return db.transactBeside(async (tx) => {
    const seq = (await findLastLink(tx))?.seq ?? 0;
    await tx
      .insertInto('audit_pushes')
      .values({ receiver, seq })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return seq;
  });
}

export async function findProgress({ read }: Database, receiver: ReceiverName): Promise<number | undefined> {
  const row = await read.selectFrom('audit_pushes').select('seq').where('receiver', '=', receiver).executeTakeFirst();
  return row?.seq;
}

/** The number never decreases, even if two processes deliver. */
export async function storeProgress(db: Database, receiver: ReceiverName, seq: number): Promise<void> {
  await db.transactBeside((tx) =>
    tx.updateTable('audit_pushes').set({ seq }).where('receiver', '=', receiver).where('seq', '<', seq).execute(),
  );
}

/** In chain order. */
export async function listSealedRows({ read }: Database, after: number, limit: number) {
  return read
    .selectFrom('audit_chain')
    .innerJoin('audit_log', 'audit_log.audit_id', 'audit_chain.audit_id')
    .selectAll('audit_log')
    .select(['audit_chain.seq', 'audit_chain.hash'])
    .where('audit_chain.seq', '>', after)
    .orderBy('audit_chain.seq')
    .limit(limit)
    .execute();
}
