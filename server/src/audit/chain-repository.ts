/** Links of the audit chain, and the rows that wait for one. */
import type { Database, Transact } from '../db/database.ts';
import type { AuditLogRow, ChainRow } from './chain-link.ts';

type Reader = Pick<Database, 'read'>;

export async function findLastLink(db: Transact | Database['read']): Promise<ChainRow | undefined> {
  return db.selectFrom('audit_chain').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirst();
}

export async function hasUnsealed({ read }: Reader): Promise<boolean> {
  return (await read.selectFrom('audit_unsealed').select('audit_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Ids that wait, in their order, each with its row as far as it has one and no link yet. */
export async function listUnsealed(tx: Transact, limit: number): Promise<{ ids: string[]; rows: AuditLogRow[] }> {
  const waiting = await tx.selectFrom('audit_unsealed').select('audit_id').orderBy('audit_id').limit(limit).execute();
  const ids = waiting.map(({ audit_id }) => audit_id);
  if (ids.length === 0) return { ids, rows: [] };
  const rows = await tx
    .selectFrom('audit_log')
    .leftJoin('audit_chain', 'audit_chain.audit_id', 'audit_log.audit_id')
    .selectAll('audit_log')
    .where('audit_log.audit_id', 'in', ids)
    .where('audit_chain.seq', 'is', null)
    .orderBy('audit_log.audit_id')
    .execute();
  return { ids, rows };
}

export async function insertLinks(tx: Transact, links: readonly ChainRow[]): Promise<void> {
  if (links.length > 0) await tx.insertInto('audit_chain').values(links).execute();
}

export async function forgetUnsealed(tx: Transact, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('audit_unsealed').where('audit_id', 'in', ids).execute();
}

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
