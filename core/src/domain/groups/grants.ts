/** Group secrets (docs/spec/crypto.md §8): one for each version, wrapped for each member. */
import { type Bytes, randomBytes } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { deriveBytes, deriveSealingKey } from '../../crypto/kdf.ts';
import { unwrapWith, wrapFor } from '../../crypto/rsa.ts';
import type { SealingKey } from '../../crypto/seal.ts';
import type { PublicIdentity } from '../keyring/certificate.ts';
import type { Keyring } from '../keyring/keyring.ts';

const SECRET_BYTES = 64;
export const GRANT_ALGORITHM = 'rsa-oaep-256';

declare const groupSecret: unique symbol;
/** 64 random bytes of one group and key version. */
export type GroupSecret = Bytes & { readonly [groupSecret]: true };

/** Wraps content keys. */
export interface GroupKey {
  readonly groupId: string;
  readonly version: number;
  readonly key: SealingKey;
}

export const createGroupSecret = (): GroupSecret => randomBytes(SECRET_BYTES) as GroupSecret;

export async function deriveGroupKey(secret: GroupSecret, groupId: string, version: number): Promise<GroupKey> {
  return { groupId, version, key: await deriveSealingKey(secret, ['pb1:gk', groupId, String(version)]) };
}

/** Public; 32 bytes. */
export function commitmentOf(secret: GroupSecret, groupId: string, version: number): Promise<Bytes> {
  return deriveBytes(secret, new Uint8Array(0), ['pb1:gk-commit', groupId, String(version)], 32);
}

export function wrapGroupSecret(secret: GroupSecret, recipient: PublicIdentity): Promise<Bytes> {
  return wrapFor(recipient.rsa, secret);
}

/** @throws CryptoError `grant` if it is not a group secret; `locked` */
export async function unwrapGroupSecret(keyring: Keyring, wrapped: Bytes): Promise<GroupSecret> {
  const { rsaPrivateKey } = keyring.keys();
  const known = await keyring.secretCache?.find(wrapped);
  // Throws if it was locked meanwhile.
  keyring.keys();
  if (known !== undefined && known !== null) return known as GroupSecret;
  const secret = await unwrapWith(rsaPrivateKey, wrapped);
  if (secret.length !== SECRET_BYTES) throw new CryptoError('grant');
  await keyring.secretCache?.add(wrapped, secret);
  return secret as GroupSecret;
}
