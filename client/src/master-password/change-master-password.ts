/**
 * Replaces the password slot (docs/spec/decisions.md K5). Reads it back even after success
 * (docs/spec/crypto.md §6, attack M31).
 */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { replaceSlot } from '@passwordbroker/core/contract/account/own-keys';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import type { ChangePhase } from '../keyring/calls.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../transport/http.ts';
import type { MasterPassword } from './master-password.ts';
import { hasSlot, KeysNotStored } from './make-own-keys.ts';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';
import { AnswerError } from '../transport/answers.ts';
import { NetworkError } from '../transport/exchange.ts';

export interface MasterPasswordChange {
  readonly oldMasterPassword: string;
  readonly newMasterPassword: string;
}

export class ChangeUncertain extends Error {
  override readonly name = 'ChangeUncertain';
}

interface Means {
  readonly http: Pick<Http, 'call'>;
  readonly keyring: Pick<Keyring, 'isOpen' | 'call'>;
  readonly masterPassword: Pick<MasterPassword, 'enter'>;
}

/**
 * @throws KeyringError 'wrong_master_password', 'unusable_master_password'; AppError
 * 'master_password_invalid', 'slot_conflict' (changed elsewhere); ChangeUncertain; KeysNotStored
 */
export async function changeMasterPassword(
  { http, keyring, masterPassword }: Means,
  change: MasterPasswordChange,
  onPhase: (phase: ChangePhase | 'storing') => void = () => undefined,
): Promise<void> {
  if (!keyring.isOpen()) {
    // The proof needs the keys.
    onPhase('trying');
    await masterPassword.enter(change.oldMasterPassword);
  }
  const bundle = await http.call(keyBundle);
  const replaced = bundle.slots.find(({ slot_type }) => slot_type === 'password');
  if (replaced === undefined) throw new KeyringError({ code: 'integrity', detail: 'kdf' });
  const slot = await keyring.call('changeMasterPassword', { bundle, ...change }, { onProgress: onPhase });
  onPhase('storing');
  let refusal: unknown = null;
  try {
    const params = { slotType: 'password' };
    await http.call(replaceSlot, { params, body: { slot }, ifMatch: replaced.version });
  } catch (failure) {
    if (!isUnclear(failure)) throw failure;
    refusal = failure;
  }
  if (hasSlot(await storedKeys(http), slot)) return;
  throw refusal ?? new KeysNotStored(MASTER_PASSWORD_TEXTS.change.notStored);
}

/** The server may have stored it. */
export function isUnclear(failure: unknown): boolean {
  if (failure instanceof AppError) return failure.status >= 500;
  return failure instanceof NetworkError || failure instanceof AnswerError;
}

async function storedKeys(http: Means['http']): Promise<KeyBundle> {
  try {
    return await http.call(keyBundle);
  } catch (failure) {
    throw new ChangeUncertain(MASTER_PASSWORD_TEXTS.change.uncertain, { cause: failure });
  }
}
