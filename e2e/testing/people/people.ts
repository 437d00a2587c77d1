/** More users of a server, each with keys, and their sign-in. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { FirstDocuments, NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import { DEFAULT_KDF, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { createKeyring, type Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { openWriter } from '../../../server/src/db/sqlite/connections.ts';
import { argon2idNative } from '../../../server/src/platform/passwords/argon2.ts';
import { PERSON, screenOf, type Screen } from '../vault/screen.ts';

const REGISTRATION = '/identity/api/registration';

export interface Person {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  /** Unlocked, to check what these keys open. */
  readonly keyring: Keyring;
  readonly bundle: NewKeyBundle;
  readonly documents: FirstDocuments;
}

/**
 * Accounts made by the site admin who is signed in on that screen; they need no new keys at the first
 * sign-in.
 */
export async function addPeople<const Names extends readonly string[]>(
  siteAdmin: Screen,
  dataDir: string,
  names: Names,
): Promise<{ -readonly [At in keyof Names]: Person }> {
  const people: Person[] = [];
  for (const name of names) people.push(await register(siteAdmin, await newPerson(name)));
  await keepKeys(dataDir);
  return people as { -readonly [At in keyof Names]: Person };
}

/** The first account; the page is signed in to it. */
export async function signUpFirst(page: Page, origin: string, name: string): Promise<Person> {
  const person = await newPerson(name);
  await enterFirst(page, origin, person);
  return person;
}

let mira: Promise<Person> | undefined;

/**
 * The same result as `screen.signUp` in less than half the time, for journeys about something else. The keys
 * are made once per process by the code that the page uses.
 */
export async function signUpAtOnce(page: Page, origin: string): Promise<void> {
  mira ??= newPerson(PERSON.name, undefined, PERSON);
  await enterFirst(page, origin, await mira);
}

/** Registers with the cookies of the page, so that the page loads only once, signed in. */
async function enterFirst(page: Page, origin: string, person: Person): Promise<void> {
  const context = page.context();
  await context.request.get(`${origin}/sanctum/csrf-cookie`);
  const token = (await context.cookies(origin)).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
  const answer = await context.request.post(`${origin}${REGISTRATION}`, {
    headers: { 'X-XSRF-TOKEN': decodeURIComponent(token) },
    data: registrationOf(person),
  });
  if (!answer.ok()) throw new Error(`${REGISTRATION}: ${answer.status()} ${await answer.text()}`);
  await page.goto(origin);
  await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
}

async function register(screen: Screen, person: Person): Promise<Person> {
  await screen.call('POST', REGISTRATION, registrationOf(person));
  return person;
}

function registrationOf({ userId, name, email, password, bundle, documents }: Person) {
  const user = { user_id: userId, username: name, email, password, password_confirmation: password };
  return { user: { ...user, key_bundle: bundle, documents } };
}

/**
 * @param userId of an existing user: other keys under the same id
 * @param chosen values that do not derive from the name
 */
export async function newPerson(
  name: string,
  userId: string = crypto.randomUUID(),
  chosen: Partial<Pick<Person, 'email' | 'password' | 'masterPassword'>> = {},
): Promise<Person> {
  const word = name.split(' ')[0]?.toLowerCase() ?? 'somebody';
  const {
    email = `${word}@example.org`,
    password = `account passphrase 41 of ${word}`,
    masterPassword = `${word} violet quay 77 lantern`,
  } = chosen;
  const kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };
  const { keyring, bundle: made, trust } = await createKeyring({ userId, masterPassword, kdf });
  const bundle = { ...made, slots: [...made.slots] };
  const documents: FirstDocuments = [{ name: trust.name, blob_base64: trust.blob_base64 }];
  return { userId, name, email, password, masterPassword, keyring, bundle, documents };
}

/** New keys at the first sign-in (docs/spec/decisions.md K7) are tested in another journey. */
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
