/** People with real keys for tests. */
import { v7 } from 'uuid';
import type { FirstDocuments, NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { createKeyring } from '@passwordbroker/core/domain/keyring/keyring';
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

export const forgetPeople = () => people.clear();

/** The person of that name, e.g. `ada` → ada@example.org, with the same keys in every test of a file. */
export function testPerson(name: string): Promise<TestPerson> {
  const known = people.get(name) ?? makePerson(name);
  people.set(name, known);
  return known;
}

async function makePerson(name: string): Promise<TestPerson> {
  const [userId, masterPassword] = [v7(), `${name} master PÄSSWORD ☂`];
  const { keyring, bundle: made, trust } = await createKeyring({ userId, masterPassword, kdf: TEST_KDF });
  return {
    userId,
    name,
    email: `${name}@example.org`,
    password: `${name} account password`,
    masterPassword,
    keyring,
    bundle: { ...made, slots: [...made.slots] },
    documents: [{ name: trust.name, blob_base64: trust.blob_base64 }],
  };
}
