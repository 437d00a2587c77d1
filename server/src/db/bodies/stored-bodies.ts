/** In parts, so that downloads never hold a whole body in memory (ADR 11). */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { BodyStore } from '../../platform/storage/bodies.ts';
import { sha256 } from '../../platform/ids-and-digests.ts';
import type { PostgresAddress } from '../postgres/address.ts';
import { openQueries } from '../postgres/pool.ts';

const PART = 512 * 1024;
const CONNECTIONS = 4;

interface BodyTables {
  bodies: { sha256: string; size: number; touched_at: number };
  body_parts: { sha256: string; part: number; bytes: Buffer };
}

export interface StoredBodies extends BodyStore {
  close(): Promise<void>;
}

/** Outside transactions: stored before the first row that names a body, removed after the last. */
export function openStoredBodies(address: PostgresAddress): StoredBodies {
  const db = openQueries<BodyTables>(address, { max: CONNECTIONS, isPatient: true });
  return {
    async put(bytes) {
      const name = sha256(bytes).toString('hex');
      await db.transaction().execute(async (tx) => {
        const body = { sha256: name, size: bytes.length, touched_at: Date.now() };
        // Not collected before a row names it.
        const { numUpdatedRows } = await tx
          .updateTable('bodies')
          .set({ touched_at: body.touched_at })
          .where('sha256', '=', name)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) return;
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto('bodies')
          .values(body)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows === 0n) return;
        for (let part = 0; part * PART < bytes.length; part += 1) {
          const portion = Buffer.from(bytes.subarray(part * PART, (part + 1) * PART));
          await tx.insertInto('body_parts').values({ sha256: name, part, bytes: portion }).execute();
        }
      });
      return { sha256: name, size: bytes.length };
    },
    async adopt(path, name) {
      const { sha256: stored } = await this.put(await readFile(path));
      if (stored !== name) throw new Error('A file is not what its name says');
    },
    open: (name) => Readable.from(readParts(db, name), { objectMode: false }),
    async has(name) {
      return (await find(db, name)) !== undefined;
    },
    async listUntouchedSince(time) {
      const rows = await db.selectFrom('bodies').select('sha256').where('touched_at', '<', time).execute();
      return rows.map((row) => row.sha256);
    },
    async remove(name) {
      const { numDeletedRows } = await db.deleteFrom('bodies').where('sha256', '=', name).executeTakeFirst();
      return numDeletedRows > 0n;
    },
    // Written in one transaction, so never incomplete.
    async removeHalfWritten() {},
    close: () => db.destroy(),
  };
}

const find = (db: Kysely<BodyTables>, name: string) =>
  db.selectFrom('bodies').select('size').where('sha256', '=', name).executeTakeFirst();

/** @throws `ENOENT` if a part is missing */
async function* readParts(db: Kysely<BodyTables>, name: string): AsyncGenerator<Buffer> {
  const body = await find(db, name);
  let read = 0;
  for (let part = 0; body !== undefined && read < body.size; part += 1) {
    const row = await db
      .selectFrom('body_parts')
      .select('bytes')
      .where('sha256', '=', name)
      .where('part', '=', part)
      .executeTakeFirst();
    if (row === undefined) break;
    read += row.bytes.length;
    yield row.bytes;
  }
  if (read !== body?.size) throw Object.assign(new Error('A body is not there as a whole'), { code: 'ENOENT' });
}
