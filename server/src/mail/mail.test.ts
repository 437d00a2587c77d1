import { afterEach, beforeEach, expect, test } from 'vitest';
import * as credentials from '@passwordbroker/core/contract/account/credentials';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as invites from '@passwordbroker/core/contract/users/invites';
import { changeMasterPassword } from '@passwordbroker/core/contract/account/own-keys';
import * as people from '@passwordbroker/core/contract/users/people';
import * as session from '@passwordbroker/core/contract/account/session';
import { startMailCatcher } from '../testing/mail-catcher.ts';
import type { MailCatcher } from '../testing/mail-catcher.ts';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { MINUTE } from '../testing/test-clock.ts';
import { sendDueMail, startMailSender } from './sender.ts';

let catcher: MailCatcher;
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeEach(async () => {
  catcher = await startMailCatcher();
  app = await startTestApp({
    environment: {
      SMTP_URL: catcher.url,
      MAIL_FROM: 'Vault <vault@example.org>',
      PUBLIC_URL: 'https://vault.example.org',
      TRUST_PROXY: 'none',
    },
  });
  ada = await app.signUp('ada');
  bob = await app.signUp('bob');
  await app.deps.db.transact((tx) => tx.deleteFrom('mail_outbox').execute());
});
afterEach(async () => {
  app.deps.mailer?.close();
  await app.stop();
  await catcher.stop();
});

/** Mails sent so far: recipient and subject. */
async function mailed(): Promise<string[]> {
  await sendDueMail(app.deps);
  return catcher.mails.map(({ to, subject }) => `${to.join()}: ${subject.replace(' (vault.example.org)', '')}`);
}
const waiting = async () => (await app.deps.db.read.selectFrom('mail_outbox').selectAll().execute()).length;

test('an invitation sends one mail with its link', async () => {
  const answer = await ada.call(invites.create, { body: { user: { email: 'carol@example.org', username: 'Carol' } } });
  expect(answer.mail_sent).toBe(true);
  const [mail, ...others] = catcher.mails;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    from: 'vault@example.org',
    to: ['carol@example.org'],
    subject: 'You are invited to vault.example.org',
  });
  expect(mail?.head).toContain('From: Vault <vault@example.org>');
  expect(mail?.head).toContain('To: carol@example.org');
  expect(mail?.text).toContain(`\n${answer.inviteLinkUrl}\n`);
  expect(mail?.text).toContain('Hello Carol,');
  expect(mail?.text).toContain('ada invites you');
  // The link is secret, so the outbox does not contain it.
  expect(await waiting()).toBe(0);
});

test('a failing mail server does not fail the invitation, which returns its link', async () => {
  catcher.refuseNext(1);
  const refused = await ada.call(invites.create, { body: { user: { email: 'carol@example.org' } } });
  expect([refused.mail_sent, catcher.mails]).toEqual([false, []]);
  await catcher.stop();
  const gone = await ada.call(invites.create, { body: { user: { email: 'carol@example.org' } } });
  expect([gone.mail_sent, gone.inviteLinkUrl.startsWith('https://vault.example.org/')]).toEqual([false, true]);
  expect(app.log.join('')).not.toContain('carol');
  catcher = await startMailCatcher();
});

test('a sign-in from a new browser sends a mail, from a known one it does not', async () => {
  const body = { email: bob.email, password: bob.password };
  await bob.call(session.login, { body });
  expect(await mailed()).toEqual([]);
  await app.guest().call(session.login, { body });
  expect(await mailed()).toEqual(['bob@example.org: New sign-in to your account']);
  const text = catcher.mails[0]?.text;
  expect(text).toContain('Account: bob on https://vault.example.org');
  expect(text).toContain('Signed in with: account password\n');
  expect(text).toContain('Address: 127.0.0.1');
  expect(text).toContain(`Time: ${new Date(app.clock.now()).toISOString()}`);
});

test('a program is recognised by the name of its token', async () => {
  const body = { email: bob.email, password: bob.password, token_is_required: true, token_name: 'backup' };
  await app.guest().call(session.login, { body });
  await app.guest().call(session.login, { body });
  expect(await mailed()).toEqual(['bob@example.org: New sign-in to your account']);
});

test('a change of the e-mail address is mailed to both addresses (T30)', async () => {
  const change = (email: string) => bob.call(people.update, { params: { id: bob.userId }, body: { email } });
  await expect(change(ada.email)).rejects.toMatchObject({ errors: { email: ['This email is already taken'] } });
  expect(await waiting()).toBe(0);
  await change('robert@example.org');
  expect(await mailed()).toEqual([
    'bob@example.org: Your e-mail address was changed',
    'robert@example.org: This is now your e-mail address',
  ]);
  await bob.call(people.update, { params: { id: bob.userId }, body: { name: 'Robert' } });
  expect(await waiting()).toBe(0);
});

test('changes of passwords send a mail, and so does the first use of the master password on the server', async () => {
  await bob.call(credentials.changePassword, {
    body: { current_password: bob.password, password: 'another', password_confirmation: 'another' },
  });
  const make = () => bob.call(groups.create, { body: { name: 'x', master_password: bob.masterPassword } });
  await make();
  await make();
  const changeOf = (person: SignedIn) =>
    person.call(changeMasterPassword, {
      body: {
        master_password: person.masterPassword,
        new_master_password: 'new',
        new_master_password_confirmation: 'new',
      },
    });
  await changeOf(ada);
  // An admin created this account: it gets new keys, which the server has seen too.
  await changeOf(bob);
  await ada.call(people.update, {
    params: { id: bob.userId },
    body: { password: 'third', password_confirmation: 'third' },
  });
  expect(await mailed()).toEqual([
    'bob@example.org: Your account password was changed',
    'bob@example.org: Your master password was used on the server',
    'ada@example.org: Your master password was changed',
    'ada@example.org: Your master password was used on the server',
    'bob@example.org: New keys were made for your account',
    'bob@example.org: Your master password was used on the server',
    'bob@example.org: Your account password was set by an administrator',
  ]);
  const all = catcher.mails.map(({ raw }) => raw).join('');
  for (const secret of [bob.masterPassword, 'another', 'third']) expect(all).not.toContain(secret);
});

