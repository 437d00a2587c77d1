/** Many rows and files, cheaply copied from existing sealed ones. */
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import type { TestApp } from '../../testing/test-app.ts';
import type { Vault } from './vault.ts';

interface Size {
  readonly entries: number;
  readonly files: number;
  readonly fileBytes: number;
}

/** Adds entries with one field of two revisions each, and files of random bytes. */
export async function enlarge({ deps }: TestApp, vault: Vault, { entries, files, fileBytes }: Size): Promise<void> {
  const { db, newId, bodies } = deps;
  const one = async (table: 'entries' | 'fields', id: string) =>
    db.read
      .selectFrom(table)
      .selectAll()
      .where(table === 'entries' ? 'entry_id' : 'field_id', '=', id)
      .executeTakeFirstOrThrow();
  const entry = (await one('entries', vault.place.e)) as never;
  const field = (await one('fields', vault.fieldId)) as never;
  const revisions = await db.read
    .selectFrom('field_revisions')
    .selectAll()
    .where('field_id', '=', vault.fieldId)
    .execute();
  for (let made = 0; made < entries; made += PORTION) {
    await db.transact(async (tx) => {
      for (let at = made; at < Math.min(entries, made + PORTION); at += 1) {
        const [entry_id, field_id] = [newId(), newId()];
        await tx
          .insertInto('entries')
          .values({ ...(entry as object), entry_id } as never)
          .execute();
        await tx
          .insertInto('fields')
          .values({ ...(field as object), entry_id, field_id } as never)
          .execute();
        await tx
          .insertInto('field_revisions')
          .values(revisions.map((row) => ({ ...row, field_id })))
          .execute();
      }
    });
  }
  for (let made = 0; made < files; made += 1) {
    const { sha256, size } = await bodies.put(randomFilling(fileBytes));
    const field_id = newId();
    await db.transact(async (tx) => {
      await tx
        .insertInto('fields')
        .values({ ...(field as object), field_id } as never)
        .execute();
      const named = revisions.map((row) => ({ ...row, field_id, body_sha256: sha256, body_size: size }));
      await tx.insertInto('field_revisions').values(named).execute();
    });
  }
}

const PORTION = 500;
/** A call returns at most 64 KiB of random bytes. */
const RANDOM_BYTES = 65_536;

function randomFilling(size: number): Buffer {
  const filled = Buffer.alloc(size);
  for (let at = 0; at < size; at += RANDOM_BYTES) filled.set(randomBytes(Math.min(RANDOM_BYTES, size - at)), at);
  return filled;
}
