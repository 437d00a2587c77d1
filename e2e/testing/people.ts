/** More people on one server, each with keys of their own, and the way in for them. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { NewKeyBundle } from '@passwordbroker/core/contract/users';
import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { createKeyring, type Keyring } from '@passwordbroker/core/domain/keyring';
import { openWriter } from '../../server/src/db/sqlite.ts';
import { argon2idNative } from '../../server/src/platform/argon2.ts';
import { screenOf, type Screen } from './screen.ts';

export interface Person {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  /** Opened: for proving what it opens, and what it does not. */
  readonly keyring: Keyring;
  readonly bundle: NewKeyBundle;
}

/** Accounts made by the site admin who is signed in on that screen; they keep the keys that they were made with. */
export async function addPeople(siteAdmin: Screen, dataDir: string, names: readonly string[]): Promise<Person[]> {
  const people: Person[] = [];
  for (const name of names) people.push(await register(siteAdmin, await newPerson(name)));
  await keepKeys(dataDir);
  return people;
}

/** The very first account; whoever made it is signed in on that page. */
export async function signUpFirst(page: Page, origin: string, name: string): Promise<Person> {
  await page.goto(origin);
  const screen = screenOf(page);
  await screen.box('User name').waitFor();
  await page.evaluate(() => fetch('/sanctum/csrf-cookie'));
  const person = await register(screen, await newPerson(name));
  await page.goto(origin);
  await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  return person;
}

async function register(screen: Screen, person: Person): Promise<Person> {
  const { userId, name, email, password, bundle } = person;
  const user = { user_id: userId, username: name, email, password, password_confirmation: password };
  await screen.call('POST', '/identity/api/registration', { user: { ...user, key_bundle: bundle } });
  return person;
}

/** @param userId of somebody who is there already: other keys for the same person */
export async function newPerson(name: string, userId: string = crypto.randomUUID()): Promise<Person> {
  const word = name.split(' ')[0]?.toLowerCase() ?? 'somebody';
  const masterPassword = `${word} violet quay 77 lantern`;
  const kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };
  const { keyring, bundle } = await createKeyring({ userId, masterPassword, kdf });
  return {
    userId,
    name,
    email: `${word}@example.org`,
    password: `account passphrase 41 of ${word}`,
    masterPassword,
    keyring,
    bundle: { ...bundle, slots: [...bundle.slots] },
  };
}

/** New keys at the first sign-in (decision K7) are another journey. */
async function keepKeys(dataDir: string): Promise<void> {
  const { queries } = openWriter(join(dataDir, 'passwordbroker.sqlite'));
  try {
    await queries.updateTable('users').set({ must_rekey: 0 }).execute();
  } finally {
    await queries.destroy();
  }
}

export async function signIn(page: Page, origin: string, person: Pick<Person, 'email' | 'password'>): Promise<Screen> {
  const screen = screenOf(page);
  await page.goto(`${origin}/identity/login`);
  await screen.box('Email').fill(person.email);
  await screen.box('Password').fill(person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
  return screen;
}
