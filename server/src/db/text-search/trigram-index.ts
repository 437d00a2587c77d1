import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { lockMigrations } from '../schema/migrate.ts';
import type { Tables } from '../schema/tables.ts';

const FOLDED = ['title_folded', 'names_folded', 'logins_folded', 'files_folded', 'group_folded'];
/** Extension not allowed or missing, operators not in the search path, index in use. */
const CANNOT = new Set(['42501', '0A000', '58P01', '42704', '22023', '55P03']);

/** Kilobytes of pending rows, which each search scans. With 4,096 the planner prefers a table scan. */
const PENDING_LIMIT = 'gin_pending_list_limit=256';

/** Creates the trigram index on PostgreSQL; without its extension, searches read all texts. */
export async function indexTrigrams(db: Kysely<Tables>): Promise<void> {
  const columns = FOLDED.map((column) => `${column} gin_trgm_ops`).join(', ');
  try {
    await db.transaction().execute(async (tx) => {
      await lockMigrations(tx);
      const { rows } = await sql<{
        readonly options: readonly string[] | null;
      }>`select reloptions as options from pg_class
        where relname = 'entry_search_trigrams' and relkind = 'i' and relnamespace = quote_ident(current_schema())::regnamespace`.execute(
        tx,
      );
      const [index] = rows;
      if (index?.options?.includes(PENDING_LIMIT) === true) return;
      if (index !== undefined) {
        // Another instance may be reading it; the next start retries.
        await sql`set local lock_timeout = '1s'`.execute(tx);
        await sql.raw(`alter index entry_search_trigrams set (${PENDING_LIMIT})`).execute(tx);
        return;
      }
      await sql`create extension if not exists pg_trgm`.execute(tx);
      await sql
        .raw(`create index entry_search_trigrams on entry_search using gin (${columns}) with (${PENDING_LIMIT})`)
        .execute(tx);
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!CANNOT.has(code)) throw error;
  }
}
