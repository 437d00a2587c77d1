/** An import is stored as a whole or not at all when the process dies or the caller disconnects. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import type { ImportBatch } from '@passwordbroker/core/contract/entries/import';
import { createKeyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { openDatabase } from '../db/open.ts';
import { argon2idNative } from '../platform/passwords/argon2.ts';
import { buildServer } from '../testing/built-server.ts';
import type { BuiltServer } from '../testing/built-server.ts';
import { manyFields, sealedBatch } from './testing/sealed-batch.ts';

const FIELDS = 2000;

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer();
});
afterAll(() => built.remove());

let dataDir: string;
let child: ChildProcess | null = null;
let port = 0;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-faults-'));
  port = await freePort();
});
afterEach(async () => {
  await kill();
  await rm(dataDir, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const url = (path: string) => `http://127.0.0.1:${port}${path}`;

async function start(): Promise<void> {
  child = spawn(process.execPath, [built.main], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' },
    stdio: 'ignore',
  });
  for (let at = 0; at < 200; at += 1) {
    const answer = await fetch(url('/ready')).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The server is not ready after 10 s');
}

async function kill(): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Signs up the first user. Returns the keyring, and the headers for further requests. */
async function signUp(): Promise<{ keyring: Keyring; headers: Record<string, string> }> {
  const kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };
  const user_id = v7();
  const { keyring, bundle } = await createKeyring({ userId: user_id, masterPassword: 'a master password', kdf });
  const cookies = new Map<string, string>();
  const headers = () => ({
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '',
    'content-type': 'application/json',
  });
  const keep = (answer: Response) => {
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
  };
  keep(await fetch(url('/sanctum/csrf-cookie')));
  const password = 'an account password';
  const user = { user_id, username: 'Ada', email: 'ada@example.org', password, password_confirmation: password };
  const answer = await fetch(url('/identity/api/registration'), {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ user: { ...user, key_bundle: bundle } }),
  });
  expect(answer.status).toBe(201);
  keep(answer);
  return { keyring, headers: headers() };
}

async function largeBatch(keyring: Keyring): Promise<string> {
  const { batch } = await sealedBatch(keyring, Date.now());
  return JSON.stringify({ batch: { ...batch, ...manyFields(batch, FIELDS) } });
}

/**
 * Number of visible fields: staged rows of a dead import are in its trash and have no members (ADR
 * 16).
 */
async function storedFields(): Promise<number> {
  const db = await openDatabase({ dataDir, now: Date.now() });
  const groups = db.read.selectFrom('entry_groups').where('entry_groups.trashed_by', 'is', null);
  const [fields, visibleGroups, operations] = await Promise.all([
    countOf(
      groups
        .innerJoin('entries', 'entries.entry_group_id', 'entry_groups.entry_group_id')
        .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
        .select((eb) => eb.fn.countAll<number>().as('n')),
    ),
    countOf(groups.select((eb) => eb.fn.countAll<number>().as('n'))),
    countOf(
      db.read
        .selectFrom('operations')
        .where('operation_id', 'not in', db.read.selectFrom('staged_imports').select('operation_id'))
        .select((eb) => eb.fn.countAll<number>().as('n')),
    ),
  ]);
  await db.close();
  expect([visibleGroups, operations]).toEqual([(fields / FIELDS) * 2, fields / FIELDS]);
  return fields;
}

const countOf = async (query: { executeTakeFirstOrThrow: () => Promise<{ n: number }> }): Promise<number> =>
  (await query.executeTakeFirstOrThrow()).n;

test('killed at any moment: acknowledged imports are stored, others leave nothing', async () => {
  await start();
  const { keyring, headers } = await signUp();
  let least = 0;
  // The first import completes; the others are killed after a share of its duration.
  let whole = 20_000;
  for (const share of [1, 0.01, 0.4, 0.6, 0.8]) {
    const body = await largeBatch(keyring);
    const begun = performance.now();
    const sent = fetch(url('/import'), { method: 'POST', headers, body }).catch(() => null);
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, share * whole))]);
    if (share === 1) whole = performance.now() - begun;
    await kill();
    const acknowledged = (await sent)?.status === 201;
    const stored = await storedFields();
    expect(stored % FIELDS).toBe(0);
    expect(stored).toBeGreaterThanOrEqual(least + (acknowledged ? FIELDS : 0));
    expect(stored).toBeLessThanOrEqual(least + FIELDS);
    least = stored;
    await start();
  }
  expect(least).toBeGreaterThan(0);
});

