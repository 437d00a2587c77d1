/** Signs in with a passkey alone, at the page's own server. */
import { PASSKEY_LOGIN, PASSKEY_OPTIONS } from '@passwordbroker/core/contract/account/passkey-calls';
import type { signIn, signInOptions } from '@passwordbroker/core/contract/account/passkeys';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Http } from '../transport/http.ts';
import { count, object, oneOf, type Read, text } from '../transport/read-json.ts';
import { readSignedIn } from './session-answers.ts';
import type { Session } from './session.ts';

interface Means {
  readonly http: Pick<Http, 'checked'>;
  readonly session: Pick<Session, 'reachServer' | 'check'>;
}

type PasskeyQuestion = AnswerOf<typeof signInOptions>;

const readQuestion: Read<PasskeyQuestion> = object({
  options: object({ challenge: text, rpId: text, userVerification: oneOf('preferred', 'required'), timeout: count }),
  options_token: text,
});

/** Valid for ten minutes. @throws AppError 'not_found' where passkeys do not sign in; NetworkError */
export async function passkeyQuestion({ http, session }: Means): Promise<PasskeyQuestion> {
  await session.reachServer();
  return http.checked<typeof signInOptions>(PASSKEY_OPTIONS, readQuestion);
}

/** @throws AppError 'passkey_invalid', 'too_many_requests', …; NetworkError */
export async function signInWithPasskey(
  { http, session }: Means,
  { options_token }: Pick<PasskeyQuestion, 'options_token'>,
  assertion: BodyOf<typeof signIn>['assertion'],
): Promise<void> {
  const body = { assertion, options_token };
  await http.checked<typeof signIn>(PASSKEY_LOGIN, readSignedIn, { body });
  await session.check();
}
