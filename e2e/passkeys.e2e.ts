/** Passkeys that open the vault and that sign in: added, used, removed; the secret of the former goes nowhere. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PRF_INPUT_HEX } from '@passwordbroker/core/domain/keyring/prf-input';
import type { Page } from 'playwright-core';
import { findLeaks } from '../server/src/testing/leaks.ts';
import { findings } from './testing/accessibility/accessibility.ts';
import { storageOf } from './testing/browser/browser-storage.ts';
import { withOnePage } from './testing/browser/one-page.ts';
import { type VirtualPasskeys, virtualPasskeys } from './testing/browser/virtual-passkeys.ts';
import { makeSignInsOld } from './testing/people/accounts.ts';
import { signUpAtOnce } from './testing/people/people.ts';
import { PERSON, type Screen, screenOf } from './testing/vault/screen.ts';
import type { RunningServer } from './testing/server/server.ts';

let server: RunningServer;
let page: Page;
let screen: Screen;
let passkeys: VirtualPasskeys;
const sent: Buffer[] = [];

withOnePage(async (opened) => {
  ({ server, page } = opened);
  page.setDefaultTimeout(20_000);
  screen = screenOf(page);
  passkeys = await virtualPasskeys(page);
  page.context().on('request', (request) => {
    const headers = JSON.stringify(request.headers());
    sent.push(Buffer.from(`${request.url()} ${headers}`), request.postDataBuffer() ?? Buffer.alloc(0));
  });
  await signUpAtOnce(page, server.origin);
});

const ADD = 'Add a passkey that opens the vault';
const section = () => page.getByRole('region', { name: 'Opening your vault' });
const openAccount = async () => {
  await page.goto(`${server.origin}/account`);
  await screen.button(ADD).waitFor();
};
const fillForm = async (masterPassword: string = PERSON.masterPassword) => {
  await screen.box('Master password', screen.dialog()).fill(masterPassword);
  await page.keyboard.press('Enter');
};
const openModal = () => screen.button('Master Pasword not entered').click();
const unlocked = () => screen.button('Master Pasword validated').waitFor();
const passkeyButton = () => screen.button('Use a passkey', screen.dialog());
const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' });

test('I69: an authenticator without PRF cannot open a vault, and nothing is stored', async () => {
  const plain = await passkeys.add({ hasPrf: false });
  await openAccount();
  await screen.button(ADD).click();
  await screen.box('Name', screen.dialog()).fill('Old key');
  await fillForm();
  await screen.dialog().getByText('This authenticator cannot open a vault.').waitFor();
  await page.keyboard.press('Escape');
  await closed();
  await section().getByText('No passkey opens your vault.').waitFor();
  await plain.remove();
});

/** Tries to add a passkey while the page's own `create` lies; the next load of the page undoes it. */
async function addWithLies(lie: 'two answers' | 'exposed') {
  const device = await passkeys.add({ hasPrf: true });
  await openAccount();
  await page.evaluate((kind) => {
    const { credentials } = navigator;
    const original = credentials.create.bind(credentials);
    credentials.create = async (options) => {
      const credential = (await original(options)) as PublicKeyCredential;
      const first = new Uint8Array(credential.getClientExtensionResults().prf?.results?.first as ArrayBuffer);
      const response = credential.response as AuthenticatorAttestationResponse;
      if (kind === 'two answers') {
        const results = { prf: { enabled: true, results: { first: first.map((byte) => byte ^ 1).buffer } } };
        Object.defineProperty(credential, 'getClientExtensionResults', { value: () => results });
      } else {
        const attestationObject = new Uint8Array([...new Uint8Array(response.attestationObject), ...first]).buffer;
        Object.defineProperty(response, 'attestationObject', { value: attestationObject });
      }
      return credential;
    };
  }, lie);
  await screen.button(ADD).click();
  await screen.box('Name', screen.dialog()).fill('Liar');
  const before = sent.length;
  await fillForm();
  const told = await screen.dialog().getByRole('alert').textContent();
  expect(sent.slice(before).join(' ')).not.toContain('attestationObject');
  await page.keyboard.press('Escape');
  await closed();
  await section().getByText('No passkey opens your vault.').waitFor();
  await device.remove();
  return told;
}

test('I70: an authenticator that answers otherwise at the creation is refused, and nothing is stored', async () => {
  expect(await addWithLies('two answers')).toContain('This passkey gave two different answers.');
});

test('I72: an attestation that contains the secret is not sent', async () => {
  expect(await addWithLies('exposed')).toContain('This authenticator exposes its secret.');
});