test('the owner of an account gets a mail about changes by a site admin, with the admin’s name (T145)', async () => {
  const params = { id: bob.userId };
  const acts: [act: () => Promise<unknown>, subject: string][] = [
    [() => ada.call(people.setAdmin, { params, body: { is_admin: true } }), 'You are a site administrator now'],
    [() => ada.call(people.setAdmin, { params, body: { is_admin: false } }), 'You are no longer a site administrator'],
    [() => ada.call(people.setDisabled, { params, body: { status: true } }), 'Your account was disabled'],
    [() => ada.call(people.setDisabled, { params, body: { status: false } }), 'Your account was enabled'],
    [() => ada.call(people.update, { params, body: PASSWORD }), 'Your account password was set by an administrator'],
    [() => ada.call(people.resetKeys, { params, body: { confirm_groups: [] } }), 'Your keys were reset'],
    [() => ada.call(people.remove, { params, body: {} }), 'Your account was deleted'],
  ];
  for (const [act] of acts) await act();
  expect(await mailed()).toEqual(acts.map(([, subject]) => `bob@example.org: ${subject}`));
  for (const { text } of catcher.mails) {
    expect(text).toContain('Done by: ada\n');
    expect(text).toContain('If you did not expect this, ask the administrators of the site.');
  }
});

const PASSWORD = { password: 'third', password_confirmation: 'third' };

test('the owner gets a mail about a new token (T145)', async () => {
  await bob.call(credentials.createToken, { body: { token_name: 'robot' } });
  expect(await mailed()).toEqual(['bob@example.org: A token was created for your account']);
});

test('a rejected mail is retried later, and dropped after the last attempt', async () => {
  catcher.refuseNext(2);
  await app.guest().call(session.login, { body: { email: bob.email, password: bob.password } });
  expect(await sendDueMail(app.deps)).toBe(0);
  expect([await waiting(), await sendDueMail(app.deps)]).toEqual([1, 0]);
  app.clock.advance(MINUTE);
  expect(await sendDueMail(app.deps)).toBe(0);
  app.clock.advance(5 * MINUTE);
  expect([await sendDueMail(app.deps), await waiting(), catcher.mails.length]).toEqual([1, 0, 1]);
  catcher.refuseNext(100);
  await app.guest().call(session.login, { body: { email: bob.email, password: bob.password } });
  for (let tries = 0; tries < 8; tries += 1) {
    expect([tries, await waiting()]).toEqual([tries, 1]);
    await sendDueMail(app.deps);
    app.clock.advance(24 * 60 * MINUTE);
  }
  expect(await waiting()).toBe(0);
});

test('a notice queued by a clock that was a day ahead is sent without delay (R63)', async () => {
  const day = 24 * 60 * MINUTE;
  app.clock.advance(day);
  await app.guest().call(session.login, { body: { email: bob.email, password: bob.password } });
  app.clock.advance(-day);
  expect(await sendDueMail(app.deps)).toBe(1);
  app.clock.advance(day);
  catcher.refuseNext(1);
  await app.guest().call(session.login, { body: { email: bob.email, password: bob.password } });
  expect(await sendDueMail(app.deps)).toBe(0);
  app.clock.advance(-day);
  expect([await sendDueMail(app.deps), await waiting()]).toEqual([1, 0]);
});

test('several senders on one database send each mail once; the running one sends by itself', async () => {
  for (const person of [ada, bob]) {
    await app.guest().call(session.login, { body: { email: person.email, password: person.password } });
  }
  const counts = await Promise.all([sendDueMail(app.deps), sendDueMail(app.deps), sendDueMail(app.deps)]);
  expect([counts.reduce((sum, count) => sum + count, 0), catcher.mails.length]).toEqual([2, 2]);
  await app.guest().call(session.login, { body: { email: bob.email, password: bob.password } });
  const sender = startMailSender(app.deps);
  await expect.poll(() => catcher.mails.length, { timeout: 10_000 }).toBe(3);
  await sender.stop();
});

test('a transaction that fails sends no mail', async () => {
  const change = app.deps.db.transact(async (tx) => {
    const { giveNotice } = await import('./outbox-repository.ts');
    await giveNotice(tx, app.deps, 'password changed', {
      to: { name: 'bob', email: bob.email },
      origin: { address: '', userAgent: '' },
    });
    throw new Error('refused');
  });
  await expect(change).rejects.toThrow('refused');
  expect(await mailed()).toEqual([]);
});

test("text by a person never starts a line of a mail's head or body (T90)", async () => {
  const headers = { 'user-agent': 'Mozilla/5.0\tBcc: eve@example.org' };
  await app.guest().call(session.login, { body: { email: bob.email, password: bob.password }, headers });
  await mailed();
  expect(catcher.mails[0]?.to).toEqual(['bob@example.org']);
  expect(catcher.mails[0]?.head.join('\n')).not.toMatch(/^bcc/im);
  await expect(
    app.deps.mailer?.send({ to: bob.email, subject: 'a\r\nBcc: eve@example.org', text: '' }),
  ).rejects.toThrow(TypeError);
  await expect(app.deps.mailer?.send({ to: 'a@example.org\nb@example.org', subject: 'a', text: '' })).rejects.toThrow(
    TypeError,
  );
});
