/** Checked by hand, because the sign-in page does not load the schema library. */
import type { login, logout, me } from '@passwordbroker/core/contract/account/session';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { User } from '@passwordbroker/core/contract/users/user';
import { flag, list, object, oneOf, orNull, type Read, text } from '../transport/read-json.ts';

type Optional = 'disabled' | 'is_auditor' | 'factor_state' | 'factor_due_at' | 'has_password';

const user: Read<User> = object<Omit<User, Optional>, Pick<User, Optional>>(
  {
    user_id: text,
    name: text,
    email: text,
    is_admin: (value) => value === '1' || flag(value),
    has_keys: flag,
    must_rekey: flag,
    mp_exposed_at: orNull(text),
    server_crypto_opt_out: flag,
    created_at: text,
    updated_at: text,
  },
  {
    disabled: oneOf(true),
    is_auditor: oneOf(true),
    factor_state: oneOf('set', 'reset'),
    factor_due_at: text,
    has_password: oneOf(false),
  },
);

export const readCaller: Read<AnswerOf<typeof me>> = object(
  {
    message: oneOf('guest', 'loggedIn', 'firstUser'),
    user: orNull(user),
    session_id: orNull(text),
  },
  {
    weak_password: oneOf(true),
    restriction: oneOf('second factor', 'link'),
    ways: object({ password: flag, providers: list(object({ provider_id: text, name: text })) }),
  },
);

export const readSignedIn: Read<AnswerOf<typeof login>> = object(
  { message: text, user },
  { token: text, token_id: text, expires_at: text },
);

export const readLoggedOut: Read<AnswerOf<typeof logout>> = object({ message: text }, { logout_url: text });
