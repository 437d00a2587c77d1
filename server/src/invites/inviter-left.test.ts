/** Open invitations end with the rights of the person who made them (T147). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as people from '@passwordbroker/core/contract/users/people';
import { register } from '@passwordbroker/core/contract/users/users';
import { openDatabase } from '../db/open.ts';
import { access } from '../db/schema/migrations/0021-access.ts';
import { MIGRATIONS } from '../db/schema/migrations/index.ts';
import { signUpBody, startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';
import { TEST_ACCOUNT_PASSWORDS, testPerson } from '../testing/test-person.ts';
import { invite as inviteSomebody } from './invites.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
  await setAdmin(true);
});
afterEach(() => app.stop());

const ofBob = () => ({ id: bob.userId });
const setAdmin = (is_admin: boolean) => ada.call(people.setAdmin, { params: ofBob(), body: { is_admin } });
const setDisabled = (status: boolean) => ada.call(people.setDisabled, { params: ofBob(), body: { status } });
const remove = () => ada.call(people.remove, { params: ofBob(), body: {} });

const invite = async (by: SignedIn, email: string) => {
  const { inviteLinkUrl, invite: made } = await by.call(invites.create, { body: { user: { email } } });
  return { token: inviteLinkUrl.split('/').at(-1) ?? '', id: made.invite_id };
};
const accept = async (token: string) => {
  const params = { token };
  return app.guest().call(invites.accept, { params, body: { user: signUpBody(await testPerson('carol')) } });
};
const stateOf = async (id: string) =>
  (await ada.call(invites.listAll)).data.find(({ invite_id }) => invite_id === id)?.state;
const revocations = async () =>
  (
    await app.deps.db.read
      .selectFrom('audit_log')
      .select(['user_id', 'target_id', 'details'])
      .where('event_type', '=', 'invite_revoked')
      .execute()
  ).map(({ details, ...row }) => ({ ...row, details: JSON.parse(details ?? 'null') as unknown }));

const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
  deleted: remove,
  disabled: () => setDisabled(true),
  demoted: () => setAdmin(false),
};

test.each(Object.keys(ENDS))('an invitation ends when the admin who made it is %s (T147)', async (reason) => {
  const [open, past, others] = [
    await invite(bob, 'carol@example.org'),
    await invite(bob, 'past@example.org'),
    await invite(ada, 'dan@example.org'),
  ];
  await app.deps.db.transact((tx) =>
    tx
      .updateTable('invites')
      .set({ expires_at: app.clock.now() - HOUR })
      .where('invite_id', '=', past.id)
      .execute(),
  );
  await ENDS[reason]!();
  await expect(accept(open.token)).rejects.toMatchObject({
    code: 'not_found',
    message: 'This invitation is no longer valid',
  });
  expect([await stateOf(open.id), await stateOf(past.id), await stateOf(others.id)]).toEqual([
    'revoked',
    'expired',
    'open',
  ]);
  expect(await revocations()).toEqual([
    { user_id: ada.userId, target_id: open.id, details: { invited_by: bob.userId, reason } },
  ]);
  // Invitations stay revoked after the account is enabled again.
  if (reason === 'disabled') await setDisabled(false);
  if (reason === 'demoted') await setAdmin(true);
  await expect(accept(open.token)).rejects.toMatchObject({ code: 'not_found' });
  // The address can be invited again.
  await accept((await invite(ada, 'carol@example.org')).token);
});

test('promoting and enabling end no invitation (T147)', async () => {
  const { id } = await invite(bob, 'carol@example.org');
  await setAdmin(true);
  await setDisabled(false);
  expect([await stateOf(id), await revocations()]).toEqual(['open', []]);
});

test('an admin who is disabled while the server derives a password creates no account (T147)', async () => {
  let derive: (() => void) | null = null;
  const passwords = { ...TEST_ACCOUNT_PASSWORDS };
  const held = await startTestApp({
    accountPasswords: {
      ...passwords,
      async hash(password) {
        if (password === 'a password that waits') await new Promise<void>((resolve) => (derive = resolve));
        return passwords.hash(password);
      },
    },
  });
  const [eve, mallory, carol] = [await held.signUp('eve'), await held.signUp('mallory'), await testPerson('carol')];
  const params = { id: mallory.userId };
  await eve.call(people.setAdmin, { params, body: { is_admin: true } });
  const password = 'a password that waits';
  const user = { ...signUpBody(carol), password, password_confirmation: password };
  const creating = mallory.request({ path: register.path, json: { user } });
  await expect.poll(() => derive).not.toBeNull();
  await eve.call(people.setDisabled, { params, body: { status: true } });
  derive!();
  expect((await creating).status).toBe(403);
  expect((await eve.call(people.search, { query: { q: 'carol' } })).total).toBe(0);
  await held.stop();
});

test('an admin who is disabled while the call waits for its turn creates no invitation (T147)', async () => {
  await setDisabled(true);
  const origin = { address: '127.0.0.1', agentHash: null, userAgent: '', client: null };
  const rights = {
    isAdmin: true,
    isAuditor: false,
    serverCryptoOptOut: false,
    hasKeys: true,
    scopes: null,
    hasWeakPassword: false,
  };
  const signIn = { sessionId: app.deps.newId(), epoch: 1, confirmedAt: app.clock.now() };
  const level = {
    method: 'password',
    factor: '',
    factorState: 'none',
    provider: null,
    service: null,
    restriction: null,
  } as const;
  const actor = { userId: bob.userId, name: 'bob', email: bob.email, ...rights, ...signIn, ...level };
  const body = { user: { email: 'carol@example.org', username: undefined } };
  await expect(inviteSomebody({ deps: app.deps, actor, origin, body })).rejects.toMatchObject({ code: 'forbidden' });
  expect((await ada.call(invites.listAll)).total).toBe(0);
});

test('an upgrade ends the open invitations of people who may no longer invite (T147)', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-'));
  const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(access));
  const old = await openDatabase({ dataDir, now: 1, migrations: before });
  const inviters = { admin: [1, null], disabled: [1, 5], demoted: [0, null] } as const;
  await old.transact(async (tx) => {
    for (const [id, [is_admin, disabled_at]] of Object.entries(inviters))
      await sql`insert into users (user_id, name, name_key, email, email_key, password_hash, is_admin, epoch, must_rekey, server_crypto_opt_out,
        keyset_version, created_at, updated_at, disabled_at) values (${id}, ${id}, ${id}, ${id}, ${id}, '', ${is_admin}, 1, 0, 0, 0, 1, 1, ${disabled_at})`.execute(
        tx,
      );
    for (const id of [...Object.keys(inviters), 'deleted', null])
      await sql`insert into invites (invite_id, token_hash, email, email_key, invited_by, created_at, expires_at)
        values (${`by ${id}`}, ${Buffer.from(`${id}`)}, ${`${id}`}, ${`${id}`}, ${id}, 1, 9)`.execute(tx);
  });
  await old.close();
  const upgraded = await openDatabase({ dataDir, now: 2 });
  const rows = await upgraded.read.selectFrom('invites').select(['invite_id', 'revoked_at']).execute();
  expect(rows.filter(({ revoked_at }) => revoked_at === null).map(({ invite_id }) => invite_id)).toEqual([
    'by admin',
    'by null',
  ]);
  await upgraded.close();
  await rm(dataDir, { recursive: true });
});
