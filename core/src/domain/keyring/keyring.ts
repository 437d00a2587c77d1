/** A person's keys (docs/spec/crypto.md §5–§7). */
import { type Bytes, decodeBase64, encodeBase64, randomBytes, sameBytes, utf8 } from '../../crypto/bytes.ts';
import { type SigningKey, importSigningKey, publicKeyOf } from '../../crypto/ed25519.ts';
import { CryptoError } from '../../crypto/errors.ts';
import type { Kdf } from '../../crypto/kdf.ts';
import { createRsaKeyPair, importRsaPrivateKey, importRsaPublicKey, rsaPublicKeyOf } from '../../crypto/rsa.ts';
import { type SealingKey, importSealingKey, open, seal } from '../../crypto/seal.ts';
import { type CertificateWire, type PublicIdentity, signCertificate, verifyCertificate } from './certificate.ts';
import { sealDocument } from './documents.ts';
import type { SecretCache } from '../groups/secret-cache.ts';
import { type SlotWire, createPasswordSlot, openPasswordSlot } from './keyring-slot.ts';
import { type PasskeyPlace, type PasskeySlotWire, createPasskeySlot, openPasskeySlot } from './passkey-slot.ts';
import { openRecoverySlot } from './recovery-kit/recovery-slot.ts';
import { EMPTY_RECORD, type TrustRecord, compactTrustRecord } from '../trust/trust-record.ts';

export interface LockedKeyring {
  readonly user_id: string;
  readonly keyset: { readonly version: number; readonly blob_base64: string } | null;
  readonly certificate: CertificateWire | null;
  readonly slots: readonly SlotWire[];
  /** Absent in servers and local copies of releases before passkeys. */
  readonly passkeys?: readonly (PasskeyPlace & PasskeySlotWire)[] | undefined;
}

export interface NewKeyBundleWire {
  readonly keyset: { readonly version: number; readonly blob_base64: string };
  readonly certificate: Omit<CertificateWire, 'fpr'>;
  readonly slots: readonly (SlotWire & { readonly slot_type: 'password' })[];
}

/** Non-extractable handles. */
export interface Keyring {
  readonly userId: string;
  readonly fingerprint: string;
  readonly identity: PublicIdentity;
  /** @throws CryptoError `locked` after `lock` */
  keys(): OpenKeys;
  lock(): void;
  /** False: keys from before release 1.1. True: a server without a trust record hides it. */
  readonly isMadeWithRecord: boolean;
  readonly secretCache?: SecretCache;
}

export interface OpenKeys {
  readonly userKey: SealingKey;
  readonly rsaPrivateKey: CryptoKey;
  readonly signingKey: SigningKey;
}

/** Handles can be cloned to another thread. */
export function keyringOf(
  identity: PublicIdentity,
  opened: OpenKeys,
  { isMadeWithRecord }: Pick<Keyring, 'isMadeWithRecord'> = { isMadeWithRecord: true },
): Keyring {
  let keys: OpenKeys | null = opened;
  return {
    userId: identity.userId,
    fingerprint: identity.fingerprint,
    identity,
    isMadeWithRecord,
    keys: () => {
      if (keys === null) throw new CryptoError('locked');
      return keys;
    },
    lock: () => {
      keys = null;
    },
  };
}

/** Replaces `version` (0: none) and is sealed for the next one. */
export interface NewTrustDocument {
  readonly name: 'trust';
  readonly version: number;
  readonly blob_base64: string;
}

/**
 * Creates the keys of an account, their locked form for the server, and the sealed trust record.
 * @param account.keysetVersion the last version + 1
 * @throws CryptoError `password`; `payload` for a record that is too large
 */
export async function createKeyring(account: {
  userId: string;
  masterPassword: string;
  kdf: Kdf;
  keysetVersion?: number;
  trust?: { readonly record: TrustRecord; readonly replaces: number };
}): Promise<{ keyring: Keyring; bundle: NewKeyBundleWire; trust: NewTrustDocument }> {
  const { userId, masterPassword, kdf, keysetVersion = 1, trust = { record: EMPTY_RECORD, replaces: 0 } } = account;
  const makeSlot = (userKey: Bytes) => createPasswordSlot(kdf, userId, masterPassword, userKey);
  const { keyring, slot, bundle } = await createKeys(userId, keysetVersion, makeSlot);
  const place = { name: 'trust', n: trust.replaces + 1 } as const;
  const blob_base64 = await sealDocument(keyring, place, compactTrustRecord(trust.record));
  return {
    keyring,
    trust: { name: 'trust', version: trust.replaces, blob_base64 },
    bundle: { ...bundle, slots: [slot] },
  };
}

