/** A forgotten master password is replaced with the recovery key: one write for both slots (docs/spec/crypto.md §6). */
import { replaceSlot } from '@passwordbroker/core/contract/account/own-keys';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import { KeyringError, trustError } from '../keyring/keyring-error.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { ChangeUncertain, isUnclear } from '../master-password/change-master-password.ts';
import { hasSlot, KeysNotStored } from '../master-password/make-own-keys.ts';
import { RECOVERY_KIT_TEXTS as TEXTS } from '../texts/recovery-kit.ts';
import type { Http } from '../transport/http.ts';
import { recoverySlotOf } from './make-kit.ts';

export type RecoveringStep = 'checking' | 'keys' | 'storing';

interface Means {
  readonly http: Pick<Http, 'call'>;
  readonly keyring: Pick<Keyring, 'unlock' | 'call' | 'lock'>;
}

interface Recovery {
  readonly recoveryKey: string;
  readonly newMasterPassword: string;
}

/**
 * Leaves the vault open with the new master password; after a failure it is locked, and either the kit and
 * the old master password are valid or the new master password is.
 * @throws KeyringError 'wrong_recovery_key', 'no_recovery_kit', 'unusable_master_password'; AppError
 * 'slot_conflict' (changed elsewhere); ChangeUncertain; KeysNotStored
 */
export async function recoverWithKey(
  { http, keyring }: Means,
  { recoveryKey, newMasterPassword }: Recovery,
  onStep: (step: RecoveringStep) => void,
): Promise<void> {
  onStep('keys');
  // The proof of the write needs the keys.
  await keyring.unlock({ recoveryKey });
  try {
    const bundle = await http.call(keyBundle);
    const used = recoverySlotOf(bundle);
    const replaced = bundle.slots.find(({ slot_type }) => slot_type === 'password');
    if (used === undefined) throw trustError('no_recovery_kit');
    if (replaced === undefined) throw new KeyringError({ code: 'integrity', detail: 'kdf' });
    const slot = await keyring.call('replaceForgottenPassword', { bundle, recoveryKey, newMasterPassword });
    onStep('storing');
    let refusal: unknown = null;
    try {
      const recovery = { version: used.version, slot: null };
      const body = { slot, by: 'recovery', recovery } as const;
      await http.call(replaceSlot, { params: { slotType: 'password' }, body, ifMatch: replaced.version });
    } catch (failure) {
      if (!isUnclear(failure)) throw failure;
      refusal = failure;
    }
    const stored = await storedKeys(http);
    if (hasSlot(stored, slot) && recoverySlotOf(stored) === undefined) return;
    throw refusal ?? new KeysNotStored(TEXTS.recoveryNotStored);
  } catch (failure) {
    // Only a stored new master password leaves the vault open.
    keyring.lock();
    throw failure;
  }
}

async function storedKeys(http: Means['http']): Promise<KeyBundle> {
  try {
    return await http.call(keyBundle);
  } catch (failure) {
    throw new ChangeUncertain(TEXTS.recoveryUncertain, { cause: failure });
  }
}
