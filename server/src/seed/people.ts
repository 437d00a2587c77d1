import * as session from '@passwordbroker/core/contract/account/session';
import { register } from '@passwordbroker/core/contract/users/users';
import { createKeyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { Deps } from '../http/context.ts';
import { randomText } from '../platform/secrets.ts';
import { Caller } from './caller.ts';
import type { App } from './caller.ts';
import { forgetRekeying } from './seed-repository.ts';
import { TEAM } from './team.ts';
import type { PersonKey } from './team.ts';

export interface SeededPerson {
  readonly key: PersonKey;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly masterPassword: string;
  readonly keyring: Keyring;
  readonly caller: Caller;
}

const SECRET_BYTES = 15;

/** Signs the demonstration team up; the first person becomes site admin and creates the others. */
export async function signUpTeam(app: App, deps: Deps): Promise<Map<PersonKey, SeededPerson>> {
  const people = new Map<PersonKey, SeededPerson>();
  const admin = new Caller(app, deps.clock);
  for (const { key, username, email } of TEAM) {
    const [password, masterPassword] = [randomText(SECRET_BYTES), randomText(SECRET_BYTES)];
    const userId = deps.newId();
    const { keyring, bundle, trust } = await createKeyring({ userId, masterPassword, kdf: deps.kdf });
    const documents = [{ name: trust.name, blob_base64: trust.blob_base64 }];
    const keys = { key_bundle: bundle, documents };
    const user = { user_id: userId, username, email, password, password_confirmation: password, ...keys };
    await admin.call(session.csrfCookie);
    await admin.call(register, { body: { user } });
    const caller = key === TEAM[0].key ? admin : await signIn(app, deps, email, password);
    people.set(key, { key, name: username, email, password, masterPassword, keyring, caller });
  }
  // The person who runs the seed sees every master password anyway, so new keys at the first sign-in are
  // pointless.
  await deps.db.transact(forgetRekeying);
  return people;
}

async function signIn(app: App, { clock }: Deps, email: string, password: string): Promise<Caller> {
  const caller = new Caller(app, clock);
  await caller.call(session.csrfCookie);
  await caller.call(session.login, { body: { email, password } });
  return caller;
}
