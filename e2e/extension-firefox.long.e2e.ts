/** BX10: the extension in Firefox, where it can be had: pair, sign in, unlock, fill and lock. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Firefox, firefoxProgram, type FirefoxTab, startFirefox } from './testing/extension/firefox.ts';
import { beginStory, ENTRY, FORM, LOGIN, PASSWORD, type Story } from './testing/extension/story.ts';
import { PERSON } from './testing/vault/screen.ts';

const program = firefoxProgram();
const HOSTS = ['http://localhost/*', 'http://127.0.0.1/*', 'http://shop.localhost/*'];
let story: Story;
let firefox: Firefox;
let popup: FirefoxTab;

beforeAll(async () => {
  if (program === null) return;
  story = await beginStory();
  firefox = await startFirefox(program, { hosts: HOSTS });
});
afterAll(async () => {
  await firefox?.close();
  await story?.end();
});

test.skipIf(program === null)('BX10 pairs, unlocks, fills and locks in Firefox', async () => {
  const shop = await firefox.open(story.extension.serve('shop.localhost', FORM));
  popup = await firefox.popup();
  await popup.fill('Address of your server', story.server.origin);
  await popup.press('Connect');
  await popup.fill('E-mail', PERSON.email);
  await popup.fill('Account password', PERSON.password);
  await popup.press('Sign in');
  await popup.fill('Master password', PERSON.masterPassword);
  await popup.press('Unlock');
  await popup.press('They are the same');

  // The popup of the browser sees the page behind it: this one is opened anew while the page is in front.
  const before = await story.reveals();
  await shop.front();
  await popup.run('setTimeout(() => location.reload(), 50); ""');
  await popup.sees('shop.localhost');
  await popup.fill('Search', 'billing');
  await popup.press(`Use ${ENTRY} here`);
  await popup.sees('This entry is not kept for this host.');
  await popup.press('Fill once');
  const values = () => shop.run('JSON.stringify([...document.querySelectorAll("input")].map(({ value }) => value))');
  await expect.poll(values).toBe(JSON.stringify([LOGIN, PASSWORD]));
  expect(await story.reveals()).toBe(before + 1);

  popup = await firefox.popup();
  await popup.fill('Search', 'billing');
  await popup.press(`Copy the password of ${ENTRY}`);
  await popup.sees('Copied. It is cleared in 60 seconds.');
  await popup.press('Lock');
  await popup.sees('Vault locked');
  // The background is in the same page as the keys: what it is told has the same sentences as in Chromium.
  const answer = `browser.tabs.query({ url: 'http://shop.localhost/*' })
    .then(([{ id }]) => browser.runtime.sendMessage({ name: 'fill', input: { tabId: id, entry: { entryGroupId: '', entryId: '' } } }))
    .then(({ failure }) => failure?.text)`;
  // Firefox forgets a promise that nothing but the driver waits for: the timer keeps it.
  const kept = `Promise.race([${answer}, new Promise((resolve) => setTimeout(resolve, 20_000, 'late'))])`;
  expect(await popup.run(kept)).toBe('The vault was locked meanwhile. Nothing was filled.');
});

test.skipIf(program === null)('keeps to what an administrator prescribes, in the language of the browser', async () => {
  await firefox.close();
  const policy = { server_url: story.server.origin, server_url_locked: true, save_prompts: false };
  firefox = await startFirefox(program ?? '', { hosts: HOSTS, language: 'de', policy });
  const page = await firefox.open(story.extension.serve('127.0.0.1', FORM));
  popup = await firefox.popup();
  await popup.sees('Mit Ihrem Server verbinden');
  const address = `(({ value, readOnly }) => value + ' ' + readOnly)(document.querySelector('input'))`;
  await expect.poll(() => popup.run(address)).toBe(`${story.server.origin} true`);
  await popup.press('Verbinden');
  await popup.fill('E-Mail', PERSON.email);
  await popup.fill('Kontopasswort', 'wrong');
  await popup.press('Anmelden');
  // Said by the background, which has the keys and the language, too.
  await popup.sees('E-Mail oder Passwort');
  await popup.fill('Kontopasswort', PERSON.password);
  await popup.press('Anmelden');
  await popup.fill('Masterpasswort', PERSON.masterPassword);
  await popup.press('Entsperren');
  await popup.press('Sie sind gleich');
  await page.front();
  await popup.run('setTimeout(() => location.reload(), 50); ""');
  await popup.sees('Für 127.0.0.1');
  const text = await popup.run('document.body.innerText');
  expect(text).toContain('Von dieser Seite speichern');
  expect(text).not.toContain('Auf dieser Website Speichern anbieten');
});
