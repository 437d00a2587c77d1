/** Checks keys read back after a write: the server may answer "stored" without storing (attack M31). */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';

/** The server accepted a write of keys but returns others or none. The former keys stay valid and open. */
export class KeysNotStored extends Error {
  override readonly name = 'KeysNotStored';
}

type SentSlot = Pick<KeyBundle['slots'][number], 'slot_id' | 'kdf' | 'salt_base64' | 'blob_base64'>;

/** Whether the keys have this slot, unchanged. */
export const hasSlot = ({ slots }: Pick<KeyBundle, 'slots'>, sent: SentSlot): boolean =>
  slots.some(
    ({ slot_id, kdf, salt_base64, blob_base64 }) =>
      slot_id === sent.slot_id &&
      kdf === sent.kdf &&
      salt_base64 === sent.salt_base64 &&
      blob_base64 === sent.blob_base64,
  );

/** Whether these are the sent keys with all sent slots. */
export function hasKeys(
  given: KeyBundle,
  sent: { readonly keyset: { readonly blob_base64: string }; readonly slots: readonly SentSlot[] },
): boolean {
  return given.keyset?.blob_base64 === sent.keyset.blob_base64 && sent.slots.every((slot) => hasSlot(given, slot));
}
