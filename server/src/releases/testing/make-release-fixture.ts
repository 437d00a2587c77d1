/**
 * Creates the fixtures of a release for the tests of all later ones: a backup with an archive password, and
 * the file of an embedded database. Run once for each release: `npx tsx
 * server/src/releases/testing/make-release-fixture.ts 1.2.0`.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { changeSettings } from '@passwordbroker/core/contract/site/backups';
import { ARCHIVE_PASSWORD } from '../../backups/testing/archive.ts';
import { madeBackup } from '../../backups/testing/made-backup.ts';
import { fillSealed } from '../../backups/testing/sealed-vault.ts';
import { sealAll } from '../../backups/testing/vault.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { ENTRIES, PERSON, RELEASES } from './released.ts';

const [version] = process.argv.slice(2);
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Name the version: 1.2.0');
const folder = join(RELEASES, version);
await mkdir(folder);
const app = await startTestApp();
const person = await app.signUp(PERSON);
await fillSealed(app, person, ENTRIES);
await sealAll(app);
const settings = { schedule: [3], enable: false, email_enable: false, archive_password: ARCHIVE_PASSWORD };
await person.call(changeSettings, { body: settings });
const backup = await madeBackup(app, person);
if (backup.state !== 'created') throw new Error(backup.error_message ?? backup.state);
await copyFile(join(app.deps.config.backupDir, backup.file_name), join(folder, 'backup.tar.gz.age'));
const copy = join(app.dataDir, 'copy.sqlite');
await sql`vacuum into ${copy}`.execute(app.deps.db.read);
await writeFile(join(folder, 'database.sqlite.gz'), gzipSync(await readFile(copy), { level: 9 }));
await rm(copy);
await app.stop();
