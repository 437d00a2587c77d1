/** From sign-up to an invitation by mail, its acceptance and the first shared secret; invalid links; groups. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { type MailCatcher, startMailCatcher } from '../server/src/testing/mail-catcher.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { closePages, openPage, sharedBrowser, type WatchedPage } from './testing/browser/browser.ts';
import { pastedText } from './testing/browser/clipboard.ts';
import { fieldsOf } from './testing/vault/fields.ts';
import { beforeSending } from './testing/browser/intercept.ts';
import { countPresses } from './testing/browser/presses.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { screenOf, type Screen } from './testing/vault/screen.ts';
import { startServer, type RunningServer } from './testing/server/server.ts';
import { usersOf } from './testing/vault/users.ts';

const ELLA = {
  name: 'Ella Haugen',
  email: 'ella.haugen@example.org',
  password: 'account passphrase 12 of Ella',
  masterPassword: 'harbour ☂ thistle 93-loom',
} as const;
const SECRET = 'q8-Rf3_tYxB6mWz9Lr4c-Hn2';

let mail: MailCatcher;
let server: RunningServer;
let browser: Browser;
let watched: WatchedPage;
let guest: WatchedPage;
let page: Page;
let screen: Screen;
let hers: Screen;
/** The current valid link. */
let link = '';

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startServer({ env: { SMTP_URL: mail.url } });
  browser = await sharedBrowser();
  watched = await openPage(browser);
  guest = await openPage(browser, { theme: 'light' });
  page = watched.page;
  page.setDefaultTimeout(15_000);
  guest.page.setDefaultTimeout(15_000);
  screen = screenOf(page);
  hers = screenOf(guest.page);
  await signUpAtOnce(page, server.origin);
  await page.getByRole('link', { name: 'Admin Panel' }).click();
  await page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Invite' }).click();
  await screen.heading('Invite').waitFor();
});
afterAll(async () => {
  await closePages(browser);
  await server.stop();
  await mail.stop();
});
afterEach(() => {
  expect([...watched.complaints(), ...guest.complaints()]).toEqual([]);
});

const invitations = () => page.getByRole('table', { name: 'Invitations' });
const row = (state: string) =>
  invitations().getByRole('row').filter({ hasText: ELLA.email }).filter({ hasText: state });
const linkIn = (text: string) => /http\S+\/identity\/invite\/\S+/.exec(text)?.[0] ?? '';

