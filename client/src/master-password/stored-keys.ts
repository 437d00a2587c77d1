/** What the server keeps after a write of keys, asked anew: an answer that says "stored" has stored nothing yet (attack M31). */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';

/** The server accepted a write of keys, and gives other ones back, or none. Whatever was open is still open, and the former keys are still right. */
export class KeysNotStored extends Error {
  override readonly name = 'KeysNotStored';
}

/** A lock of the user key, as it was sent. */
type SentSlot = Pick<KeyBundle['slots'][number], 'slot_id' | 'kdf' | 'salt_base64' | 'blob_base64'>;

/** Whether the keys that the server gives have this lock, unchanged. */
export const hasSlot = ({ slots }: Pick<KeyBundle, 'slots'>, sent: SentSlot): boolean =>
  slots.some(
    ({ slot_id, kdf, salt_base64, blob_base64 }) =>
      slot_id === sent.slot_id &&
      kdf === sent.kdf &&
      salt_base64 === sent.salt_base64 &&
      blob_base64 === sent.blob_base64,
  );

/** Whether the keys that the server gives are these, behind each of these locks. */
export function hasKeys(
  given: KeyBundle,
  sent: { readonly keyset: { readonly blob_base64: string }; readonly slots: readonly SentSlot[] },
): boolean {
  return given.keyset?.blob_base64 === sent.keyset.blob_base64 && sent.slots.every((slot) => hasSlot(given, slot));
}
