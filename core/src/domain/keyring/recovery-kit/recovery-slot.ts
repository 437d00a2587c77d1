/** The user key sealed for a recovery key: profile R1 (docs/spec/crypto.md §5, §6). */
import { type Bytes, decodeBase64, encodeBase64, randomBytes } from '../../../crypto/bytes.ts';
import { CryptoError } from '../../../crypto/errors.ts';
import { type Kdf, deriveSealingKey } from '../../../crypto/kdf.ts';
import { type SealingKey, open, seal } from '../../../crypto/seal.ts';
import { type SlotWire, createPasswordSlot, openPasswordSlot } from '../keyring-slot.ts';
import { RECOVERY_KEY_BYTES, type WrittenRecoveryKey, writeRecoveryKey } from './recovery-key.ts';

const RECOVERY_PROFILE = 'R1';
const SLOT_TYPE = 'recovery';
const DESC = 'hkdf-r1';

interface Locked {
  readonly user_id: string;
  readonly slots: readonly SlotWire[];
}

/** The caller wipes both keys. */
async function createRecoverySlot(userId: string, recoveryKey: Bytes, userKey: Bytes): Promise<SlotWire> {
  const slotId = crypto.randomUUID();
  const key = await deriveRecoveryKey(userId, slotId, recoveryKey);
  const blob = await seal('slot', key, { userId, slotId, slotType: SLOT_TYPE, desc: DESC }, userKey);
  return {
    slot_id: slotId,
    slot_type: SLOT_TYPE,
    kdf: RECOVERY_PROFILE,
    salt_base64: '',
    blob_base64: encodeBase64(blob),
  };
}

/**
 * Returns the user key. The caller wipes both keys.
 * @throws CryptoError `kdf` without exactly one slot of the profile; `commit` for another key; `base64`, …
 */
export async function openRecoverySlot({ user_id: userId, slots }: Locked, recoveryKey: Bytes): Promise<Bytes> {
  const [slot, ...others] = slots.filter(({ slot_type }) => slot_type === SLOT_TYPE);
  if (slot === undefined || others.length > 0 || slot.kdf !== RECOVERY_PROFILE || slot.salt_base64 !== '') {
    throw new CryptoError('kdf');
  }
  const blob = decodeBase64(slot.blob_base64);
  const key = await deriveRecoveryKey(userId, slot.slot_id, recoveryKey);
  return open('slot', key, { userId, slotId: slot.slot_id, slotType: SLOT_TYPE, desc: DESC }, blob);
}

/** The key has 160 random bits, so no slow derivation is needed. */
async function deriveRecoveryKey(userId: string, slotId: string, recoveryKey: Bytes): Promise<SealingKey> {
  if (recoveryKey.length !== RECOVERY_KEY_BYTES) throw new CryptoError('key_length');
  return deriveSealingKey(recoveryKey, ['pb1:kek', userId, slotId, DESC]);
}

/**
 * Makes a recovery key and its slot. Needs the master password, so an unlocked vault alone is not enough to make a kit.
 * @throws CryptoError `commit` for a wrong master password
 */
export async function makeRecoveryKit(request: {
  readonly bundle: Locked;
  readonly masterPassword: string;
  readonly kdf: Kdf;
}): Promise<{ readonly written: WrittenRecoveryKey; readonly slot: SlotWire }> {
  const { bundle, masterPassword, kdf } = request;
  const userKey = await openPasswordSlot(bundle, masterPassword, kdf);
  const recoveryKey = randomBytes(RECOVERY_KEY_BYTES);
  try {
    const slot = await createRecoverySlot(bundle.user_id, recoveryKey, userKey);
    return { written: writeRecoveryKey(recoveryKey), slot };
  } finally {
    userKey.fill(0);
    recoveryKey.fill(0);
  }
}

/**
 * Makes a password slot for a new master password that replaces a forgotten one.
 * @throws CryptoError as `openRecoverySlot`; `password`
 */
export async function replaceForgottenPassword(request: {
  readonly bundle: Locked;
  readonly recoveryKey: Bytes;
  readonly newMasterPassword: string;
  readonly kdf: Kdf;
}): Promise<SlotWire> {
  const { bundle, recoveryKey, newMasterPassword, kdf } = request;
  const userKey = await openRecoverySlot(bundle, recoveryKey);
  try {
    return await createPasswordSlot(kdf, bundle.user_id, newMasterPassword, userKey);
  } finally {
    userKey.fill(0);
  }
}
