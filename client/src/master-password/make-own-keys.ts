/**
 * Replaces all keys in one write (docs/spec/crypto.md §6). Locks the old ones only after the server returned
 * the new ones (attack M31).
 */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import * as ownKeys from '@passwordbroker/core/contract/account/own-keys';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import type { OutputOf } from '../keyring/calls.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Inviter } from '../session/inviter-fragment.ts';
import type { Http } from '../transport/http.ts';
import { NEW_KEYS_TEXTS as TEXTS } from '../texts/new-keys.ts';
import type { MasterPassword } from './master-password.ts';

export type MakingStep = 'checking' | 'grants' | 'keys' | 'storing' | 'opening';

/** The server accepted a write of keys but returns others. The former keys stay valid and open. */
export class KeysNotStored extends Error {
  override readonly name = 'KeysNotStored';
}

interface Means {
  readonly http: Pick<Http, 'call'>;
  readonly keyring: Pick<Keyring, 'call' | 'lock' | 'createAccount'>;
  readonly masterPassword: Pick<MasterPassword, 'enter'>;
}

/** The keyring must be open. @throws KeyringError, AppError, NetworkError, KeysNotStored */
export async function makeOwnKeys(
  { http, keyring, masterPassword }: Means,
  newMasterPassword: string,
  onStep: (step: MakingStep) => void,
): Promise<void> {
  const { key_bundle } = await replaceKeys(http, keyring, newMasterPassword, onStep);
  await checkStored(http, key_bundle);
  onStep('opening');
  keyring.lock();
  await masterPassword.enter(newMasterPassword);
}

const TRIES = 3;

/** @throws AppError 'slot_conflict' if the keys, or in each attempt a document, were written meanwhile */
async function replaceKeys(
  http: Means['http'],
  keyring: Pick<Keyring, 'call'>,
  newMasterPassword: string,
  onStep: (step: MakingStep) => void,
): Promise<OutputOf<'rekey'>> {
  for (let tries = 1; ; tries += 1) {
    onStep('grants');
    const bundle = await http.call(keyBundle);
    const { grants } = await http.call(ownKeys.grants);
    onStep('keys');
    const { documents } = bundle;
    const body = await keyring.call('rekey', { newMasterPassword, documents, grants });
    onStep('storing');
    try {
      await http.call(ownKeys.rekey, { body, ifMatch: bundle.keyset?.version ?? 0 });
      return body;
    } catch (failure) {
      const isBehind = failure instanceof AppError && failure.details?.['document'] !== undefined;
      if (!isBehind || tries === TRIES) throw failure;
    }
  }
}

/**
 * Nothing can prove this call, so the server asks for a fresh sign-in.
 * @param inviter recorded as a compared key
 * @throws AppError 'reauth_required', KeysNotStored
 */
export async function makeFirstKeys(
  { http, keyring, masterPassword }: Means,
  newMasterPassword: string,
  onStep: (step: MakingStep) => void,
  inviter: Inviter | null = null,
): Promise<void> {
  onStep('keys');
  const { user_id: userId } = await http.call(keyBundle);
  const { keyBundle: made, trust } = await keyring.createAccount({
    userId,
    masterPassword: newMasterPassword,
    ...(inviter === null ? {} : { inviter }),
  });
  onStep('storing');
  await http.call(ownKeys.rekey, {
    body: { key_bundle: made, documents: [trust], grants: [] },
    ifMatch: 0,
    isProven: false,
  });
  await checkStored(http, made);
  onStep('opening');
  await masterPassword.enter(newMasterPassword);
}

/** @throws KeysNotStored if the server returns other keys or does not answer */
async function checkStored(http: Means['http'], sent: Parameters<typeof hasKeys>[1]): Promise<void> {
  let given: KeyBundle;
  try {
    given = await http.call(keyBundle);
  } catch (failure) {
    throw new KeysNotStored(TEXTS.lost, { cause: failure });
  }
  if (!hasKeys(given, sent)) throw new KeysNotStored(TEXTS.notStored);
}

type SentSlot = Pick<KeyBundle['slots'][number], 'slot_id' | 'kdf' | 'salt_base64' | 'blob_base64'>;

export const hasSlot = ({ slots }: Pick<KeyBundle, 'slots'>, sent: SentSlot): boolean =>
  slots.some(
    ({ slot_id, kdf, salt_base64, blob_base64 }) =>
      slot_id === sent.slot_id &&
      kdf === sent.kdf &&
      salt_base64 === sent.salt_base64 &&
      blob_base64 === sent.blob_base64,
  );

function hasKeys(
  given: KeyBundle,
  sent: { readonly keyset: { readonly blob_base64: string }; readonly slots: readonly SentSlot[] },
): boolean {
  return given.keyset?.blob_base64 === sent.keyset.blob_base64 && sent.slots.every((slot) => hasSlot(given, slot));
}
