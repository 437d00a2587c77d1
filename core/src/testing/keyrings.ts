/** Keyrings for tests. Creating RSA keys is slow, so tests share people. */
import { type Keyring, type NewKeyBundleWire, createKeyring } from '../domain/keyring/keyring.ts';
import { TEST_KDF } from './test-kdf.ts';

export interface TestPerson {
  readonly userId: string;
  readonly keyring: Keyring;
  /** As in a response of the server. */
  readonly bundle: NewKeyBundleWire & { readonly user_id: string };
}

export async function createPerson(masterPassword = 'correct horse'): Promise<TestPerson> {
  const userId = crypto.randomUUID();
  const { keyring, bundle } = await createKeyring({ userId, masterPassword, kdf: TEST_KDF });
  return { userId, keyring, bundle: { user_id: userId, ...bundle } };
}

const shared: Promise<TestPerson>[] = [];

/**
 * People with keys of their own, shared by all test files of a process; do not lock or change them.
 */
export function somePeople<const Count extends keyof Several>(count: Count): Promise<Several[Count]> {
  while (shared.length < count) shared.push(createPerson());
  return Promise.all(shared.slice(0, count)) as Promise<TestPerson[]> as Promise<Several[Count]>;
}

interface Several {
  1: [TestPerson];
  2: [TestPerson, TestPerson];
  3: [TestPerson, TestPerson, TestPerson];
  6: TestPerson[];
}
