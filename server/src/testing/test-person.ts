/**
 * People with real keys for tests. A key pair takes half a second of CPU time, so each name's keys are
 * created once and stored, locked, in the cache folder of this repository.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import type { FirstDocuments, NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { createKeyring, unlock } from '@passwordbroker/core/domain/keyring/keyring';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { accountPasswords, argon2idNative } from '../platform/passwords/argon2.ts';

/** A cheap profile for tests, which the product does not know. */
export const TEST_KDF: Kdf = {
  profiles: { T0: { memoryKib: 8192, iterations: 1, parallelism: 1 } },
  defaultProfile: 'T0',
  argon2id: argon2idNative,
};

/** Hashes account passwords at a fortieth of the real cost. */
export const TEST_ACCOUNT_PASSWORDS = accountPasswords({ memoryKib: 1024, iterations: 1 });

/** Work factor of archive passwords, cheap for tests. */
export const TEST_WORK_FACTOR = 10;

export interface TestPerson {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  readonly keyring: Keyring;
  readonly bundle: NewKeyBundle;
  /** The empty trust record of these keys. */
  readonly documents: FirstDocuments;
}

const people = new Map<string, Promise<TestPerson>>();

/** The person of that name, e.g. `ada` → ada@example.org, with the same keys in every test of a process. */
export function testPerson(name: string): Promise<TestPerson> {
  const known = people.get(name) ?? makePerson(name);
  people.set(name, known);
  return known;
}

async function makePerson(name: string): Promise<TestPerson> {
  const masterPassword = `${name} master PÄSSWORD ☂`;
  const email = `${name}@example.org`;
  const password = `${name} account password`;
  const keys = (await keptKeys(name, masterPassword)) ?? (await makeKeys(name, masterPassword));
  return { name, email, password, masterPassword, ...keys };
}

type Keys = Pick<TestPerson, 'userId' | 'keyring' | 'bundle' | 'documents'>;

/** Without `URL`, which a DOM environment replaces. */
const CACHE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '.cache', 'test-people-2');
/** Only plain names, which many tests share, are cached. */
const placeOf = (name: string) => (/^[a-z]{2,20}$/.test(name) ? join(CACHE, `${name}.json`) : null);

/** Null if nothing is cached or it no longer opens. */
async function keptKeys(name: string, masterPassword: string): Promise<Keys | null> {
  const place = placeOf(name);
  if (place === null) return null;
  try {
    const kept = JSON.parse(readFileSync(place, 'utf8')) as Omit<Keys, 'keyring'>;
    const { userId, bundle } = kept;
    const locked = { user_id: userId, ...bundle };
    return { ...kept, keyring: await unlock({ bundle: locked, masterPassword, kdf: TEST_KDF }) };
  } catch {
    return null;
  }
}

async function makeKeys(name: string, masterPassword: string): Promise<Keys> {
  const userId = v7();
  const { keyring, bundle: made, trust } = await createKeyring({ userId, masterPassword, kdf: TEST_KDF });
  const bundle = { ...made, slots: [...made.slots] };
  const documents: FirstDocuments = [{ name: trust.name, blob_base64: trust.blob_base64 }];
  const place = placeOf(name);
  if (place !== null) {
    mkdirSync(dirname(place), { recursive: true });
    // Renaming makes the write atomic, as several processes may write.
    const unfinished = `${place}.${process.pid}.${userId}`;
    writeFileSync(unfinished, JSON.stringify({ userId, bundle, documents }));
    renameSync(unfinished, place);
  }
  return { userId, keyring, bundle, documents };
}
