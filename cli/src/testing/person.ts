import { DEFAULT_KDF, type Kdf, KDF_PROFILES } from '@passwordbroker/core/crypto/kdf';
import { createKeyring } from '@passwordbroker/core/domain/keyring/keyring';
import { argon2idNative } from '../../../server/src/platform/passwords/argon2.ts';
import { type TestPerson, testPerson } from '../../../server/src/testing/test-person.ts';

/** The product's derivation, which a built command line has inside. */
export const KDF: Kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };

/** Keys as the product makes them. */
export async function personOf(name: string): Promise<TestPerson> {
  const person = await testPerson(name);
  const { userId, masterPassword } = person;
  const { keyring, bundle, trust } = await createKeyring({ userId, masterPassword, kdf: KDF });
  return {
    ...person,
    keyring,
    bundle: { ...bundle, slots: [...bundle.slots] },
    documents: [{ name: trust.name, blob_base64: trust.blob_base64 }],
  };
}
