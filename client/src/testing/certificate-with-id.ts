/** A certificate with new keys for another person's user id. */
import type { Certificate } from '@passwordbroker/core/contract/entities';
import { createKeyring } from '@passwordbroker/core/domain/keyring/keyring';
import { TEST_KDF } from '@passwordbroker/core/testing/test-kdf';

/** A valid certificate for this user id. */
export async function certificateWithId(userId: string): Promise<Certificate> {
  const { keyring, bundle } = await createKeyring({ userId, masterPassword: 'x', kdf: TEST_KDF });
  return { ...bundle.certificate, fpr: keyring.fingerprint, created_at: '2026-11-21T00:00:00.000Z' };
}
