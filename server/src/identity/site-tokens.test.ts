/** Tokens of the site: the list, revoking any of them, and the longest life. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as people from '@passwordbroker/core/contract/users/people';
import * as session from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import { EXIT } from '../commands/command.ts';
import { runCommandLine } from '../commands/run.ts';
import { sendDueMail } from '../mail/sender.ts';
import { startMailCatcher } from '../testing/mail-catcher.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { HOUR } from '../testing/test-clock.ts';

const DAY = 24 * HOUR;
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterEach(() => app.stop());

const create = (person: SignedIn, token_name: string, more: object = {}) =>
  person.call(credentials.createToken, { body: { token_name, ...more } });
const list = (q = '') => ada.call(credentials.siteTokens, { query: { q } });
const limit = (token_days: number) => ada.call(site.changeLimits, { body: { token_days } });
const works = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await app.guest().request({ path: credentials.tokens.path, headers })).status === 200;
};
const again = async (person: SignedIn) => Object.assign(person, { cookies: (await app.signIn(person)).cookies });
const days = (count: number) => new Date(app.clock.now() + count * DAY).toISOString();

async function command(...args: string[]) {
  const said: string[] = [];
  const take = (line: string) => void said.push(line);
  const secret = () => Promise.resolve('');
  const terminal = { say: take, tell: take, secret, knownSecret: secret };
  return { code: await runCommandLine(['token', ...args], app.environment, terminal), said };
}

test('a site admin lists all tokens, found by owner, e-mail or name, never with a secret', async () => {
  const { token, token_id } = await create(bob, 'Backup script', { scopes: ['read'], expires_in_days: 30 });
  await create(ada, 'phone');
  const found = await list('BACKUP');
  expect(found).toMatchObject({ total: 1, current_page: 1 });
  expect(found.data).toEqual([
    {
      token_id,
      user: { user_id: bob.userId, name: 'bob', email: 'bob@example.org' },
      name: 'Backup script',
      scopes: ['read'],
      created_at: days(0),
      last_used_at: days(0),
      expires_at: days(30),
    },
  ]);
  expect((await list('bob@')).total).toBe(1);
  expect((await list('%')).total).toBe(0);
  expect((await list()).total).toBe(2);
  expect(JSON.stringify(await list())).not.toContain(token.slice(-20));
  const page = await ada.call(credentials.siteTokens, { query: { page: 2, perPage: 1 } });
  expect(page).toMatchObject({ total: 2, last_page: 2, current_page: 2 });
  expect(page.data).toHaveLength(1);
  // Expired tokens and those of disabled accounts are not listed.
  await ada.call(people.setDisabled, { params: { id: bob.userId }, body: { status: true } });
  expect((await list('bob')).total).toBe(0);
});

test('a site admin can revoke any token, recorded with its owner, but not a session', async () => {
  const { token, token_id } = await create(bob, 'robot');
  const revoke = (tokenId: string) => ada.call(credentials.revokeSiteToken, { params: { tokenId } });
  const [{ session_id } = { session_id: '' }] = await bob.call(credentials.sessions);
  for (const none of [session_id, app.deps.newId()]) {
    await expect(revoke(none)).rejects.toMatchObject({ code: 'not_found' });
  }
  await expect(bob.call(credentials.revokeSiteToken, { params: { tokenId: token_id } })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await works(token)).toBe(true);
  await revoke(token_id);
  expect([await works(token), (await bob.call(session.me)).message]).toEqual([false, 'loggedIn']);
  const { data } = await ada.call(audit.list, { query: { event_type: 'token_revoked' } });
  expect(data).toMatchObject([{ login: ada.email, target_type: 'token', target_id: token_id }]);
  const row = app.deps.db.read.selectFrom('audit_log').select('details').where('event_type', '=', 'token_revoked');
  expect(await row.execute()).toEqual([{ details: JSON.stringify({ user_id: bob.userId }) }]);
  await expect(revoke(token_id)).rejects.toMatchObject({ code: 'not_found' });
});

test('the owner gets a mail that names the admin who revoked it', async () => {
  const catcher = await startMailCatcher();
  const mailing = await startTestApp({ environment: { SMTP_URL: catcher.url, MAIL_FROM: 'vault@example.org' } });
  const [eve, carol] = [await mailing.signUp('eve'), await mailing.signUp('carol')];
  const { token_id } = await create(carol, 'robot');
  await mailing.deps.db.transact((tx) => tx.deleteFrom('mail_outbox').execute());
  await eve.call(credentials.revokeSiteToken, { params: { tokenId: token_id } });
  await sendDueMail(mailing.deps);
  expect(catcher.mails.map(({ to, subject }) => [to, subject])).toEqual([
    [['carol@example.org'], expect.stringContaining('A token of your account was revoked')],
  ]);
  expect(catcher.mails[0]?.text).toContain('Done by: eve');
  mailing.deps.mailer?.close();
  await mailing.stop();
  await catcher.stop();
});

test('the maximum lifetime applies to new tokens, and ends older ones', async () => {
  const long = await create(bob, 'year', { expires_in_days: 365 });
  const short = await create(bob, 'week', { expires_in_days: 7 });
  await limit(30);
  await expect(create(bob, 'more', { expires_in_days: 31 })).rejects.toMatchObject({
    code: 'validation',
    errors: { expires_in_days: ['On this site, a token is valid for 30 days at most.'] },
  });
  expect((await create(bob, 'most', { expires_in_days: 30 })).expires_at).toBe(days(30));
  // Default lifetime: 30 days, or the limit if that is shorter.
  expect((await create(bob, 'usual')).expires_at).toBe(days(30));
  const json = { email: bob.email, password: bob.password, token_is_required: true };
  expect((await app.guest().request({ path: session.login.path, json })).json()['expires_at']).toBe(days(30));
  // Both lists show the expiry under the current limit.
  const own = await bob.call(credentials.tokens);
  expect(own.find(({ name }) => name === 'year')?.expires_at).toBe(days(30));
  expect((await list('year')).data[0]?.expires_at).toBe(days(30));
  expect((await list('week')).data[0]?.expires_at).toBe(days(7));
  app.clock.advance(30 * DAY - 1);
  expect([await works(long.token), await works(short.token)]).toEqual([true, false]);
  app.clock.advance(1);
  expect(await works(long.token)).toBe(false);
  await again(ada);
  await again(bob);
  expect([(await list('year')).total, (await bob.call(credentials.tokens)).map(({ name }) => name)]).toEqual([0, []]);
  // The limit is compared at each use: after it is raised, a token lives until its own expiry.
  await limit(365);
  expect(await works(long.token)).toBe(true);
});

test.each([0, 366, -1, 1.5, 'long'])('a maximum lifetime is 1 to 365 days: %j is refused', async (token_days) => {
  await expect(ada.call(site.changeLimits, { body: { token_days } })).rejects.toMatchObject({ code: 'validation' });
  expect(await ada.call(site.limits)).toMatchObject({ token_days: 365 });
});

test('the command line lists and revokes tokens', async () => {
  // The command line uses the machine's clock.
  app.clock.advance(Date.now() - app.clock.now());
  await again(bob);
  const { token, token_id } = await create(bob, 'robot', { scopes: ['read', 'write'], expires_in_days: 2 });
  const line = [token_id, 'bob@example.org', 'robot', 'read write', days(0), days(2)].join('\t');
  expect(await command('list')).toEqual({ code: EXIT.done, said: [line] });
  expect(await command('revoke', 'x')).toEqual({ code: EXIT.failed, said: ['There is no token with the id "x".'] });
  expect(await command('revoke', token_id.toUpperCase())).toEqual({ code: EXIT.done, said: ['The token has ended.'] });
  expect(await works(token)).toBe(false);
  expect(await command('list')).toEqual({ code: EXIT.done, said: [] });
});
