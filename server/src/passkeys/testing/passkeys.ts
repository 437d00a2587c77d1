/** People with passkeys in tests. */
import * as passkeys from '@passwordbroker/core/contract/account/passkeys';
import { csrfCookie } from '@passwordbroker/core/contract/account/session';
import type { TestClient } from '../../testing/test-client.ts';
import type { PasskeyUse } from '../rules.ts';
import { answerWith, makePasskey, type SoftPasskey } from './authenticator.ts';

export const ORIGIN = 'http://localhost:8080';

/** Registers a new passkey. `more`: members of the body in place of the usual ones. */
export async function addPasskey(person: TestClient, use: PasskeyUse = 'sign_in', more: object = {}) {
  const { options, options_token } = await person.call(passkeys.registrationOptions, { body: { uses: [use] } });
  const { passkey: soft, attestation } = makePasskey(options, ORIGIN);
  const body = { attestation, options_token, name: 'Laptop', uses: [use], has_prf: use === 'unlock', ...more };
  return { soft, options, stored: (await person.call(passkeys.register, { body })).passkey };
}

interface Differing {
  readonly lies?: Parameters<typeof answerWith>[3];
  /** Members of the body beside the usual ones. */
  readonly more?: object;
}

/** Signs in with the passkey in this browser. */
export async function signInByPasskey(client: TestClient, soft: SoftPasskey, { lies, more }: Differing = {}) {
  if (!client.cookies.has('XSRF-TOKEN')) await client.call(csrfCookie);
  const { options, options_token } = await client.call(passkeys.signInOptions);
  const assertion = answerWith(soft, options.challenge, ORIGIN, lies);
  return client.call(passkeys.signIn, { body: { assertion, options_token, ...more } });
}
