/** The user key sealed for a passkey: profile W1 (docs/spec/crypto.md §6). */
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, decodeBase64Url, encodeBase64, encodeHex, randomBytes } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { SLOT_SALT_BYTES, deriveSealingKey } from '../../crypto/kdf.ts';
import { type SealingKey, open, seal } from '../../crypto/seal.ts';
import { PRF_BYTES } from './prf-input.ts';

export const PASSKEY_PROFILE = 'W1';
const SLOT_TYPE = 'webauthn_prf';

/** The context that the key of a slot is bound to. `credential_id` is base64url. */
export interface PasskeyPlace {
  readonly rp_id: string;
  readonly credential_id: string;
}

export interface PasskeySlotWire {
  readonly slot_id: string;
  readonly kdf: string;
  readonly salt_base64: string;
  readonly blob_base64: string;
}

/** The caller wipes `prf` and `userKey`. @throws CryptoError `key_length` unless `prf` has 32 bytes */
export async function createPasskeySlot(
  userId: string,
  passkey: PasskeyPlace,
  prf: Bytes,
  userKey: Bytes,
): Promise<PasskeySlotWire> {
  const slotId = crypto.randomUUID();
  const salt = randomBytes(SLOT_SALT_BYTES);
  const { desc, key } = await derivePasskeyKey(userId, slotId, passkey, salt, prf);
  const blob = await seal('slot', key, { userId, slotId, slotType: SLOT_TYPE, desc }, userKey);
  return {
    slot_id: slotId,
    kdf: PASSKEY_PROFILE,
    salt_base64: encodeBase64(salt),
    blob_base64: encodeBase64(blob),
  };
}

/**
 * Returns the user key. The caller wipes `prf` and the result.
 * @throws CryptoError `kdf` for another profile or salt, before anything is derived; `key_length`; `commit` for another
 * authenticator, account, slot, credential or RP ID
 */
export async function openPasskeySlot(
  userId: string,
  slot: PasskeyPlace & PasskeySlotWire,
  prf: Bytes,
): Promise<Bytes> {
  if (slot.kdf !== PASSKEY_PROFILE) throw new CryptoError('kdf');
  const salt = decodeBase64(slot.salt_base64);
  if (salt.length !== SLOT_SALT_BYTES) throw new CryptoError('kdf');
  const blob = decodeBase64(slot.blob_base64);
  const { desc, key } = await derivePasskeyKey(userId, slot.slot_id, slot, salt, prf);
  return open('slot', key, { userId, slotId: slot.slot_id, slotType: SLOT_TYPE, desc }, blob);
}

/** `webauthn-prf$rp=…$cred=…$<salt>`, bound into the slot. */
export async function describePasskey({ rp_id, credential_id }: PasskeyPlace, salt: Bytes): Promise<string> {
  const credential = encodeHex(await sha256(decodeBase64Url(credential_id)));
  return `webauthn-prf$rp=${rp_id}$cred=${credential}$${encodeBase64(salt)}`;
}

/** A PRF output has 256 random bits, so no slow derivation is needed. */
async function derivePasskeyKey(
  userId: string,
  slotId: string,
  passkey: PasskeyPlace,
  salt: Bytes,
  prf: Bytes,
): Promise<{ desc: string; key: SealingKey }> {
  if (prf.length !== PRF_BYTES) throw new CryptoError('key_length');
  const desc = await describePasskey(passkey, salt);
  return { desc, key: await deriveSealingKey(prf, ['pb1:kek', userId, slotId, desc]) };
}
