/** Copies of backups in an S3-compatible store that checks signatures, and its error responses. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as backups from '@passwordbroker/core/contract/site/backups';
import type { Backup } from '@passwordbroker/core/contract/site/backups';
import type { Deps } from '../../http/context.ts';
import { S3_KEYS, startS3Store } from '../../testing/s3-store.ts';
import type { Fault, S3Store } from '../../testing/s3-store.ts';
import { startTestApp } from '../../testing/test-app.ts';
import type { SignedIn, TestApp } from '../../testing/test-app.ts';
import { MINUTE } from '../../testing/test-clock.ts';
import { madeBackup } from '../testing/made-backup.ts';
import { copyDue } from './copy-due.ts';
import type { S3Target } from './copy-target.ts';

let store: S3Store;
let app: TestApp;
let ada: SignedIn;
let backup: Backup;
beforeAll(async () => {
  store = await startS3Store();
  app = await startTestApp({ environment: store.environment });
  ada = await app.signUp('ada');
  backup = await madeBackup(app, ada);
});
afterAll(async () => {
  await app.stop();
  await store.stop();
});
afterEach(() => {
  store.setFault(null);
  store.setClock(0);
  store.objects.clear();
});

const key = ({ file_name }: Backup) => `backups/team/${file_name}`;
const archive = ({ file_name }: Backup) => readFileSync(join(app.deps.config.backupDir, file_name));
const shown = (): Promise<Backup> => ada.call(backups.get, { params: { id: backup.backup_id } });

/** The same server and database, configured for another store. */
function withStore(changes: Partial<S3Target>): Deps {
  const { config } = app.deps;
  if (config.backupCopy?.kind !== 's3') throw new Error('No store is configured');
  return { ...app.deps, config: { ...config, backupCopy: { ...config.backupCopy, ...changes } } };
}

/** Copies the backup now. Returns its copy as listed. */
async function copied(deps = app.deps, silence = 60_000) {
  await ada.call(backups.copy, { params: { id: backup.backup_id } });
  await copyDue(deps, { silence });
  const { copy, state } = await shown();
  expect(state).toBe('created');
  return copy;
}

test('the archive is stored under the prefix, read back, and listed as copied', async () => {
  const before = store.requests.length;
  expect(await copied()).toMatchObject({
    target: `${store.origin}/backups/team/`,
    state: 'copied',
    error_message: null,
    next_try_at: null,
  });
  expect(store.requests.slice(before)).toEqual([`GET ${key(backup)}`, `PUT ${key(backup)}`, `GET ${key(backup)}`]);
  expect(store.objects.get(key(backup))?.equals(archive(backup))).toBe(true);
});

test('an equal object of an attempt that was not recorded is compared and not sent again', async () => {
  store.objects.set(key(backup), archive(backup));
  const before = store.requests.length;
  expect(await copied()).toMatchObject({ state: 'copied' });
  expect(store.requests.slice(before)).toEqual([`GET ${key(backup)}`]);
});

test.each([
  ['shorter', Buffer.from('of another site')],
  ['much longer', Buffer.alloc(3_000_000)],
])('another object of that name, %s, is never replaced', async (_, bytes) => {
  store.objects.set(key(backup), bytes);
  expect(await copied()).toMatchObject({
    state: 'failed',
    error_message: 'There is another file of this name in the second target.',
    next_try_at: null,
  });
  expect(store.objects.get(key(backup))?.equals(bytes)).toBe(true);
});

const refusal = (status: number, code: string): Fault => ({ kind: 'answer', status, code });

test.each<readonly [string, Fault, readonly string[], string]>([
  ['away for now', refusal(503, 'SlowDown'), ['GET'], 'The store is busy or broken (503).'],
  ['broken', refusal(500, 'InternalError'), ['PUT'], 'The store is busy or broken (500).'],
  ['full', refusal(507, ''), ['PUT'], 'There is not enough space in the second target.'],
  ['over its quota', refusal(403, 'QuotaExceeded'), ['PUT'], 'There is not enough space in the second target.'],
  [
    'refusing reads',
    refusal(403, 'AccessDenied'),
    ['GET'],
    'The store does not allow it: the access key must be able to read, write, delete and list in the bucket.',
  ],
  [
    'refusing writes',
    refusal(403, 'AccessDenied'),
    ['PUT'],
    'The store does not allow it: the access key must be able to read, write, delete and list in the bucket.',
  ],
  ['without the bucket', refusal(404, 'NoSuchBucket'), ['GET'], 'The bucket does not exist.'],
  ['refusing its size', refusal(400, 'EntityTooLarge'), ['PUT'], 'The archive is too large for the store.'],
  ['answering something else', refusal(418, 'Teapot'), ['GET'], 'The store refuses it (418 Teapot).'],
  ['closing the connection', { kind: 'reset' }, ['GET'], 'The store cannot be reached (ECONNRESET).'],
  [
    'corrupting what it stores',
    { kind: 'damage' },
    ['PUT'],
    'What was read back from the second target differs from the archive.',
  ],
  ['silent', { kind: 'stall' }, ['GET'], 'The second target does not answer.'],
])('a store that is %s is reported with the reason, and the copy is retried', async (_, fault, methods, sentence) => {
  store.setFault(fault, methods);
  const failed = await copied(app.deps, fault.kind === 'stall' ? 1500 : 60_000);
  expect(failed).toMatchObject({ state: 'failed', error_message: sentence, copied_at: expect.anything() as string });
  expect(failed?.next_try_at).toBe(new Date(app.clock.now() + MINUTE).toISOString());
  // The wrongly stored object is removed.
  expect([...store.objects.keys()]).toEqual([]);
  store.setFault(null);
  app.clock.advance(MINUTE);
  expect(await copyDue(app.deps)).toBe(1);
  expect((await shown()).copy).toMatchObject({ state: 'copied', error_message: null });
});

