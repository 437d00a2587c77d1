/** People with real keys for tests. Key pairs take a third of a second, so each name gets its own once a process. */
import { v7 } from 'uuid';
import type { NewKeyBundle } from '@passwordbroker/core/contract/users';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { createKeyring } from '@passwordbroker/core/domain/keyring';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import { argon2idNative } from '../platform/argon2.ts';

/** A profile that only tests know: the product's table has no such name. */
export const TEST_KDF: Kdf = {
  profiles: { T0: { memoryKib: 8192, iterations: 1, parallelism: 1 } },
  defaultProfile: 'T0',
  argon2id: argon2idNative,
};

/** Of archive passwords: quick enough for tests. */
export const TEST_WORK_FACTOR = 10;

export interface TestPerson {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  readonly keyring: Keyring;
  readonly bundle: NewKeyBundle;
}

const people = new Map<string, Promise<TestPerson>>();

/** The person of that name: `ada` → ada@example.org. The same keys in every test of a process. */
export function testPerson(name: string): Promise<TestPerson> {
  const known = people.get(name) ?? makePerson(name);
  people.set(name, known);
  return known;
}

async function makePerson(name: string): Promise<TestPerson> {
  const userId = v7();
  const masterPassword = `${name} master PÄSSWORD ☂`;
  const { keyring, bundle } = await createKeyring({ userId, masterPassword, kdf: TEST_KDF });
  const email = `${name}@example.org`;
  const password = `${name} account password`;
  return { userId, name, email, password, masterPassword, keyring, bundle: { ...bundle, slots: [...bundle.slots] } };
}
