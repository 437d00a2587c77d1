/**
 * Data on the disk is damaged: the server reports it, `doctor` names it, and the rest is readable
 * (R13, R14, R15).
 */
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { openWriter } from '../server/src/db/sqlite/connections.ts';
import { BASE, MASTER_PASSWORD, type Caller, addGroup, signUp } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';

let server: RunningServer;
let ada: Caller;
let fields: string;
const database = () => join(server.dataDir, 'passwordbroker.sqlite');

beforeEach(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'fatal' } });
  ada = await signUp(server);
  const groupId = await addGroup(ada, 'Vault');
  const path = `${BASE}/entryGroups/${groupId}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', path, { title: 'One' });
  fields = `${path}/${entry_id}/fields`;
});
afterEach(() => server.stop());

const addNote = async (value: string) =>
  (await ada.accepted<{ field_id: string }>('POST', fields, { type: 'note', value, master_password: MASTER_PASSWORD }))
    .field_id;
const read = (id: string) => ada.request('POST', `${fields}/${id}/decrypted`, { master_password: MASTER_PASSWORD });
const textOf = (base64: string) => Buffer.from(base64, 'base64').toString();

/** Adds enough notes that the file has pages to damage. */
async function grow() {
  for (let n = 0; n < 30; n += 1) await addNote('x'.repeat(20_000));
  // A clean shutdown leaves everything in one file.
  await server.end();
}

test('a truncated database is not started, and doctor reports it as damaged (R13)', async () => {
  await grow();
  truncateSync(database(), Math.floor(statSync(database()).size / 2 / 4096) * 4096);
  const { code, output } = await examine(server.dataDir);
  expect(code).not.toBe(0);
  expect(output).toMatch(/damaged|DAMAGED/);
  await expect(server.restart()).rejects.toThrow(/damaged/i);
});

test('doctor names a zeroed page (R13)', async () => {
  await grow();
  const { connection, queries } = openWriter(database());
  const page = connection.prepare(`select rootpage from sqlite_schema where name = 'field_history'`).pluck().get();
  await queries.destroy();
  const file = openSync(database(), 'r+');
  writeSync(file, Buffer.alloc(4096), 0, 4096, (Number(page) - 1) * 4096);
  closeSync(file);
  const { code, output } = await examine(server.dataDir);
  expect(code).not.toBe(0);
  expect(output).toContain('DAMAGED');
});

test('a write-ahead log that is deleted after a clean shutdown loses nothing (R13)', async () => {
  const id = await addNote('still here');
  await server.end();
  rmSync(`${database()}-wal`, { force: true });
  rmSync(`${database()}-shm`, { force: true });
  expect(existsSync(`${database()}-wal`)).toBe(false);
  await server.restart();
  expect(textOf((await read(id)).text)).toBe('still here');
});

test('a changed byte of a sealed value: only that field is reported as damaged, others open (R14)', async () => {
  const [whole, hurt] = [await addNote('whole'), await addNote('hurt')];
  await server.end();
  const { queries, connection } = openWriter(database());
  const { value } = await queries
    .selectFrom('field_revisions')
    .select('value')
    .where('field_id', '=', hurt)
    .executeTakeFirstOrThrow();
  const changed = Buffer.from(value);
  changed[60] = (changed[60] ?? 0) ^ 1;
  connection.prepare('update field_revisions set value = ? where field_id = ?').run(changed, hurt);
  await queries.destroy();
  await server.restart();
  const answer = await read(hurt);
  expect(answer.status).toBe(422);
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'integrity_error' });
  expect(answer.text).not.toContain('MasterPassword is invalid');
  expect(textOf((await read(whole)).text)).toBe('whole');
  expect((await ada.accepted<unknown[]>('GET', fields)).length).toBe(2);
});

test('a missing or changed file body: only that file is reported as damaged, and doctor lists it (R15)', async () => {
  const ids = [];
  for (const name of ['a', 'b', 'c']) {
    const form = new FormData();
    form.append('type', 'file');
    form.append('title', name);
    form.append('master_password', MASTER_PASSWORD);
    form.append('file', new Blob([name.repeat(5000)]), `${name}.txt`);
    const answer = await ada.send('POST', fields, form);
    expect(answer.status, answer.text).toBe(201);
    ids.push((JSON.parse(answer.text) as { field_id: string }).field_id);
  }
  const { queries } = openWriter(database());
  const rows = await queries.selectFrom('field_revisions').select(['field_id', 'body_sha256']).execute();
  await queries.destroy();
  const bodyOf = (id: string | undefined) => {
    const name = rows.find((row) => row.field_id === id)?.body_sha256 ?? 'none';
    const found = readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' }).find((path) =>
      path.endsWith(name),
    );
    return join(server.dataDir, found ?? 'none');
  };
  rmSync(bodyOf(ids[0]));
  const file = openSync(bodyOf(ids[1]), 'r+');
  writeSync(file, Buffer.from([0xff]), 0, 1, 2000);
  closeSync(file);
  const statuses = await Promise.all(ids.map(async (id) => (await read(id)).status));
  expect(statuses[0]).toBeGreaterThanOrEqual(400);
  expect(statuses[1]).toBeGreaterThanOrEqual(400);
  expect(statuses[2]).toBe(200);
  await server.end();
  const { code, output } = await examine(server.dataDir);
  expect(code).not.toBe(0);
  expect(output).toContain('is missing');
  expect(output).toContain('is not what was stored');
  await server.restart();
});
