/**
 * Unwrapping by RSA dominates the time of sharing a tree. Cached secrets are sealed under a non-extractable
 * key (docs/spec/crypto.md §8).
 */
import { type Bytes, encodeBase64, randomBytes } from '../../crypto/bytes.ts';
import { importSealingKey, open, seal } from '../../crypto/seal.ts';

export interface SecretCache {
  /** The caller wipes it. */
  find(wrapped: Bytes): Promise<Bytes | null>;
  add(wrapped: Bytes, secret: Bytes): Promise<void>;
}

/** A full cache is cleared. */
const LIMIT = 5_000;

export async function withSecretCache<Keyring extends { readonly userId: string }>(
  keyring: Keyring,
  most = LIMIT,
): Promise<Keyring & { readonly secretCache: SecretCache }> {
  return { ...keyring, secretCache: await createSecretCache(keyring.userId, most) };
}

async function createSecretCache(userId: string, most: number): Promise<SecretCache> {
  const bytes = randomBytes(32);
  const key = await importSealingKey(bytes).finally(() => bytes.fill(0));
  const blobs = new Map<string, Bytes>();
  /** Binds the secret to its wrap. */
  const placeOf = (name: string) => ({ userId, name, n: 1 });
  return {
    async find(wrapped) {
      const name = encodeBase64(wrapped);
      const blob = blobs.get(name);
      return blob === undefined ? null : open('doc', key, placeOf(name), blob);
    },
    async add(wrapped, secret) {
      const name = encodeBase64(wrapped);
      const blob = await seal('doc', key, placeOf(name), secret);
      if (blobs.size >= most) blobs.clear();
      blobs.set(name, blob);
    },
  };
}
