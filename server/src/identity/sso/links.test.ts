/** Links between accounts and identities at a provider: how they are made, found and removed. */
import { afterEach, expect, test } from 'vitest';
import * as sso from '@passwordbroker/core/contract/account/sso';
import { addPasskey, signInByPasskey } from '../../passkeys/testing/passkeys.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { codeOf, isIn, loginOf, stepOf, waitingMails } from '../factors/testing/two-factors.ts';
import { linkBySso, refusal, signInBySso, startSsoApp, type SsoApp } from './testing/sso-app.ts';

let site: SsoApp;
const start = async () => {
  site = await startSsoApp();
  return site;
};
afterEach(() => site.stop());

const link = (person: TestClient) => linkBySso(site, person);
const linksStored = () => site.app.deps.db.read.selectFrom('user_sso_links').selectAll().execute();

test('an account is never found or linked by its address (I120–I124)', async () => {
  const { app, provider, ada } = await start();
  const bob = await app.signUp('bob');
  const { soft } = await addPasskey(bob);
  provider.claims = { email: bob.email.toUpperCase(), sub: 'bob' };
  const browser = app.guest();
  const answer = await signInBySso(site, browser);
  expect([refusal(answer), await isIn(browser), await linksStored()]).toEqual([
    [409, 'sso_not_linked', 'An account with this address exists. Sign in to it as before, once, to link the two.'],
    false,
    [],
  ]);
  const { ticket, ...told } = answer.json<{ details: { ticket: string } }>().details;
  expect(told).toEqual({ can_create: false, email_taken: true });
  // The ticket signs nobody in, and is of this browser.
  expect(codeOf(await browser.request(stepOf(ticket, '123456')))).toEqual([401, 'ticket_invalid']);
  expect(codeOf(await app.guest().request(loginOf(bob, { link_ticket: ticket })))).toEqual([401, 'ticket_invalid']);
  await expect(ada.call(sso.link, { body: { ticket } })).rejects.toMatchObject({ code: 'ticket_invalid' });

  const offered = { email: bob.email.toUpperCase(), provider_id: 'acme', name: 'Acme' };
  const other = app.guest();
  const again = (await signInBySso(site, other)).json<{ details: { ticket: string } }>().details;
  const byPasskey = await signInByPasskey(other, soft, { more: { link_ticket: again.ticket } });
  expect([byPasskey.link, await linksStored()]).toEqual([offered, []]);
  const local = await browser.request(loginOf(bob, { link_ticket: ticket }));
  expect([local.status, local.json()['link'], await linksStored()]).toEqual([200, offered, []]);
  expect(await browser.call(sso.link, { body: { ticket } })).toMatchObject({ provider_id: 'acme' });
  await expect(browser.call(sso.link, { body: { ticket } })).rejects.toMatchObject({ code: 'ticket_invalid' });
  expect(await waitingMails(app)).toContain(`${bob.email}: account linked`);
  const later = app.guest();
  expect((await signInBySso(site, later)).json()).toMatchObject({ user: { user_id: bob.userId } });

  // Another person at the provider is told so; a second subject is refused.
  await expect(link(ada)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This sign-in belongs to another account',
  });
  provider.claims = { sub: 'bob-again' };
  await expect(link(browser)).rejects.toMatchObject({ code: 'already_linked' });
  // The provider gave the person a new subject: a site admin removes the old link.
  const [row] = await ada.call(sso.linksOfUser, { params: { id: bob.userId } });
  await ada.call(sso.unlinkUser, { params: { id: bob.userId, linkId: row?.link_id ?? '' } });
  expect(await isIn(later)).toBe(false);
  expect(await isIn(browser)).toBe(true);
  await link(browser);
  expect((await signInBySso(site, app.guest())).json()).toMatchObject({ user: { user_id: bob.userId } });
});

test('a link ends the sessions of its issuer, also under the name that it has now', async () => {
  const { app, ada } = await start();
  const bob = await app.signUp('bob');
  await link(bob);
  await app.deps.db.transact((tx) => tx.updateTable('user_sso_links').set({ provider_id: 'former' }).execute());
  const browser = app.guest();
  expect((await signInBySso(site, browser)).status).toBe(200);
  const [row] = await ada.call(sso.linksOfUser, { params: { id: bob.userId } });
  await ada.call(sso.unlinkUser, { params: { id: bob.userId, linkId: row?.link_id ?? '' } });
  expect([await isIn(browser), await isIn(bob)]).toEqual([false, true]);
});

test('a ticket makes no link to a provider that was switched off meanwhile', async () => {
  const { app, ada } = await start();
  const { ticket } = (await signInBySso(site, ada, 'link')).json<{ ticket: string }>();
  await app.restart({ OIDC_ACME_SETTINGS: '{"enabled": false}' });
  await expect(ada.call(sso.link, { body: { ticket } })).rejects.toMatchObject({ code: 'ticket_invalid' });
  expect(await linksStored()).toEqual([]);
});
