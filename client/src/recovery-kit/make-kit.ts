/** Makes a recovery kit; stores its slot only after the person has typed a part of it back (docs/spec/crypto.md §6). */
import { removeSlot, replaceSlot } from '@passwordbroker/core/contract/account/own-keys';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import type { WrittenRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import type { Keyring } from '../keyring/keyring.ts';
import type { SentSlot } from '../keyring/recovery-kit/recovery-kit-calls.ts';
import { isUnclear } from '../master-password/change-master-password.ts';
import { hasSlot, KeysNotStored } from '../master-password/make-own-keys.ts';
import type { MasterPassword } from '../master-password/master-password.ts';
import { RECOVERY_KIT_TEXTS } from '../texts/recovery-kit.ts';
import type { Http } from '../transport/http.ts';

export interface NewKit {
  readonly written: WrittenRecoveryKey;
  readonly slot: SentSlot;
  /** Version of the recovery slot in whose place it goes; 0: none. */
  readonly replaces: number;
  /** Unix ms, on this device. */
  readonly madeAt: number;
}

interface Means {
  readonly http: Pick<Http, 'call'>;
  readonly keyring: Pick<Keyring, 'isOpen' | 'call'>;
  readonly masterPassword: Pick<MasterPassword, 'enter'>;
}

/**
 * Stores nothing. Opens a locked vault.
 * @throws KeyringError 'wrong_master_password'; AppError 'master_password_invalid'
 */
export async function makeKit({ http, keyring, masterPassword }: Means, typed: string): Promise<NewKit> {
  if (!keyring.isOpen()) await masterPassword.enter(typed);
  const bundle = await http.call(keyBundle);
  const made = await keyring.call('makeRecoveryKit', { bundle, masterPassword: typed });
  return { ...made, replaces: recoverySlotOf(bundle)?.version ?? 0, madeAt: Date.now() };
}

/**
 * From then on the former kit opens nothing. Reads the slot back even after success (attack M31).
 * @throws KeyringError 'locked'; AppError 'slot_conflict' (made elsewhere meanwhile); KeysNotStored
 */
export async function storeKit({ http }: Pick<Means, 'http'>, { slot, replaces }: NewKit): Promise<void> {
  let refusal: unknown = null;
  try {
    await http.call(replaceSlot, { params: { slotType: 'recovery' }, body: { slot }, ifMatch: replaces });
  } catch (failure) {
    if (!isUnclear(failure)) throw failure;
    refusal = failure;
  }
  if (hasSlot(await http.call(keyBundle), slot)) return;
  throw refusal ?? new KeysNotStored(RECOVERY_KIT_TEXTS.notStored);
}

/** @throws KeyringError 'locked'; AppError 'reauth_required', 'conflict' (the site asks for a kit), 'slot_conflict' */
export async function removeKit({ http }: Pick<Means, 'http'>): Promise<void> {
  const slot = recoverySlotOf(await http.call(keyBundle));
  if (slot === undefined) return;
  await http.call(removeSlot, { params: { slotType: 'recovery' }, ifMatch: slot.version });
}

export const recoverySlotOf = ({ slots }: Pick<KeyBundle, 'slots'>) =>
  slots.find(({ slot_type }) => slot_type === 'recovery');