test('I74: extensions that a server asks for are dropped, but credProps', async () => {
  const device = await passkeys.add({ hasPrf: true });
  await page.route('**/passkeys/options', async (route) => {
    const answer = await route.fetch();
    const { options, options_token } = (await answer.json()) as { options: object; options_token: string };
    const extensions = { credProps: true, prf: { eval: { first: 'AAAA' } }, largeBlob: { support: 'required' } };
    await route.fulfill({ response: answer, json: { options: { ...options, extensions }, options_token } });
  });
  await openAccount();
  await page.evaluate(() => {
    for (const name of ['create', 'get'] as const) {
      const original = CredentialsContainer.prototype[name] as (options: object) => Promise<Credential | null>;
      CredentialsContainer.prototype[name] = function noting(options: { publicKey?: { extensions?: object } } = {}) {
        const asked = JSON.stringify(options.publicKey?.extensions, (_, value: unknown) =>
          value instanceof Uint8Array ? [...value].map((byte) => byte.toString(16).padStart(2, '0')).join('') : value,
        );
        document.documentElement.dataset[name] = asked ?? 'none';
        return original.call(this, options);
      };
    }
  });
  const asked = () => page.evaluate(() => ({ ...document.documentElement.dataset }));
  await screen.button(ADD).click();
  await screen.box('Name', screen.dialog()).fill('Laptop');
  await fillForm();
  await closed();
  const prf = { eval: { first: PRF_INPUT_HEX } };
  const { create, get } = await asked();
  expect([create, get].map((text) => JSON.parse(text ?? ''))).toEqual([{ credProps: true, prf }, { prf }]);
  await section().getByRole('button', { name: 'Remove Laptop' }).click();
  await section().getByText('No passkey opens your vault.').waitFor();

  await screen.button('Add a passkey that signs in').click();
  await screen.box('Name', screen.dialog()).fill('Phone');
  await page.keyboard.press('Enter');
  await closed();
  expect((await asked())['create']).toBe('{"credProps":true}');
  await page.getByRole('button', { name: 'Remove Phone' }).click();
  await page.getByText('No passkey signs in to your account.').waitFor();
  await page.unroute('**/passkeys/options');
  await device.remove();
});

test('it is added by keyboard with the master password, and opens the vault in two presses after a reload', async () => {
  const device = await passkeys.add({ hasPrf: true });
  await openAccount();
  await screen.button(ADD).focus();
  await page.keyboard.press('Enter');
  await screen.dialog().waitFor();
  await page.keyboard.type('Laptop');
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await fillForm('not the master password');
  // The passkey is registered by now. The next attempt uses it again.
  await screen.dialog().getByText('MasterPassword is invalid').waitFor();
  await fillForm();
  await closed();
  await section().getByText('Opens the vault', { exact: true }).waitFor();
  for (const theme of ['dark', 'light']) {
    await page.evaluate((name) => localStorage.setItem('theme', name), theme);
    await page.reload();
    await section().getByText('Laptop').waitFor();
    expect(await findings(page, 'main')).toEqual([]);
  }

  await openModal();
  await passkeyButton().click();
  await unlocked();
  await closed();

  await screen.button('Master password menu').click();
  await page.getByRole('menuitem', { name: 'Lock now', exact: true }).click();
  await openModal();
  await passkeyButton().waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await device.clear();
  await passkeyButton().click();
  await screen.dialog().getByText('No passkey was used.').waitFor();
  await screen.remember();
  await unlocked();
});

test('it is renamed by keyboard; an empty name is told and changes nothing', async () => {
  await openAccount();
  await section().getByRole('button', { name: 'Rename Laptop' }).focus();
  await page.keyboard.press('Enter');
  const name = screen.box('Name', screen.dialog());
  await name.fill('');
  await page.keyboard.press('Enter');
  await name.and(page.locator('[aria-invalid=true]')).waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await name.fill('Work laptop');
  await page.keyboard.press('Enter');
  await closed();
  await section().getByText('Work laptop', { exact: true }).waitFor();
  await section().getByRole('button', { name: 'Rename Work laptop' }).and(page.locator(':focus')).waitFor();
});

test('it is removed, and the button is gone', async () => {
  await openAccount();
  await section().getByRole('button', { name: 'Remove Work laptop' }).click();
  await section().getByText('No passkey opens your vault.').waitFor();
  await section()
    .getByRole('button', { name: 'Add a passkey that opens the vault' })
    .and(page.locator(':focus'))
    .waitFor();
  await page.reload();
  await openModal();
  await screen.box('Master password', screen.dialog()).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await passkeyButton().count()).toBe(0);
});

