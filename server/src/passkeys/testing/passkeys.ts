/** People with passkeys in tests. */
import * as factors from '@passwordbroker/core/contract/account/factors';
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
  const { passkey: stored, recovery_codes } = await person.call(passkeys.register, { body });
  return { soft, options, stored, codes: recovery_codes?.codes ?? [] };
}

/** A request of a page of this site, which may use security keys. */
export const FROM_PAGE = { headers: { origin: ORIGIN } };

/** The body of the second step with a security key: asks for the options of the ticket, and answers them. */
export async function touchOf(client: TestClient, ticket: string, soft: SoftPasskey, lies?: Differing['lies']) {
  const { options, options_token } = await client.call(factors.factorOptions, { body: { ticket } });
  const assertion = answerWith(soft, options.challenge, ORIGIN, lies);
  return { ticket, method: 'passkey' as const, assertion, options_token };
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