describe('inviting', () => {
  test('an invalid email shows an error until it is edited', async () => {
    await page.getByText('Nobody was invited yet').waitFor();
    await screen.box('Email').fill('ella.haugen');
    await screen.button('Send an invitation').click();
    const problem = page.getByText('Please enter a valid email address.');
    await problem.waitFor();
    expect(await screen.box('Email').getAttribute('aria-invalid')).toBe('true');
    expect(await findings(page)).toEqual([]);
    await screen.box('Email').fill(ELLA.email);
    await problem.waitFor({ state: 'detached' });
  });

  test('the button shows progress; then the link shows on the page and arrives by mail', async () => {
    await screen.box(/^Username/).fill(ELLA.name);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const stop = await beforeSending(page, '*/identity/api/invite', async (caught) => {
      await held;
      await caught.goOn();
    });
    await screen.button('Send an invitation').click();
    await screen.button('The data is being sent').waitFor();
    goOn();
    await page.getByText(`It was sent by e-mail to ${ELLA.email} and can be used to register.`).waitFor();
    await stop();
    link = await screen.box('Invitation link').inputValue();
    expect(link).toMatch(new RegExp(`^${server.origin}/identity/invite/\\S{32,}$`));
    await expect.poll(() => mail.mails.length).toBe(1);
    const [sent] = mail.mails;
    expect(sent?.to).toEqual([ELLA.email]);
    expect(linkIn(sent?.text ?? '')).toBe(link);
    await screen.button('Copy').click();
    await page.getByText('copied', { exact: true }).waitFor();
    await expect.poll(() => pastedText(page)).toBe(link);
    await row('open').waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test('sending again creates a new link and revokes the former one', async () => {
    const before = link;
    await screen.button(`Send a new invitation to ${ELLA.email}`).click();
    await row('revoked').waitFor();
    await expect
      .poll(async () => {
        link = await screen.box('Invitation link').inputValue();
        return link !== before && link.startsWith(before.slice(0, before.lastIndexOf('/') + 1));
      })
      .toBe(true);
    await guest.page.goto(before);
    await guest.page.getByRole('alert').getByText('INVITE ERROR').waitFor();
    await guest.page.getByText('Ask a site admin for a new one.').waitFor();
    expect(await findings(guest.page)).toEqual([]);
    await hers.button('Go to login').click();
    await hers.heading('Log in').waitFor();
  });

  test('the link of a revoked invitation is invalid', async () => {
    const other = 'wen.bao@example.org';
    await screen.box('Email').fill(other);
    await screen.button('Send an invitation').click();
    await page.getByText(`It was sent by e-mail to ${other}`).waitFor();
    const ended = await screen.box('Invitation link').inputValue();
    await screen.button(`Revoke the invitation of ${other}`).click();
    await screen.button('Revoke', page.getByRole('alertdialog')).click();
    await invitations().getByRole('row').filter({ hasText: other }).filter({ hasText: 'revoked' }).waitFor();
    expect((await fetch(ended.replace('/identity/invite', '/identity/api/invite'))).status).toBe(404);
  });
});

describe('accepting', () => {
  test('name and e-mail are filled in and read-only, and the rules of sign-up apply', async () => {
    await guest.page.goto(link);
    await hers.heading('Accept your invitation').waitFor();
    for (const [label, value] of [
      ['User name', ELLA.name],
      ['Email', ELLA.email],
    ] as const) {
      expect(await hers.box(label).inputValue()).toBe(value);
      expect(await hers.box(label).getAttribute('readonly')).not.toBeNull();
    }
    await hers.box('Password').fill(ELLA.password);
    await hers.box('Password confirmation').fill('other');
    await hers.button('Sign up').click();
    await guest.page.getByText('Error: Password Confirmation mismatch to Password').waitFor();
    await guest.page.getByText('Error: Master Password is empty').waitFor();
    expect(await findings(guest.page)).toEqual([]);
    await guest.page.setViewportSize({ width: 390, height: 844 });
    expect(await findings(guest.page)).toEqual([]);
    await guest.page.setViewportSize({ width: 1440, height: 900 });
  });

  test('the invited user signs in with keys made in the browser, and no master password is sent', async () => {
    const bodies: string[] = [];
    guest.page.on('request', (request) => bodies.push(request.postData() ?? ''));
    await hers.box('Password confirmation').fill(ELLA.password);
    await hers.box('Master password').fill(ELLA.masterPassword);
    await hers.box('Master password confirmation').fill(ELLA.masterPassword);
    await guest.page.keyboard.press('Enter');
    await hers.heading('Select an Entry Group').waitFor();
    await guest.page.getByRole('link', { name: `Account of ${ELLA.name}` }).waitFor();
    expect(bodies.some((body) => body.includes('key_bundle'))).toBe(true);
    expect(bodies.filter((body) => body.includes('thistle') || body.includes('master_password'))).toEqual([]);
    await guest.page.getByRole('button', { name: 'Master Pasword validated' }).waitFor();
  });

  test('the admin sees the new user and the accepted invitation', async () => {
    await page.reload();
    await row('accepted').waitFor();
    await screen.box('Email').fill(ELLA.email);
    await screen.button('Send an invitation').click();
    await page.getByRole('alert').getByText('This email is already taken').waitFor();
    await page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Users' }).click();
    const user = page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ hasText: ELLA.email });
    await user.waitFor();
    expect(await user.innerText()).toContain(ELLA.name);
    expect(await user.innerText()).not.toMatch(/Site admin|re-key|No keys|used on the server/);
  });

  test('both compare eight words, then the new user reads a value that the admin shares', async () => {
    const [his, theirs] = [fieldsOf(page), usersOf(page, screen)];
    await page.goto(server.origin);
    await his.addTree('Operations');
    await his.addEntry('Ledger');
    await his.openEntry('Ledger');
    await his.addField('Password', 'Root account', async () => {
      await his.box('Login', his.dialog()).fill('ledger_root');
      await his.box('Value', his.dialog()).fill(SECRET);
    });
    await theirs.open();
    await theirs.add(ELLA.name, 'Member');
    await screen.button('Compared, verified', screen.dialog()).waitFor();
    const shown = await theirs.words();

    await hers.button('Master password menu').click();
    await guest.page.getByRole('menuitem', { name: 'Your key words' }).click();
    await hers.dialog().getByRole('list', { name: 'Your key words' }).waitFor();
    expect(await usersOf(guest.page, hers).words()).toEqual(shown);
    await guest.page.keyboard.press('Escape');
    await guest.page.getByRole('dialog').waitFor({ state: 'detached' });

    await screen.button('Compared, verified', screen.dialog()).click();
    await theirs.row(ELLA.name).waitFor();
    const reads = fieldsOf(guest.page);
    await guest.page.reload();
    await hers.treeRow('Operations, Member').click();
    await hers.heading('Operations').waitFor();
    await reads.openEntry('Ledger');
    await reads.button('Show', reads.row('Root account')).click();
    await hers.remember(ELLA.masterPassword);
    await reads.row('Root account').getByText(SECRET).waitFor();
    expect(await reads.row('Root account').innerText()).toContain('ledger_root');
    // The server has logged who read the value.
    const path = `${new URL(page.url()).pathname.replace('/entryGroup', '/passwordBroker/api/entryGroups')}/history`;
    const [latest] = await screen.call<{ event_type: string; user: { name: string } }[]>('GET', path);
    expect([latest?.event_type, latest?.user.name]).toEqual(['decrypted', ELLA.name]);
  });

  test('a signed-in user is asked to log out first; a used link shows an error', async () => {
    const another = await screen.call<{ inviteLinkUrl: string }>('POST', '/identity/api/invite', {
      user: { email: 'yusuf.kaya@example.org', username: null },
    });
    await guest.page.goto(another.inviteLinkUrl);
    await guest.page.getByText(`You are signed in as ${ELLA.name}.`).waitFor();
    expect(await findings(guest.page)).toEqual([]);
    await hers.button('Log out and accept').click();
    // An invitation without a name lets the user choose it.
    await hers.box('User name').fill('Yusuf Kaya');
    expect(await hers.box('Email').inputValue()).toBe('yusuf.kaya@example.org');
    await guest.page.goto(link);
    await guest.page.getByText('INVITE ERROR').waitFor();
  });
});