test('a passkey signs in and confirms without a password, and the vault stays locked', async () => {
  await openAccount();
  const signIn = () => page.getByRole('region', { name: 'Passkeys that sign in' });
  await screen.button('Add a passkey that signs in').click();
  await screen.box('Name', screen.dialog()).fill('Phone');
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await page.keyboard.press('Enter');
  await signIn().getByText('Signs in', { exact: true }).waitFor();
  await page.goto(`${server.origin}/identity/logout`);
  const button = screen.button('Sign in with a passkey');
  await button.waitFor();
  expect(await findings(page)).toEqual([]);
  await button.focus();
  await page.keyboard.press('Enter');
  await screen.button('Master Pasword not entered').waitFor();
  await makeSignInsOld(server.dataDir);
  await openAccount();
  await signIn().getByRole('button', { name: 'Remove Phone' }).click();
  await page.getByRole('dialog', { name: 'Confirm your password first' }).waitFor();
  await passkeyButton().waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await passkeyButton().focus();
  await page.keyboard.press('Enter');
  await signIn().getByText('No passkey signs in to your account.').waitFor();
  await page.goto(`${server.origin}/identity/logout`);
  await button.click();
  // The authenticator still offers it; the server does not know it any more.
  await page.getByText('This passkey cannot sign in here.').waitFor();
});

test('by keyboard: the account password is removed while a passkey signs in, and set again', async () => {
  const signIn = () => page.getByRole('region', { name: 'Passkeys that sign in' });
  const removeIt = screen.button('Remove password');
  const logInByPassword = async () => {
    await page.goto(`${server.origin}/identity/logout`);
    await screen.box('Email').fill(PERSON.email);
    await screen.box('Password').fill(PERSON.password);
    await page.keyboard.press('Enter');
  };
  await logInByPassword();
  await screen.button('Master Pasword not entered').waitFor();
  await openAccount();
  await signIn().getByText('No passkey signs in to your account.').waitFor();
  expect(await removeIt.count()).toBe(0);
  await screen.button('Add a passkey that signs in').click();
  await screen.box('Name', screen.dialog()).fill('Tablet');
  await page.keyboard.press('Enter');
  await closed();
  await removeIt.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Remove the account password?' });
  await question.getByText('You then sign in only with a passkey.').waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await page.keyboard.press('Escape');
  await closed();
  await removeIt.and(page.locator(':focus')).press('Enter');
  await screen.button('Remove password', question).press('Enter');
  await page.getByText('Account password removed.').waitFor();
  await screen.box('New password').and(page.locator(':focus')).waitFor();
  expect(await screen.box('Current password').count()).toBe(0);
  expect(await findings(page, 'main')).toEqual([]);

  await logInByPassword();
  await page.getByText('Invalid email or password').waitFor();
  await screen.button('Sign in with a passkey').click();
  await screen.button('Master Pasword not entered').waitFor();
  await openAccount();
  await signIn().getByRole('button', { name: 'Remove Tablet' }).press('Enter');
  await page.getByText('It is your only way to sign in').waitFor();
  await makeSignInsOld(server.dataDir);
  await screen.box('New password').fill(PERSON.password);
  await screen.box('New password confirmation').fill(PERSON.password);
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Sign in again first' });
  await again.waitFor();
  expect(await findings(page, 'dialog[open]')).toEqual([]);
  await passkeyButton().press('Enter');
  await page.getByText('Account password set.').waitFor();
  await logInByPassword();
  // This site sends no mail: the page says what happened, until it was read in this browser.
  const news = page.getByRole('status').filter({ hasText: 'Recently in your account:' });
  await news.getByText('Account password changed').waitFor();
  expect(await findings(page)).toEqual([]);
  await screen.button('I know', news).press('Enter');
  await news.waitFor({ state: 'detached' });
  await logInByPassword();
  await screen.button('Master Pasword not entered').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await news.count()).toBe(0);
});

test('I71: the secret answers are in no request, storage, database or log', async () => {
  const outputs = passkeys.outputs();
  expect(outputs.length).toBeGreaterThanOrEqual(3);
  const { kept, client } = await storageOf(page);
  const database = readFileSync(join(server.dataDir, 'passwordbroker.sqlite'));
  const places = { requests: Buffer.concat(sent), kept, client, database, log: Buffer.from(server.output()) };
  expect(findLeaks(Object.fromEntries(outputs.map((output, at) => [`output ${at}`, output])), places)).toEqual([]);
});
