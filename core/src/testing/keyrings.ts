/**
 * Keyrings for tests: making RSA keys takes a quarter of a second and more, so whoever needs people
 * without more to it shares them.
 */
import { type Keyring, type NewKeyBundleWire, createKeyring } from '../domain/keyring/keyring.ts';
import { TEST_KDF } from './test-kdf.ts';

export interface TestPerson {
  readonly userId: string;
  readonly keyring: Keyring;
  /** As the server would answer it. */
  readonly bundle: NewKeyBundleWire & { readonly user_id: string };
}

export async function createPerson(masterPassword = 'correct horse'): Promise<TestPerson> {
  const userId = crypto.randomUUID();
  const { keyring, bundle } = await createKeyring({ userId, masterPassword, kdf: TEST_KDF });
  return { userId, keyring, bundle: { user_id: userId, ...bundle } };
}

const shared: Promise<TestPerson>[] = [];

/**
 * So many people with keys of their own: the same ones for all files of a process, none of which
 * locks or changes them.
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
