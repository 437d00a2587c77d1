/** Makes a passkey that signs in, or a security key: the browser creates it, then the server stores it. */
import { useState } from 'react';
import { register, registrationOptions } from '@passwordbroker/core/contract/account/passkeys';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { ConfirmationCancelled } from '@passwordbroker/client/session/fresh-sign-in';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { http } from '../page/page.ts';
import { freshSignIn } from '../page/vault.ts';
import { PASSKEY_TEXTS as TEXTS } from '../texts/identity/passkeys.ts';
import { createPlainPasskey } from './webauthn.ts';

export type Registered = AnswerOf<typeof register>;

export interface NewPasskey {
  readonly problem: string | null;
  readonly isBusy: boolean;
  /**
   * Returns false if it failed, or the person closed the dialog of the fresh sign-in.
   * @param revoke_tokens for the first second factor
   */
  add(name: string, revoke_tokens: boolean): Promise<boolean>;
}

export function useNewPasskey(
  use: 'factor' | 'sign_in',
  onAdded: (registered: Registered) => Promise<void> | void,
): NewPasskey {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function add(name: string, revoke_tokens: boolean): Promise<boolean> {
    if (isBusy) return false;
    if (name.trim() === '') {
      setProblem(TEXTS.nameMissing);
      return false;
    }
    setProblem(null);
    setBusy(true);
    const uses = [use];
    try {
      const asked = await freshSignIn.run(() => http.call(registrationOptions, { body: { uses } }));
      const attestation = await createPlainPasskey(asked.options);
      const body = { attestation, options_token: asked.options_token, name, uses, has_prf: false, revoke_tokens };
      await onAdded(await http.call(register, { body }));
      setBusy(false);
      return true;
    } catch (failure) {
      if (!(failure instanceof ConfirmationCancelled)) setProblem(reasonOf(failure));
      setBusy(false);
      return false;
    }
  }

  return { problem, isBusy, add };
}
