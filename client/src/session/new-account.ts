/** The keys are made in this browser and sent locked; the master password stays here. */
import type { User } from '@passwordbroker/core/contract/entities';
import type { Keyring } from '../keyring/keyring.ts';
import type { Load } from '../platform.ts';
import type { Http } from '../transport/http.ts';
import type { Inviter } from './inviter-fragment.ts';

export interface NewAccount {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  readonly setupToken: string;
  /** Absent for the first user. */
  readonly inviteToken?: string;
  /** Recorded as a compared key. */
  readonly inviter?: Inviter;
}

/** @throws AppError with `errors` by `user.…` */
export async function openAccount(
  {
    http,
    keyring,
    load,
  }: { readonly http: Http; readonly keyring: Pick<Keyring, 'createAccount'>; readonly load: Load },
  { name, email, password, masterPassword, setupToken, inviteToken, inviter }: NewAccount,
): Promise<User> {
  const userId = crypto.randomUUID();
  const { keyBundle, trust } = await keyring.createAccount({
    userId,
    masterPassword,
    ...(inviter === undefined ? {} : { inviter }),
  });
  const person = {
    user_id: userId,
    username: name,
    email,
    password,
    password_confirmation: password,
    key_bundle: keyBundle,
    documents: [{ name: trust.name, blob_base64: trust.blob_base64 }],
  };
  if (inviteToken !== undefined) {
    const { accept } = await load('invites', () => import('@passwordbroker/core/contract/users/invites'));
    return http.call(accept, { params: { token: inviteToken }, body: { user: person } });
  }
  const { register } = await load('users', () => import('@passwordbroker/core/contract/users/users'));
  const token = setupToken === '' ? {} : { setup_token: setupToken };
  return http.call(register, { body: { user: person, ...token } });
}
