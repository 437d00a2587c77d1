/** Links of the audit chain, and the rows that wait for one. */
import type { Database, Transact } from '../db/database.ts';
import { PLANNED_EACH_TIME, prepared, preparedList } from '../db/prepared.ts';
import type { AuditLogRow, ChainRow } from './chain-link.ts';

type Reader = Pick<Database, 'read'>;

export async function findLastLink(db: Transact | Database['read']): Promise<ChainRow | undefined> {
  return LAST_LINK.first(db, {});
}

const LAST_LINK = prepared((db) => db.selectFrom('audit_chain').selectAll().orderBy('seq', 'desc').limit(1));

export async function hasUnsealed({ read }: Reader): Promise<boolean> {
  return (await UNSEALED.all(read, { limit: 1 })).length > 0;
}

const UNSEALED = prepared((db, given: { readonly limit: number }) =>
  db.selectFrom('audit_unsealed').select('audit_id').orderBy('audit_id').limit(given.limit),
);

/** Ids that wait, in their order, each with its row as far as it has one and no link yet. */
export async function listUnsealed(tx: Transact, limit: number): Promise<{ ids: string[]; rows: AuditLogRow[] }> {
  const waiting = await UNSEALED.all(tx, { limit });
  const ids = waiting.map(({ audit_id }) => audit_id);
  return { ids, rows: await WITHOUT_LINK(tx, waiting) };
}

interface Named {
  readonly audit_id: string;
}
const idsOf = (rows: readonly Named[]) => rows.map(({ audit_id }) => audit_id);

/** Portions of ids in their order give rows in their order. A plan that was made when the chain was short reads all of it, each time. */
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

/** A link with its row, whose members are null when it is gone. */
export type StoredLink = ChainRow & { readonly row: AuditLogRow | null };

/** Links after `seq` in their order. */
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

/** How many rows and links there are, seen at one moment. */
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
