/** The user key sealed by one means of unlocking (docs/spec/crypto.md §5, §6). */
import { type Bytes, decodeBase64, encodeBase64, randomBytes } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import {
  type Kdf,
  SLOT_SALT_BYTES,
  deriveMasterKey,
  deriveSealingKey,
  describeDerivation,
  profileOf,
} from '../../crypto/kdf.ts';
import { open, seal } from '../../crypto/seal.ts';

export interface SlotWire {
  readonly slot_id: string;
  readonly slot_type: string;
  readonly kdf: string;
  readonly salt_base64: string;
  readonly blob_base64: string;
}

/** Never uses parameters from the server. */
export async function createPasswordSlot(kdf: Kdf, userId: string, masterPassword: string, userKey: Bytes) {
  const slotId = crypto.randomUUID();
  const salt = randomBytes(SLOT_SALT_BYTES);
  const { desc, key } = await deriveSlotKey(kdf, kdf.defaultProfile, masterPassword, salt, userId, slotId);
  const blob = await seal('slot', key, { userId, slotId, slotType: 'password', desc }, userKey);
  return {
    slot_id: slotId,
    slot_type: 'password',
    kdf: kdf.defaultProfile,
    salt_base64: encodeBase64(salt),
    blob_base64: encodeBase64(blob),
  } as const;
}

/** @throws CryptoError `commit` for a wrong master password; `kdf`, `password`, `base64`, … */
export async function openPasswordSlot(
  locked: { readonly user_id: string; readonly slots: readonly SlotWire[] },
  masterPassword: string,
  kdf: Kdf,
): Promise<Bytes> {
  const [slot, ...others] = locked.slots.filter(({ slot_type }) => slot_type === 'password');
  if (slot === undefined || others.length > 0) throw new CryptoError('kdf');
  profileOf(kdf, slot.kdf);
  const salt = decodeSalt(slot.salt_base64);
  const blob = decodeBase64(slot.blob_base64);
  const { desc, key } = await deriveSlotKey(kdf, slot.kdf, masterPassword, salt, locked.user_id, slot.slot_id);
  return open('slot', key, { userId: locked.user_id, slotId: slot.slot_id, slotType: slot.slot_type, desc }, blob);
}

function decodeSalt(text: unknown): Bytes {
  const salt = decodeBase64(text);
  if (salt.length !== SLOT_SALT_BYTES) throw new CryptoError('kdf');
  return salt;
}

/** `desc` binds profile and salt. */
async function deriveSlotKey(
  kdf: Kdf,
  profile: string,
  masterPassword: string,
  salt: Bytes,
  userId: string,
  slotId: string,
) {
  const masterKey = await deriveMasterKey(kdf, profile, masterPassword, salt);
  try {
    const desc = describeDerivation(profileOf(kdf, profile), salt);
    return { desc, key: await deriveSealingKey(masterKey, ['pb1:kek', userId, slotId, desc]) };
  } finally {
    masterKey.fill(0);
  }
}
