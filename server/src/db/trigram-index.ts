/** Every three letters in a row of what search looks at, on PostgreSQL. Needs an extension, which not every account may install: without it search reads the texts. */
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

const FOLDED = ['title_folded', 'names_folded', 'logins_folded', 'files_folded', 'group_folded'];
/** The extension may not be installed, is not there, or its operators are not in our search path; the index is in use. */
const CANNOT = new Set(['42501', '0A000', '58P01', '42704', '22023', '55P03']);

/**
 * Kilobytes of new rows that are put in their places later, and that each search reads as they are until then: of the server's usual 4,096 it has to read so many
 * that it rather reads the whole table.
 */
const LEFT_FOR_LATER = 'gin_pending_list_limit=256';

/** Makes the index if it can be made. */
export async function indexTrigrams(db: Kysely<Tables>): Promise<void> {
  const columns = FOLDED.map((column) => `${column} gin_trgm_ops`).join(', ');
  try {
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{
        readonly options: readonly string[] | null;
      }>`select reloptions as options from pg_class
        where relname = 'entry_search_trigrams' and relkind = 'i' and relnamespace = quote_ident(current_schema())::regnamespace`.execute(
        tx,
      );
      const [index] = rows;
      if (index?.options?.includes(LEFT_FOR_LATER) === true) return;
      if (index !== undefined) {
        // Another instance may be reading it for long. It works as it is, and the next start tries again.
        await sql`set local lock_timeout = '1s'`.execute(tx);
        await sql.raw(`alter index entry_search_trigrams set (${LEFT_FOR_LATER})`).execute(tx);
        return;
      }
      await sql`create extension if not exists pg_trgm`.execute(tx);
      await sql
        .raw(`create index entry_search_trigrams on entry_search using gin (${columns}) with (${LEFT_FOR_LATER})`)
        .execute(tx);
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!CANNOT.has(code)) throw error;
  }
}
