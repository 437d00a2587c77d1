/** Helpers of every journey: sign up, add a tree, find a control by name. */
import type { Locator, Page } from 'playwright-core';

export const PERSON = {
  name: 'Mira Okafor',
  email: 'mira@example.org',
  password: 'account passphrase 41 of Mira',
  masterPassword: 'violet ☂ quay 77 lantern-moss',
} as const;

export function screenOf(page: Page) {
  const box = (name: string | RegExp, within: Page | Locator = page) =>
    // By label, because a password input has no role.
    within.getByLabel(name, { exact: typeof name === 'string' });
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: typeof name === 'string' });
  const dialog = () => page.getByRole('dialog').last();
  const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
  const treeRow = (name: string) => page.getByRole('treegrid').getByRole('row', { name, exact: true });
  /** The page of the first user, with everything filled in. */
  async function fillSignUp(origin: string) {
    await page.goto(origin);
    await box('User name').fill(PERSON.name);
    await box('Email').fill(PERSON.email);
    await box('Password').fill(PERSON.password);
    await box('Password confirmation').fill(PERSON.password);
    await box('Master password').fill(PERSON.masterPassword);
    await box('Master password confirmation').fill(PERSON.masterPassword);
  }

  return {
    box,
    button,
    dialog,
    heading,
    /** By the accessible name, which ends with the role: 'Production, Admin'. */
    treeRow,
    entry: (title: string) =>
      page.getByRole('table', { name: 'Entries' }).getByRole('button', { name: new RegExp(`^${title}`) }),

    fillSignUp,

    /** The vault is locked at the end, as after a sign-in. */
    async signUp(origin: string) {
      await fillSignUp(origin);
      await button(/sign up/i).click();
      await heading('Site checkup').waitFor();
      await page.goto(origin);
      await page.getByRole('heading', { name: 'Groups' }).waitFor();
    },

    async remember(masterPassword: string = PERSON.masterPassword) {
      await box('Master password', dialog()).fill(masterPassword);
      await page.keyboard.press('Enter');
    },

    /** Calls the API with the session of the page. */
    call: <T>(method: string, path: string, body?: unknown): Promise<T> =>
      page.evaluate(
        async ([method, path, body]) => {
          const token = /XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '';
          const answer = await fetch(path, {
            method,
            headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': decodeURIComponent(token) },
            ...(body === null ? {} : { body: JSON.stringify(body) }),
          });
          if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
          return (await answer.json()) as T;
        },
        [method, path, body ?? null] as const,
      ) as Promise<T>,
  };
}

export type Screen = ReturnType<typeof screenOf>;