test('a store that cannot be reached is reported', async () => {
  const other = await startTestApp({ environment: { ...store.environment, BACKUP_S3_ENDPOINT: 'http://127.0.0.1:9' } });
  const eve = await other.signUp('eve');
  const { backup_id: id } = await madeBackup(other, eve);
  await copyDue(other.deps);
  expect((await eve.call(backups.get, { params: { id } })).copy).toMatchObject({
    state: 'failed',
    error_message: 'The store cannot be reached (ECONNREFUSED).',
  });
  await other.stop();
});

const KEYS = 'The store refuses the access key or its secret.';
test.each<readonly [string, Partial<S3Target>, string]>([
  ['another access key', { accessKey: 'PBTESTOTHERKEY' }, KEYS],
  ['another secret', { secretKey: 'pb-another-secret-of-the-test' }, KEYS],
  ['another region', { region: 'eu-elsewhere-9' }, 'The store expects another region: check BACKUP_S3_REGION.'],
])('%s is reported, and no key appears in the list, the log or the audit log', async (_, changes, sentence) => {
  const deps = withStore(changes);
  expect(await copied(deps)).toMatchObject({ state: 'failed', error_message: sentence });
  const told = [
    JSON.stringify(await ada.call(backups.listAll, {})),
    JSON.stringify(await ada.call(audit.list, { query: { perPage: 100 } })),
    JSON.stringify(await app.deps.db.read.selectFrom('backup_copies').selectAll().execute()),
    app.log.join(''),
  ].join('\n');
  for (const secret of [S3_KEYS.access, S3_KEYS.secret, 'PBTESTOTHERKEY', 'pb-another-secret-of-the-test']) {
    expect(told).not.toContain(secret);
  }
  expect(app.log.join('')).toContain('a backup could not be copied');
});

test.each([16, -16])('a clock that is %i minutes off is reported', async (minutes) => {
  store.setClock(minutes * MINUTE);
  expect(await copied()).toMatchObject({
    state: 'failed',
    error_message: 'The clock of this server and the clock of the store differ too much: set the clock.',
  });
});

test('redirects of a store are not followed', async () => {
  let caught = 0;
  const trap = createServer((_request, response) => response.end()).on('connection', () => (caught += 1));
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const location = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/backups/team/x`;
  for (const status of [301, 307]) {
    store.setFault({ kind: 'answer', status, code: 'PermanentRedirect', location }, ['GET', 'PUT']);
    expect(await copied()).toMatchObject({
      state: 'failed',
      error_message: 'The store redirects to another address: check BACKUP_S3_ENDPOINT and BACKUP_S3_REGION.',
    });
  }
  trap.close();
  expect(caught).toBe(0);
});

test('old copies are removed with their backups; a refused removal is retried', async () => {
  await ada.request({ path: '/identity/api/confirmPassword', json: { password: ada.password } });
  const settings = { schedule: [3], enable: false, email_enable: false, keep: 1 };
  await copied();
  store.setFault(refusal(403, 'AccessDenied'), ['DELETE']);
  await ada.call(backups.changeSettings, { body: settings });
  const newer = await madeBackup(app, ada);
  await copyDue(app.deps);
  expect((await shown()).copy).toMatchObject({
    state: 'copied',
    error_message:
      'The store does not allow it: the access key must be able to read, write, delete and list in the bucket.',
  });
  const before = store.requests.length;
  await copyDue(app.deps);
  expect(store.requests.length).toBe(before);
  store.setFault(null);
  app.clock.advance(60 * MINUTE);
  await copyDue(app.deps);
  ada = await app.signIn(ada);
  expect((await shown()).copy).toMatchObject({ state: 'deleted', error_message: null });
  expect([...store.objects.keys()]).toEqual([key(newer)]);
});
