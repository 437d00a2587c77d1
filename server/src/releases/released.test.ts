/**
 * Data of former releases is migrated to the present schema: every value opens, checks pass, and a second
 * start does nothing (R42).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import { checkRestored } from '../backups/restore/check-restored.ts';
import { ARCHIVE_PASSWORD } from '../backups/testing/archive.ts';
import { openAll } from '../backups/testing/sealed-vault.ts';
import { openDatabase } from '../db/open.ts';
import { MIGRATIONS } from '../db/schema/migrations/index.ts';
import { BetterSqlite } from '../db/sqlite/connections.ts';
import { recoverFrom } from '../recovery/recover.ts';
import { startTestApp } from '../testing/test-app.ts';
import { isOnPostgres } from '../testing/test-database.ts';
import { VERSION } from '@passwordbroker/core/contract/client';
import { ENTRIES, RELEASES, WHOLE, releasedVersions, signInReleased } from './testing/released.ts';

const ORIGIN = { address: 'test', agentHash: null, userAgent: '', client: null };
/** Upgrades in place are tested on SQLite; on PostgreSQL the same migrations run during the restore. */
const versions = releasedVersions();
let stop: () => Promise<unknown> | void = () => {};
afterEach(() => stop());

test('there are databases and backups of this and of former releases', () => {
  expect(versions).toContain(VERSION);
  expect(versions.length).toBeGreaterThan(1);
});

test.each(versions)(
  'the backup of release %s can be restored, and every revision in it opens (R42)',
  async (version) => {
    const app = await startTestApp();
    stop = () => app.stop();
    const path = join(RELEASES, version, 'backup.tar.gz.age');
    await recoverFrom(app.deps, { path, password: ARCHIVE_PASSWORD, origin: ORIGIN });
    const person = await signInReleased(app);
    const [group] = await person.call(groups.listAll);
    expect(await openAll(app, person, group?.entry_group_id ?? '')).toEqual(WHOLE);
    await checkRestored(app.deps.db);
  },
);

test.each(isOnPostgres ? [] : versions)(
  'the database of release %s is upgraded in place without a change to sealed values, and a second start does nothing (R42)',
  async (version) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-'));
    stop = () => rmSync(dataDir, { recursive: true });
    const packed = readFileSync(join(RELEASES, version, 'database.sqlite.gz'));
    writeFileSync(join(dataDir, 'passwordbroker.sqlite'), gunzipSync(packed), { mode: 0o600 });
    const old = new BetterSqlite(join(dataDir, 'passwordbroker.sqlite'), { readonly: true });
    const before = old.prepare('select * from field_revisions order by field_id, rev').all() as Record<
      string,
      unknown
    >[];
    old.close();
    /** Opens the database as a start does. */
    const look = async (now: number) => {
      const db = await openDatabase({ dataDir, now });
      try {
        await checkRestored(db);
        const ran = (await sql<{ name: string }>`select * from schema_migrations order by name`.execute(db.read)).rows;
        const sealed = await db.read
          .selectFrom('field_revisions')
          .selectAll()
          .orderBy('field_id')
          .orderBy('rev')
          .execute();
        const count = await db.read.selectFrom('entries').select('entry_id').execute();
        return { ran, sealed, entries: count.length };
      } finally {
        await db.close();
      }
    };
    const [first, second] = [await look(1), await look(2)];
    expect(first.ran.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name).toSorted());
    expect(first).toMatchObject({ entries: ENTRIES });
    expect(first.sealed).toHaveLength(WHOLE.values + WHOLE.files);
    // New columns may exist; the former ones have the same values.
    const columns = Object.keys(before[0] ?? {});
    const kept = first.sealed.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => columns.includes(name))),
    );
    expect(kept).toEqual(before);
    expect(second).toEqual(first);
  },
);
