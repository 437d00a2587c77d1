/**
 * The role auditor: what it can read, and how it is given and removed (docs/spec/decisions.md I14). The access
 * matrix tests each call.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as audit from '@passwordbroker/core/contract/site/audit';
import * as backups from '@passwordbroker/core/contract/site/backups';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import type { Endpoint } from '@passwordbroker/core/contract/endpoint';
import * as invites from '@passwordbroker/core/contract/users/invites';
import * as people from '@passwordbroker/core/contract/users/people';
import * as session from '@passwordbroker/core/contract/account/session';
import * as site from '@passwordbroker/core/contract/site/site';
import { EXIT } from '../commands/command.ts';
import { runCommandLine } from '../commands/run.ts';
import { makeGroup } from '../operations/testing/vault.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';

let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  app = await startTestApp();
  [ada, bob] = [await app.signUp('ada'), await app.signUp('bob')];
});
afterEach(() => app.stop());

const setAuditor = (is_auditor: boolean, of: SignedIn = bob) =>
  ada.call(people.setAuditor, { params: { id: of.userId }, body: { is_auditor } });
const forbidden = { code: 'forbidden' };

test('an auditor can read accounts, tokens, invitations, backups, the log and the settings, from the next request on', async () => {
  await expect(bob.call(audit.list)).rejects.toMatchObject(forbidden);
  expect((await bob.call(people.search, { query: { q: 'ada' } })).data).toEqual([{ user_id: ada.userId, name: 'ada' }]);
  expect(await setAuditor(true)).toMatchObject({ user_id: bob.userId, is_admin: false, is_auditor: true });
  expect((await bob.call(session.me)).user).toMatchObject({ is_admin: false, is_auditor: true });
  await ada.call(credentials.createToken, { body: { token_name: 'phone' } });
  await ada.call(invites.create, { body: { user: { email: 'carol@example.org' } } });
  await ada.call(backups.create);
  expect((await bob.call(people.search, { query: { q: 'ADA@' } })).data).toMatchObject([{ email: ada.email }]);
  expect(await bob.call(people.get, { params: { id: ada.userId } })).toMatchObject({ is_admin: true });
  expect((await bob.call(credentials.siteTokens)).data).toMatchObject([{ name: 'phone', user: { name: 'ada' } }]);
  expect((await bob.call(invites.listAll)).data).toMatchObject([{ email: 'carol@example.org' }]);
  expect((await bob.call(backups.listAll)).total).toBe(1);
  expect(await bob.call(backups.settings)).toMatchObject({ enable: false });
  expect(await bob.call(site.siteNetworks)).toMatchObject({ admin_networks: '' });
  expect((await bob.call(audit.list, { query: { event_type: 'invite_created' } })).total).toBe(1);
  await setAuditor(false);
  expect((await bob.call(session.me)).user).not.toHaveProperty('is_auditor');
  await expect(bob.call(audit.list)).rejects.toMatchObject(forbidden);
});

test('calls of an auditor change nothing, except the record of an export', () => {
  const admitted = Object.values<Endpoint>(CONTRACT).filter(({ access }) => access.endsWith('site-reader'));
  expect(admitted.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(admitted.map(({ path }) => path).filter((path) => path.endsWith('/download'))).toEqual([]);
});

test('the role gives no access to groups or their content', async () => {
  const g = await makeGroup(ada, 'Secrets of ada');
  await setAuditor(true);
  expect((await bob.request({ path: `/passwordBroker/api/entryGroups/${g}` })).status).toBe(403);
  expect((await bob.request({ path: '/passwordBroker/api/entryGroupsAsTree' })).text).not.toContain('Secrets of ada');
  expect((await bob.request({ path: '/system/api/auditLog' })).text).not.toContain('Secrets of ada');
});

test('a site admin cannot be an auditor, and promoting an auditor removes the role; each change is recorded', async () => {
  await expect(setAuditor(true, ada)).rejects.toMatchObject({
    code: 'conflict',
    message:
      'A site admin sees everything that an auditor sees. To make this person an auditor, remove the site admin role first.',
  });
  await expect(
    bob.call(people.setAuditor, { params: { id: bob.userId }, body: { is_auditor: true } }),
  ).rejects.toThrow();
  await setAuditor(true);
  await setAuditor(true);
  const promoted = await ada.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: true } });
  expect(promoted).toMatchObject({ is_admin: true });
  expect(promoted).not.toHaveProperty('is_auditor');
  const demoted = await ada.call(people.setAdmin, { params: { id: bob.userId }, body: { is_admin: false } });
  expect(demoted).not.toHaveProperty('is_auditor');
  await expect(setAuditor(true, { ...bob, userId: app.deps.newId() } as SignedIn)).rejects.toMatchObject({
    code: 'not_found',
  });
  const rows = app.deps.db.read.selectFrom('audit_log').select(['user_id', 'target_id', 'details']);
  expect(await rows.where('event_type', '=', 'user_auditor_changed').execute()).toEqual([
    { user_id: ada.userId, target_id: bob.userId, details: '{"is_auditor":true}' },
  ]);
});

test('the command line adds and removes auditors', async () => {
  const said: string[] = [];
  const take = (line: string) => void said.push(line);
  const secret = () => Promise.resolve('');
  const terminal = { say: take, tell: take, secret, knownSecret: secret };
  const auditor = (...args: string[]) => runCommandLine(['user', 'auditor', ...args], app.environment, terminal);
  expect([await auditor('bob@example.org'), said.at(-1)]).toEqual([EXIT.done, 'bob@example.org is an auditor now.']);
  expect((await bob.call(session.me)).user).toMatchObject({ is_auditor: true });
  expect(await auditor('ada@example.org')).toBe(EXIT.failed);
  expect([await auditor('BOB@example.org', '--undo'), said.at(-1)]).toEqual([
    EXIT.done,
    'bob@example.org is no auditor now.',
  ]);
  expect((await bob.call(session.me)).user).not.toHaveProperty('is_auditor');
});