/**
 * Creates key pairs, certificate, keyset, and the slot that `makeSlot` seals.
 * @param keysetVersion the last version + 1
 * @throws CryptoError as `makeSlot`
 */
export async function createKeys<Slot>(
  userId: string,
  keysetVersion: number,
  makeSlot: (userKey: Bytes) => Promise<Slot>,
): Promise<{ keyring: Keyring; slot: Slot; bundle: Omit<NewKeyBundleWire, 'slots'> }> {
  const userKey = randomBytes(32);
  const seed = randomBytes(32);
  const makingRsa = createRsaKeyPair();
  try {
    const [rsa, slot] = await Promise.all([makingRsa, makeSlot(userKey)]);
    const [signingKey, ed25519] = await Promise.all([importSigningKey(seed), publicKeyOf(seed)]);
    const { fpr, ...certificate } = await signCertificate(signingKey, {
      userId,
      keysetVersion,
      ed25519,
      rsaSpki: rsa.spki,
      prevFingerprint: '',
    });
    const userSealingKey = await importSealingKey(userKey);
    const keyset = utf8(
      JSON.stringify({
        v: 1,
        rsa_pkcs8_base64: encodeBase64(rsa.pkcs8),
        ed25519_seed_base64: encodeBase64(seed),
        trust: 1,
      }),
    );
    const context = { userId, keysetVersion, fingerprint: fpr };
    const blob = await seal('keyset', userSealingKey, context, keyset).finally(() => keyset.fill(0));
    const identity = await verifyCertificate({ ...certificate, fpr });
    const rsaPrivateKey = await importRsaPrivateKey(rsa.pkcs8);
    return {
      keyring: keyringOf(identity, { userKey: userSealingKey, rsaPrivateKey, signingKey }),
      slot,
      bundle: { keyset: { version: keysetVersion, blob_base64: encodeBase64(blob) }, certificate },
    };
  } finally {
    userKey.fill(0);
    seed.fill(0);
    // Also if creating the slot failed first.
    void makingRsa.then(({ pkcs8 }) => pkcs8.fill(0)).catch(() => undefined);
  }
}

interface Keyset {
  readonly pkcs8: Bytes;
  readonly seed: Bytes;
  readonly isMadeWithRecord: boolean;
}

/** Wipes the plaintext. @throws CryptoError `payload`, `base64` */
function readKeyset(plaintext: Bytes): Keyset {
  let keyset: { v?: unknown; rsa_pkcs8_base64?: unknown; ed25519_seed_base64?: unknown; trust?: unknown };
  try {
    keyset = JSON.parse(new TextDecoder().decode(plaintext)) as typeof keyset;
  } catch {
    throw new CryptoError('payload');
  } finally {
    plaintext.fill(0);
  }
  if (keyset.v !== 1) throw new CryptoError('payload');
  return {
    pkcs8: decodeBase64(keyset.rsa_pkcs8_base64),
    seed: decodeBase64(keyset.ed25519_seed_base64),
    isMadeWithRecord: keyset.trust === 1,
  };
}

/**
 * Opens a person's keys (docs/spec/crypto.md §6).
 * @throws CryptoError `commit` for a wrong master password; any other code means damaged or foreign keys
 */
export async function unlock(request: { bundle: LockedKeyring; masterPassword: string; kdf: Kdf }): Promise<Keyring> {
  const { bundle, masterPassword, kdf } = request;
  return unlockWith(bundle, () => openPasswordSlot(bundle, masterPassword, kdf));
}

/**
 * Opens a person's keys with the PRF output of a passkey. The caller wipes `prf`.
 * @throws CryptoError `commit` for a slot of another authenticator, or an unknown slot; any other code means
 * damaged or foreign keys
 */
