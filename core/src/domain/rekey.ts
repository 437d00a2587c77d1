/**
 * New keys in the place of old ones that were never only the owner's (`crypto.md` §6, `must_rekey`): a new user key, keyset and slot, the documents sealed anew,
 * the own grants wrapped for the new RSA key. Nothing vouches for the new keys by the old ones: others see that the identity changed.
 */
import { decodeBase64, encodeBase64 } from '../crypto/bytes.ts';
import { CryptoError } from '../crypto/errors.ts';
import type { Kdf } from '../crypto/kdf.ts';
import { open, seal } from '../crypto/seal.ts';
import { GRANT_ALGORITHM, unwrapGroupSecret, wrapGroupSecret } from './grants.ts';
import { type Keyring, type NewKeyBundleWire, createKeyring } from './keyring.ts';
import type { Role } from './policy.ts';

/** One's own grant as `GET G/roster` answers it; one a group and key version in use. */
export interface OwnGrantWire {
  readonly entry_group_id: string;
  readonly gk_version: number;
  readonly role: Role;
  readonly alg: string;
  readonly encrypted_aes_password_base64: string;
}

/** A document as the key bundle has it. */
interface KeptDocument {
  readonly name: string;
  readonly version: number;
  readonly blob_base64: string | null;
}

/** The body of `PUT keyBundle` (`api.md` §3.4). */
export interface RekeyWire {
  readonly key_bundle: NewKeyBundleWire;
  /** Each counts as one more write: sealed for its version + 1. */
  readonly documents: readonly { readonly name: string; readonly blob_base64: string }[];
  readonly grants: readonly {
    readonly entry_group_id: string;
    readonly gk_version: number;
    readonly role: Role;
    readonly recipient_fpr: string;
    readonly encrypted_aes_password: string;
  }[];
}

/**
 * @param old the opened old keyring; it stays open, to prove with
 * @throws CryptoError `password`, `locked`, `grant` for one that does not open; those of `open` for a damaged document
 */
export async function rekey(
  old: Keyring,
  request: {
    readonly masterPassword: string;
    readonly kdf: Kdf;
    readonly grants: readonly OwnGrantWire[];
    readonly documents: readonly KeptDocument[];
  },
): Promise<{ keyring: Keyring; wire: RekeyWire }> {
  const { masterPassword, kdf, grants, documents } = request;
  const { userId } = old;
  // All that was is opened before anything new is made: what is damaged stops it at once.
  const secrets = await Promise.all(grants.map((grant) => openGrant(old, grant)));
  const contents = await Promise.all(documents.map((document) => openContent(old, document)));
  try {
    const keysetVersion = old.identity.keysetVersion + 1;
    const { keyring, bundle } = await createKeyring({ userId, masterPassword, kdf, keysetVersion });
    const wire: RekeyWire = {
      key_bundle: bundle,
      documents: await Promise.all(
        contents.map(async ({ name, n, bytes }) => {
          const sealed = await seal('doc', keyring.keys().userKey, { userId, name, n: n + 1 }, bytes);
          return { name, blob_base64: encodeBase64(sealed) };
        }),
      ),
      grants: await Promise.all(
        secrets.map(async ({ secret, entry_group_id, gk_version, role }) => {
          const wrapped = await wrapGroupSecret(secret, keyring.identity);
          const recipient_fpr = keyring.fingerprint;
          return { entry_group_id, gk_version, role, recipient_fpr, encrypted_aes_password: encodeBase64(wrapped) };
        }),
      ),
    };
    return { keyring, wire };
  } finally {
    for (const { secret } of secrets) secret.fill(0);
    for (const { bytes } of contents) bytes.fill(0);
  }
}

async function openGrant(from: Keyring, { alg, encrypted_aes_password_base64, ...place }: OwnGrantWire) {
  if (alg !== GRANT_ALGORITHM) throw new CryptoError('grant');
  return { ...place, secret: await unwrapGroupSecret(from, decodeBase64(encrypted_aes_password_base64)) };
}

async function openContent(from: Keyring, { name, version: n, blob_base64 }: KeptDocument) {
  const context = { userId: from.userId, name, n };
  return { name, n, bytes: await open('doc', from.keys().userKey, context, decodeBase64(blob_base64)) };
}