interface Target {
  readonly batch: ImportBatch;
  /** What the server has of the batch's first field. */
  readonly rev: number;
}

/** New entries for the root of a tree, and the next revision of its first field. */
function intoBatch({ batch, rev }: Target): string {
  const [root] = batch.groups;
  const [field] = batch.fields;
  const sealed = field?.revisions[0];
  if (root === undefined || field === undefined || sealed === undefined) throw new Error('The tree has a field');
  const place = { entry_group_id: root.entry_group_id, entry_id: field.entry_id };
  const { field_id, type, title, login } = field;
  const update = { ...place, field_id, base_rev: rev, type, title, login, revision: { ...sealed, rev: rev + 1 } };
  const into = {
    into: root.entry_group_id,
    targets: [{ entry_group_id: root.entry_group_id, gk_version: 1 }],
    existing_entries: [place],
    updates: [update],
  };
  return JSON.stringify({ batch: { groups: [], skipped: [], ...into, ...manyFields(batch, FIELDS) } });
}

/** Visible fields of the root, the revision of its first field, and the revisions that this field has. */
async function seenInto({ groups: [root], fields: [field] }: ImportBatch) {
  const db = await openDatabase({ dataDir, now: Date.now() });
  const fields = await countOf(
    db.read
      .selectFrom('entries')
      .innerJoin('fields', 'fields.entry_id', 'entries.entry_id')
      .where('entries.entry_group_id', '=', root?.entry_group_id ?? '')
      .select((eb) => eb.fn.countAll<number>().as('n')),
  );
  const { rev } = await db.read
    .selectFrom('fields')
    .select('rev')
    .where('field_id', '=', field?.field_id ?? '')
    .executeTakeFirstOrThrow();
  const revisions = db.read.selectFrom('field_revisions').where('field_id', '=', field?.field_id ?? '');
  const count = await countOf(revisions.select((eb) => eb.fn.countAll<number>().as('n')));
  await db.close();
  return { fields, rev, count };
}

test('IM11: killed in any phase of an import into existing groups: all of it is there, or nothing', async () => {
  await start();
  const { keyring, headers } = await signUp();
  const { batch } = await sealedBatch(keyring, Date.now());
  const own = { ...batch, fields: batch.fields.slice(0, 1) };
  const post = (body: string) => fetch(url('/import'), { method: 'POST', headers, body }).catch(() => null);
  expect((await post(JSON.stringify({ batch: own })))?.status).toBe(201);
  let whole = 20_000;
  let before = { fields: 1, rev: 2, count: 2 };
  let stored = 0;
  for (const share of [1, 0.02, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]) {
    const body = intoBatch({ batch: own, rev: before.rev });
    const begun = performance.now();
    const sent = post(body);
    await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, share * whole))]);
    if (share === 1) whole = performance.now() - begun;
    await kill();
    const acknowledged = (await sent)?.status === 201;
    const now = await seenInto(own);
    const all = { fields: before.fields + FIELDS, rev: before.rev + 1, count: before.count + 1 };
    expect([before, all]).toContainEqual(now);
    if (acknowledged) expect(now).toEqual(all);
    if (now.rev === all.rev) stored += 1;
    before = now;
    await start();
  }
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(10);
  expect((await post(intoBatch({ batch: own, rev: before.rev })))?.status).toBe(201);
});

test('a caller who disconnects leaves no partial import, and the next import succeeds', async () => {
  await start();
  const { keyring, headers } = await signUp();
  const begun = performance.now();
  const first = await fetch(url('/import'), { method: 'POST', headers, body: await largeBatch(keyring) });
  expect(first.status).toBe(201);
  const whole = performance.now() - begun;
  for (const share of [0.05, 0.5, 0.75]) {
    const gone = new AbortController();
    const sent = fetch(url('/import'), {
      method: 'POST',
      headers,
      body: await largeBatch(keyring),
      signal: gone.signal,
    });
    const ended = sent.then(
      () => true,
      () => false,
    );
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, share * whole))]);
    gone.abort();
    await ended;
  }
  const answer = await fetch(url('/import'), { method: 'POST', headers, body: await largeBatch(keyring) });
  expect(answer.status).toBe(201);
  await kill();
  expect((await storedFields()) % FIELDS).toBe(0);
});