export async function unlockWithPasskey(request: {
  bundle: LockedKeyring;
  slotId: string;
  prf: Bytes;
}): Promise<Keyring> {
  const { bundle, slotId, prf } = request;
  const slot = bundle.passkeys?.find(({ slot_id }) => slot_id === slotId);
  if (slot === undefined) throw new CryptoError('commit');
  return unlockWith(bundle, () => openPasskeySlot(bundle.user_id, slot, prf));
}

/**
 * Opens a person's keys with the recovery key. The caller wipes the recovery key.
 * @throws CryptoError `commit` for another recovery key; any other code means damaged or foreign keys
 */
export async function unlockWithRecoveryKey(request: { bundle: LockedKeyring; recoveryKey: Bytes }): Promise<Keyring> {
  const { bundle, recoveryKey } = request;
  return unlockWith(bundle, () => openRecoverySlot(bundle, recoveryKey));
}

/** @throws CryptoError as `openSlot`; `certificate`, … for damaged or foreign keys */
export async function unlockWith(bundle: LockedKeyring, openSlot: () => Promise<Bytes>): Promise<Keyring> {
  if (bundle.keyset === null || bundle.certificate === null) throw new CryptoError('certificate');
  // Runs during the derivation. A wrong password is reported before a wrong certificate.
  const identified = verifyCertificate(bundle.certificate);
  identified.catch(() => undefined);
  const userKey = await openSlot();
  try {
    return await openKeyset(bundle.user_id, bundle.keyset, await identified, userKey);
  } finally {
    userKey.fill(0);
  }
}

async function openKeyset(
  userId: string,
  keyset: NonNullable<LockedKeyring['keyset']>,
  identity: PublicIdentity,
  userKey: Bytes,
): Promise<Keyring> {
  if (identity.userId !== userId || identity.keysetVersion !== keyset.version) throw new CryptoError('certificate');
  const key = await importSealingKey(userKey);
  const context = { userId, keysetVersion: keyset.version, fingerprint: identity.fingerprint };
  const plaintext = await notAPassword(open('keyset', key, context, decodeBase64(keyset.blob_base64)));
  const { pkcs8, seed, isMadeWithRecord } = readKeyset(plaintext);
  try {
    // The certificate must be of these very keys.
    const [spki, ed25519] = await Promise.all([rsaPublicKeyOf(pkcs8), publicKeyOf(seed)]);
    if (!sameBytes(spki, identity.rsaSpki) || !sameBytes(ed25519, identity.ed25519))
      throw new CryptoError('certificate');
    await importRsaPublicKey(spki);
    const opened = {
      userKey: key,
      rsaPrivateKey: await importRsaPrivateKey(pkcs8),
      signingKey: await importSigningKey(seed),
    };
    return keyringOf(identity, opened, { isMadeWithRecord });
  } finally {
    pkcs8.fill(0);
    seed.fill(0);
  }
}

/** Once the slot has opened, the password was right. */
async function notAPassword<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof CryptoError && error.code === 'commit' ? new CryptoError('certificate') : error;
  }
}

/**
 * Creates a slot for a new master password (docs/spec/decisions.md K5).
 * @throws CryptoError `commit` if the old master password is wrong
 */
export async function changeMasterPassword(request: {
  bundle: LockedKeyring;
  oldMasterPassword: string;
  newMasterPassword: string;
  kdf: Kdf;
}): Promise<SlotWire> {
  const { bundle, oldMasterPassword, newMasterPassword, kdf } = request;
  const userKey = await openPasswordSlot(bundle, oldMasterPassword, kdf);
  try {
    return await createPasswordSlot(kdf, bundle.user_id, newMasterPassword, userKey);
  } finally {
    userKey.fill(0);
  }
}

/**
 * Creates a slot for a passkey. Needs the master password, so an unlocked vault alone is not enough to add one.
 * The caller wipes `prf`.
 * @throws CryptoError `commit` for a wrong master password; `key_length`
 */
export async function wrapForPasskey(request: {
  bundle: LockedKeyring;
  masterPassword: string;
  passkey: PasskeyPlace;
  prf: Bytes;
  kdf: Kdf;
}): Promise<PasskeySlotWire> {
  const { bundle, masterPassword, passkey, prf, kdf } = request;
  const userKey = await openPasswordSlot(bundle, masterPassword, kdf);
  try {
    return await createPasskeySlot(bundle.user_id, passkey, prf, userKey);
  } finally {
    userKey.fill(0);
  }
}
