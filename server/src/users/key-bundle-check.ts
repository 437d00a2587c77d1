/** Whether a new key bundle may be stored: its structure, not its content (`crypto.md` §19.2-3). */
import type { NewKeyBundle } from '@passwordbroker/core/contract/users';
import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { verifyCertificate } from '@passwordbroker/core/domain/certificate';
import { isKeysetShape, isSlotShape } from '@passwordbroker/core/domain/sealed-shape';

/** First keys of an account. */
const VERSION = 1;
const SALT_BYTES = 16;

function malformed(member: string): AppError {
  const label = (member.split('.').at(-1) ?? '').replaceAll('_', ' ');
  return new AppError('bad_sealed_value', {
    errors: { [`user.key_bundle.${member}`]: [`The ${label} is malformed.`] },
  });
}

/** The bytes of one member; what has more than one spelling is refused. */
function bytesOf(member: string, base64: string): Uint8Array {
  try {
    return decodeBase64(base64);
  } catch (error) {
    if (error instanceof CryptoError) throw malformed(member);
    throw error;
  }
}

/** Throws `bad_sealed_value` for a bundle that could not be of this person; answers the fingerprint of its certificate, hex. */
export async function checkFirstKeyBundle(bundle: NewKeyBundle, userId: string, kdf: Kdf): Promise<string> {
  const { keyset, certificate, slots } = bundle;
  if (certificate.user_id !== userId) throw malformed('certificate.user_id');
  if (certificate.keyset_version !== VERSION) throw malformed('certificate.keyset_version');
  if (certificate.prev_fpr !== '') throw malformed('certificate.prev_fpr');
  if (certificate.sig_prev_base64 !== null) throw malformed('certificate.sig_prev_base64');
  if (keyset.version !== VERSION) throw malformed('keyset.version');
  if (!isKeysetShape(bytesOf('keyset.blob_base64', keyset.blob_base64))) throw malformed('keyset.blob_base64');
  // Recovery slots come in a later stage: their profile is not in the table.
  const [slot, ...others] = slots;
  if (slot === undefined || others.length > 0 || slot.slot_type !== 'password') throw malformed('slots');
  if (!Object.hasOwn(kdf.profiles, slot.kdf)) throw malformed('slots.0.kdf');
  const salt = bytesOf('slots.0.salt_base64', slot.salt_base64);
  if (salt.length !== SALT_BYTES) throw malformed('slots.0.salt_base64');
  if (!isSlotShape(bytesOf('slots.0.blob_base64', slot.blob_base64))) throw malformed('slots.0.blob_base64');
  return fingerprintOf(certificate);
}

async function fingerprintOf(certificate: NewKeyBundle['certificate']): Promise<string> {
  try {
    return (await verifyCertificate(certificate)).fingerprint;
  } catch (error) {
    if (error instanceof CryptoError) throw malformed('certificate.sig_base64');
    throw error;
  }
}