describe('an invitation with groups', () => {
  const eve = { name: 'Eve Evans', email: 'eve.evans@example.org' };
  const joined = () => page.getByRole('list', { name: 'People who joined' });
  const home = async (title: string) => {
    await page.getByRole('link', { name: 'PasswordBroker, home' }).click();
    await screen.heading(title).waitFor();
  };

  test('names two groups of the inviter, each with a role, by the keyboard alone', async () => {
    await page.getByRole('button', { name: 'add new tree' }).click();
    await screen.box('Title', screen.dialog()).fill('Web');
    await page.keyboard.press('Enter');
    await screen.heading('Web').waitFor();
    await page.getByRole('link', { name: 'Admin Panel' }).click();
    await page.getByRole('navigation', { name: 'Admin Panel' }).getByRole('link', { name: 'Invite' }).click();
    await screen.box('Email').fill(eve.email);
    await screen.box(/^Username/).fill(eve.name);
    for (const [title, role] of [
      ['Operations', 'Member'],
      ['Web', 'Moderator'],
    ] as const) {
      await screen.button('Add a group').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.insertText(title);
      await page.keyboard.press('Enter');
      await page.getByRole('radio', { name: role }).focus();
      await page.keyboard.press('Space');
      expect(await findings(page, 'dialog')).toEqual([]);
      await page.keyboard.press('Enter');
      await screen.button(`Remove ${title}`).waitFor();
    }
    expect(await findings(page)).toEqual([]);
    await screen.button('Send an invitation').click();
    await page.getByText(`It was sent by e-mail to ${eve.email}`).waitFor();
    link = await screen.box('Invitation link').inputValue();
    const sent = invitations().getByRole('row').filter({ hasText: eve.email });
    await sent.getByText('Operations (member), Web (moderator)').waitFor();
    expect(await joined().count()).toBe(0);
  });

  test('after the acceptance two presses share both groups; until then the guest knows who will', async () => {
    await guest.page.goto(link);
    await hers.box('Password').fill(ELLA.password);
    await hers.box('Password confirmation').fill(ELLA.password);
    await hers.box('Master password').fill(ELLA.masterPassword);
    await hers.box('Master password confirmation').fill(ELLA.masterPassword);
    await guest.page.keyboard.press('Enter');
    await guest.page.getByText('Mira Okafor wants to share 2 groups with you.').waitFor();
    expect(await findings(guest.page)).toEqual([]);

    await home('Home');
    const told = 'Eve Evans has joined. Share: Operations (member), Web (moderator)';
    await joined().getByText(told).waitFor();
    expect(await findings(page)).toEqual([]);
    const presses = await countPresses(page);
    await screen.button('Share with Eve Evans').click();
    await screen.button('Compared, verified: Eve Evans', screen.dialog()).waitFor();
    expect(await findings(page, 'dialog')).toEqual([]);
    await screen
      .dialog()
      .getByText(/^Gains: Eve Evans( can read|\.)/)
      .waitFor();
    await screen.button('Share now, compare later', screen.dialog()).click();
    await page.getByText('2 groups shared with Eve Evans').first().waitFor();
    await joined().waitFor({ state: 'detached' });
    expect(await presses()).toBe(2);

    await guest.page.reload();
    await hers.treeRow('Web, Moderator').waitFor();
    await hers.treeRow('Operations, Member').click();
    await fieldsOf(guest.page).openEntry('Ledger');
  });
});
