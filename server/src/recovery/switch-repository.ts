import { sql } from 'kysely';
import type { Transact } from '../db/database.ts';
import { withoutChainGuards } from '../db/schema/append-only.ts';
import type { Dialect } from '../db/schema/migrate.ts';
import { indexEntries } from '../db/text-search/search-index.ts';

const PORTION = 400;

export async function hasNobody(tx: Transact): Promise<boolean> {
  return (await tx.selectFrom('users').select('user_id').limit(1).executeTakeFirst()) === undefined;
}

/** The audit sealer must update this row first, so it waits until the switch ends. */
export async function keepSealerOut(tx: Transact): Promise<void> {
  await tx
    .updateTable('leases')
    .set((row) => ({ heartbeat: row('heartbeat', '+', 0) }))
    .where('name', '=', 'audit-sealer')
    .execute();
}

export async function clearWhatIsReplaced(tx: Transact): Promise<void> {
  await tx.deleteFrom('site_settings').execute();
  await tx.deleteFrom('backup_settings').execute();
  await tx.deleteFrom('sessions').execute();
  await tx.deleteFrom('mail_outbox').execute();
}

/** The archive's chain replaces the empty site's; the site's own rows are sealed again after it. */
export async function replaceChain(tx: Transact, dialect: Dialect, copy: () => Promise<void>): Promise<void> {
  await withoutChainGuards(tx, dialect, async () => {
    await tx.deleteFrom('audit_chain').execute();
  });
  await copy();
  const last = await tx.selectFrom('audit_chain').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  // Log receivers have the restored part or never wanted it.
  await tx
    .updateTable('audit_pushes')
    .set({ seq: last?.seq ?? 0 })
    .execute();
}

/** Inserts mark every row; keeps the mark only outside the chain. */
export async function leaveUnsealedToTheSealer(tx: Transact): Promise<void> {
  await tx.deleteFrom('audit_unsealed').execute();
  await sql`insert into audit_unsealed (audit_id) select audit_log.audit_id from audit_log
    left join audit_chain on audit_chain.audit_id = audit_log.audit_id where audit_chain.seq is null`.execute(tx);
}

export async function indexAllEntries(tx: Transact): Promise<void> {
  for (let after = ''; ;) {
    const rows = await tx
      .selectFrom('entries')
      .select('entry_id')
      .where('entry_id', '>', after)
      .orderBy('entry_id')
      .limit(PORTION)
      .execute();
    await indexEntries(
      tx,
      rows.map(({ entry_id }) => entry_id),
    );
    if (rows.length < PORTION) return;
    after = rows.at(-1)?.entry_id ?? '';
  }
}
