/** Passkeys that open the vault: adding and removing them (docs/spec/crypto.md §6). */
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import type { Passkey } from '@passwordbroker/core/contract/account/webauthn';
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { keyBundle } from '@passwordbroker/core/contract/users/users';
import type { Keyring } from '../keyring/keyring.ts';
import { type PasskeyAnswer, wipeAnswer } from '../keyring/passkey-answer.ts';
import { isAway } from '../transport/answers.ts';
import type { Http } from '../transport/http.ts';
import type { MasterPassword } from './master-password.ts';
import { KeysNotStored } from './make-own-keys.ts';
import { MASTER_PASSWORD_TEXTS } from '../texts/master-password.ts';

interface Means {
  readonly http: Pick<Http, 'call'>;
  readonly keyring: Pick<Keyring, 'isOpen' | 'call' | 'copiedKeys'>;
  readonly masterPassword: Pick<MasterPassword, 'enter'>;
  /** Repeats the call once the person has confirmed the account password. */
  readonly whenFresh: <T>(call: () => Promise<T>) => Promise<T>;
}

/** Whether a passkey of this host may open the vault, also from a local copy. Never rejects. */
export async function canUsePasskey({ http, keyring }: Pick<Means, 'http' | 'keyring'>, host: string) {
  try {
    const { can_unlock, passkeys: own } = await http.call(passkeys.listAll);
    return can_unlock && own.some(({ is_here, uses }) => is_here && uses.includes('unlock'));
  } catch (failure) {
    if (!isAway(failure)) return false;
    const bundle = await keyring.copiedKeys().catch(() => null);
    return bundle?.passkeys?.some(({ rp_id }) => rp_id === host) ?? false;
  }
}

/**
 * Lets the passkey open the vault. Wraps the user key for it, stores the wrap and reads it back. `answer` is wiped.
 * @throws KeyringError 'wrong_master_password'; AppError 'slot_conflict', …; KeysNotStored; what `whenFresh` throws
 */
export async function addUnlockPasskey(
  { http, keyring, masterPassword, whenFresh }: Means,
  passkey: Passkey,
  { typed, answer }: { readonly typed: string; readonly answer: PasskeyAnswer },
): Promise<void> {
  try {
    // The proof needs the keys.
    if (!keyring.isOpen()) await masterPassword.enter(typed);
    const bundle = await http.call(keyBundle);
    const { rp_id, credential_id, passkey_id, wrap_version } = passkey;
    const input = { bundle, masterPassword: typed, passkey: { rp_id, credential_id }, prf: answer.prf };
    const slot = await keyring.call('wrapForPasskey', input, { transfer: [input.prf] });
    const params = { passkeyId: passkey_id };
    await whenFresh(() => http.call(passkeys.storeWrap, { params, body: { slot }, ifMatch: wrap_version }));
    const isStored = hasWrap(await http.call(keyBundle), passkey_id, slot);
    if (!isStored) throw new KeysNotStored(MASTER_PASSWORD_TEXTS.passkeyNotStored);
  } finally {
    wipeAnswer(answer);
  }
}

function hasWrap(
  { passkeys: stored = [] }: Pick<KeyBundle, 'passkeys'>,
  passkeyId: string,
  sent: { readonly slot_id: string; readonly blob_base64: string },
): boolean {
  return stored.some(
    ({ passkey_id, slot_id, blob_base64 }) =>
      passkey_id === passkeyId && slot_id === sent.slot_id && blob_base64 === sent.blob_base64,
  );
}
