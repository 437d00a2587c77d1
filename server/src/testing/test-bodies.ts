/**
 * Sealed file bodies in the store, for tests that damage, age or count them: files in the data folder, or
 * rows on PostgreSQL.
 */
import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { TestApp } from './test-app.ts';

type BodiesOwner = Pick<TestApp, 'deps' | 'dataDir'>;

const pathOf = ({ dataDir }: BodiesOwner, name: string) => join(dataDir, 'bodies', name);
const isFile = ({ deps }: BodiesOwner) => deps.db.dialect === 'sqlite';

/** Names of all bodies, in order. */
export async function listBodies({ deps }: BodiesOwner): Promise<string[]> {
  return (await deps.bodies.listUntouchedSince(Number.MAX_SAFE_INTEGER)).sort((a, b) => a.localeCompare(b));
}

export const readBody = ({ deps }: BodiesOwner, name: string): Promise<Buffer> => buffer(deps.bodies.open(name));

/** Replaces the stored bytes without the store's checks. */
export async function replaceBody(app: BodiesOwner, name: string, bytes: Uint8Array): Promise<void> {
  if (isFile(app)) return writeFile(pathOf(app, name), bytes);
  await app.deps.db.transact(async (tx) => {
    await sql`insert into bodies (sha256, size, touched_at) values (${name}, ${bytes.length}, ${Date.now()})
      on conflict (sha256) do update set size = excluded.size`.execute(tx);
    await sql`insert into body_parts (sha256, part, bytes) values (${name}, 0, ${Buffer.from(bytes)})
      on conflict (sha256, part) do update set bytes = excluded.bytes`.execute(tx);
  });
}

/** When the body was last touched, in ms since 1970. */
export async function touchOf(app: BodiesOwner, name: string): Promise<number> {
  if (isFile(app)) return (await stat(pathOf(app, name))).mtimeMs;
  const { rows } = await sql<{
    touched_at: number;
  }>`select touched_at from bodies where sha256 = ${name}`.execute(app.deps.db.read);
  return rows[0]?.touched_at ?? 0;
}

export async function setTouch(app: BodiesOwner, name: string, at: number): Promise<void> {
  if (isFile(app)) return utimes(pathOf(app, name), new Date(at), new Date(at));
  await app.deps.db.transact((tx) => sql`update bodies set touched_at = ${at} where sha256 = ${name}`.execute(tx));
}
