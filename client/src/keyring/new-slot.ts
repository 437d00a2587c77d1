/**
 * Makes a password slot for a new master password (docs/spec/decisions.md K5). Needs the user key only, for a
 * moment.
 */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { passwordProblem } from '@passwordbroker/core/crypto/password-form';
import { changeMasterPassword } from '@passwordbroker/core/domain/keyring/keyring';
import type { InputOf, OutputOf } from './calls.ts';
import { KeyringError } from './keyring-error.ts';
import type { Served } from './remote.ts';

/**
 * @throws KeyringError 'wrong_master_password' (old one), 'unusable_master_password' (new one, checked
 * first); CryptoError for a damaged slot
 */
export async function makeNewSlot(
  kdf: Kdf,
  request: InputOf<'changeMasterPassword'>,
  { onProgress }: Pick<Served<'changeMasterPassword'>, 'onProgress'>,
): Promise<OutputOf<'changeMasterPassword'>> {
  checkUsable(request.newMasterPassword);
  let derivations = 0;
  const told: Kdf = {
    ...kdf,
    argon2id: (...derivation) => {
      derivations += 1;
      onProgress(derivations === 1 ? 'trying' : 'locking');
      return kdf.argon2id(...derivation);
    },
  };
  try {
    const { slot_id, kdf: profile, salt_base64, blob_base64 } = await changeMasterPassword({ ...request, kdf: told });
    return { slot_id, kdf: profile, salt_base64, blob_base64 };
  } catch (failure) {
    const isWrong = failure instanceof CryptoError && (failure.code === 'commit' || failure.code === 'password');
    throw isWrong ? new KeyringError({ code: 'wrong_master_password', detail: failure.code }) : failure;
  }
}

/** @throws KeyringError 'unusable_master_password' */
export function checkUsable(masterPassword: string): void {
  const problem = passwordProblem(masterPassword);
  if (problem !== null) throw new KeyringError({ code: 'unusable_master_password', detail: problem });
}
