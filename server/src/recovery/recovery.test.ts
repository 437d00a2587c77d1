/**
 * Recovery of an empty site from a backup (T14, T83, T85, T88, T107, R26) is complete or has no effect, and
 * ends all former access.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import { recover, recoverable } from '@passwordbroker/core/contract/site/backups';
import * as entries from '@passwordbroker/core/contract/entries/entries';
import * as invites from '@passwordbroker/core/contract/users/invites';
import { createToken } from '@passwordbroker/core/contract/account/credentials';
import { verifyChain } from '../audit/chain/verify-chain.ts';
import { ARCHIVE_PASSWORD, archiveOf } from '../backups/testing/archive.ts';
import { fillVault, sealAll, secretOf, CANARY } from '../backups/testing/vault.ts';
import type { Vault } from '../backups/testing/vault.ts';
import * as factors from '@passwordbroker/core/contract/account/factors';
import { guard, signInWith, type Guarded } from '../identity/factors/testing/two-factors.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import type { TestClient } from '../testing/test-client.ts';
import { testPerson } from '../testing/test-person.ts';
import { makeSetupToken } from '../users/setup-token.ts';
import { everything } from '../operations/testing/vault.ts';

let app: TestApp;
let vault: Vault;
let sealed: Buffer;
let plain: Buffer;
let inviteLink: string;
let token: string;
let own: Guarded;
beforeAll(async () => {
  app = await startTestApp();
  vault = await fillVault(app, ['ada', 'bob']);
  const { ada } = vault;
  inviteLink = (await ada.call(invites.create, { body: { user: { email: 'eve@example.org' } } })).inviteLinkUrl;
  token = (await ada.call(createToken, { body: { token_name: 'script' } })).token;
  own = await guard(app, await app.signIn(await testPerson('bob')));
  await sealAll(app);
  sealed = await readFile(await archiveOf(app));
  plain = await readFile(await archiveOf(app, { password: null }));
});
afterAll(() => app.stop());

const started: TestApp[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});
async function emptySite(environment: Readonly<Record<string, string>> = {}): Promise<TestApp> {
  const site = await startTestApp({ environment });
  started.push(site);
  return site;
}

function send(client: TestClient, file: Buffer | null, members: Readonly<Record<string, string>> = {}) {
  const multipart = new FormData();
  for (const [name, value] of Object.entries(members)) multipart.append(name, value);
  if (file !== null) multipart.append('backupFile', new Blob([new Uint8Array(file)]), 'pb_backup.tar.gz.age');
  return client.request({ path: recover.path, multipart });
}

/** The site is still empty: no account, nothing stored, and the first sign-up works. */
async function expectUntouched(site: TestApp): Promise<void> {
  expect(await site.guest().call(recoverable)).toEqual({ available: true });
  const [rows] = JSON.parse(await everything(site.deps)) as [unknown[][]];
  expect(rows.flat()).toEqual([]);
  expect(await readdir(join(site.dataDir, 'bodies')).catch(() => [])).toEqual([]);
  expect(await readdir(join(site.dataDir, 'backup-work')).catch(() => [])).toEqual([]);
  expect(await readdir(join(site.dataDir, 'uploads')).catch(() => [])).toEqual([]);
}

test('R26: with file and password people sign in, values open, files are complete, and the audit log is intact', async () => {
  const site = await emptySite();
  // The log of the empty installation continues the restored one.
  await site.guest().request({ path: '/identity/api/login', json: { email: 'x@example.org', password: 'x' } });
  await sealAll(site);
  const answer = await send(site.guest(), sealed, { password: ARCHIVE_PASSWORD });
  expect([answer.status, answer.json()]).toEqual([200, { status: 'done' }]);
  expect(await site.guest().call(recoverable)).toEqual({ available: false });
  const ada = await site.signIn(vault.ada);
  expect(await secretOf(vault, ada)).toBe(CANARY);
  const params = { ...vault.place, f: vault.fileId };
  const file = await ada.request({
    path: `/passwordBroker/api/entryGroups/${params.g}/entries/${params.e}/fields/${params.f}/file`,
  });
  expect(file.bytes.equals(vault.body)).toBe(true);
  const found = await ada.call(entries.search, { query: { q: 'postgres' } });
  expect(found.data.map(({ title }) => title)).toEqual(['PostgreSQL primary']);
  const log = await ada.call(audit.list, { query: { event_type: 'recovered' } });
  expect(log.total).toBe(1);
  await sealAll(site);
  expect(await verifyChain(site.deps)).toMatchObject({ ok: true, unsealed: 0 });
  const failed = await ada.call(audit.list, { query: { event_type: 'login_failed' } });
  expect(failed.total).toBe(1);
});

