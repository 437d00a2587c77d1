import { keyBundle as keyBundleEndpoint } from '@passwordbroker/core/contract/users/users';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import {
  DEFAULT_KDF,
  KDF_PROFILES,
  type Kdf,
  deriveBytes,
  deriveMasterKey,
  describeDerivation,
  profileOf,
} from '@passwordbroker/core/crypto/kdf';
import { importRsaPrivateKey, unwrapWith } from '@passwordbroker/core/crypto/rsa';
import { importSealingKey, open } from '@passwordbroker/core/crypto/seal';
import { argon2idNative } from '../platform/passwords/argon2.ts';

interface Account {
  readonly get: <T>(path: string) => Promise<T>;
  readonly masterPassword: string;
  readonly kdf?: Kdf;
}

const PRODUCT: Kdf = { profiles: KDF_PROFILES, defaultProfile: DEFAULT_KDF, argon2id: argon2idNative };

/** All keys of an account, opened with the master password, for leak searches. */
export async function keysOf({ get, masterPassword, kdf = PRODUCT }: Account): Promise<Record<string, Uint8Array>> {
  const bundle = await get<{
    user_id: string;
    keyset: { version: number; blob_base64: string };
    certificate: { fpr: string };
    slots: { slot_id: string; kdf: string; salt_base64: string; blob_base64: string }[];
  }>(keyBundleEndpoint.path);
  const [slot] = bundle.slots;
  if (slot === undefined) throw new Error('The account has no slot.');
  const { user_id: userId } = bundle;
  const salt = decodeBase64(slot.salt_base64);
  const masterKey = await deriveMasterKey(kdf, slot.kdf, masterPassword, salt);
  const desc = describeDerivation(profileOf(kdf, slot.kdf), salt);
  const kek = await deriveBytes(masterKey, new Uint8Array(0), ['pb1:kek', userId, slot.slot_id, desc], 32);
  const slotContext = { userId, slotId: slot.slot_id, slotType: 'password', desc };
  const userKey = await open('slot', await importSealingKey(kek), slotContext, decodeBase64(slot.blob_base64));
  const keysetContext = { userId, keysetVersion: bundle.keyset.version, fingerprint: bundle.certificate.fpr };
  const keyset = JSON.parse(
    new TextDecoder().decode(
      await open('keyset', await importSealingKey(userKey), keysetContext, decodeBase64(bundle.keyset.blob_base64)),
    ),
  ) as { rsa_pkcs8_base64: string; ed25519_seed_base64: string };
  const pkcs8 = decodeBase64(keyset.rsa_pkcs8_base64);
  const groups = await get<{ entry_group_id: string; name: string }[]>('/passwordBroker/api/entryGroups');
  const groupSecrets: Record<string, Uint8Array> = {};
  for (const { entry_group_id: id, name } of groups) {
    const { grants } = await get<{ grants: { encrypted_aes_password_base64: string }[] }>(
      `/passwordBroker/api/entryGroups/${id}/roster`,
    );
    for (const [at, { encrypted_aes_password_base64: wrapped }] of grants.entries()) {
      const secret = await unwrapWith(await importRsaPrivateKey(pkcs8), decodeBase64(wrapped));
      groupSecrets[`group secret ${at + 1} of ${name}`] = secret;
    }
  }
  return {
    'master key': masterKey,
    'slot key': kek,
    'user key': userKey,
    // The public half of the DER is no secret; the private exponent starts at byte 430.
    'RSA private key': pkcs8.slice(430, 800),
    'Ed25519 seed': decodeBase64(keyset.ed25519_seed_base64),
    ...groupSecrets,
  };
}
