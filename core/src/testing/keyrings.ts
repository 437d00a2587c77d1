/** Keyrings for tests: making RSA keys takes a quarter of a second, so a file makes each person once. */
import { type Keyring, type NewKeyBundleWire, createKeyring } from '../domain/keyring.ts';
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