test('I103: second factors are those of the backup, and the account page says that used codes work again', async () => {
  const site = await emptySite();
  await send(site.guest(), sealed, { password: ARCHIVE_PASSWORD });
  const browser = await signInWith(site, await testPerson('bob'), own.codes[0] ?? '');
  expect(await browser.call(factors.get)).toMatchObject({
    factor_state: 'set',
    recovery_codes: { left: 9, restored_at: new Date(site.clock.now()).toISOString() },
  });
  await browser.call(factors.makeRecoveryCodes);
  expect((await browser.call(factors.get)).recovery_codes).toMatchObject({ left: 10, restored_at: null });
});

test('T14, T88: cookies, tokens and invitations from before the recovery are invalid', async () => {
  const site = await emptySite();
  await send(site.guest(), sealed, { password: ARCHIVE_PASSWORD });
  const old = site.guest();
  for (const [name, value] of vault.ada.cookies) old.cookies.set(name, value);
  expect((await old.request({ path: '/passwordBroker/api/entryGroups' })).status).toBe(401);
  const bearer = { authorization: `Bearer ${token}` };
  expect((await site.guest().request({ path: '/passwordBroker/api/entryGroups', headers: bearer })).status).toBe(401);
  const invite = `/identity/api/invite/${inviteLink.split('/').at(-1) ?? ''}`;
  expect((await site.guest().request({ path: invite })).status).toBe(404);
});

test('T83, R21: a wrong or missing password and an invalid file are refused with their own messages and change nothing', async () => {
  const site = await emptySite();
  const guest = site.guest();
  const refusals = [
    [await send(guest, null), 'backupFile', 'Please select a backup file'],
    [await send(guest, sealed), 'password', 'The backup needs a password or the password is wrong.'],
    [
      await send(guest, sealed, { password: 'no' }),
      'password',
      'The backup needs a password or the password is wrong.',
    ],
    [
      await send(guest, plain, { password: 'any' }),
      'password',
      'The backup has no password. Leave the password empty.',
    ],
    [await send(guest, Buffer.alloc(0)), 'backupFile', 'The file is not a backup of this product.'],
    [await send(guest, Buffer.from('PK')), 'backupFile', 'The file is not a backup of this product.'],
    [await send(guest, plain.subarray(0, -1)), 'backupFile', 'The backup is damaged.'],
  ] as const;
  for (const [answer, field, text] of refusals) {
    expect(answer.status).toBe(422);
    expect(answer.json<{ errors: unknown }>().errors).toEqual({ [field]: [text] });
  }
  await expectUntouched(site);
  await expect(site.signUp('carol')).resolves.toBeDefined();
});

test('T85: recovery is refused once an account exists', async () => {
  const before = await everything(app.deps);
  const answer = await send(app.guest(), plain);
  expect([answer.status, answer.json<{ message: string }>().message]).toEqual([
    403,
    'This server already has users, so no backup can be restored here',
  ]);
  expect(await everything(app.deps)).toBe(before);
});

test('T107: recovery requires the configured setup token', async () => {
  const site = await emptySite({ SETUP_TOKEN: 'the token' });
  const without = await send(site.guest(), plain);
  expect(without.json<{ code: string }>().code).toBe('setup_token_invalid');
  await expectUntouched(site);
  expect((await send(site.guest(), plain, { setup_token: 'the token' })).status).toBe(200);
});

test('a recovery requires the setup token that the server created (T154)', async () => {
  const site = await emptySite({ HOST: '0.0.0.0' });
  const setup_token = (await makeSetupToken(site.deps)) ?? '';
  const without = await send(site.guest(), plain);
  expect(without.json<{ code: string }>().code).toBe('setup_token_invalid');
  expect((await send(site.guest(), plain, { setup_token })).status).toBe(200);
});

test('during a recovery other requests get a 503, and a second recovery is refused', async () => {
  const site = await emptySite();
  const other = site.guest();
  await other.request({ path: '/sanctum/csrf-cookie' });
  const first = send(site.guest(), sealed, { password: ARCHIVE_PASSWORD });
  await expect.poll(() => site.deps.recovery.isRunning, { timeout: 20_000, interval: 1 }).toBe(true);
  const [me, second, health] = await Promise.all([
    site.guest().request({ path: '/identity/api/me' }),
    send(other, sealed, { password: ARCHIVE_PASSWORD }),
    site.guest().request({ path: '/health' }),
  ]);
  expect([me.status, me.headers['retry-after']]).toEqual([503, '5']);
  expect(health.status).toBe(200);
  expect([second.status, second.json<{ message: string }>().message]).toEqual([
    409,
    'Another recovery is running. Wait until it has finished.',
  ]);
  expect((await first).status).toBe(200);
  expect((await site.guest().request({ path: '/identity/api/me' })).status).toBe(200);
});
