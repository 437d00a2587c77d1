/** Signs in with a passkey alone, at the page's own server. */
import { PASSKEY_LOGIN, PASSKEY_OPTIONS } from '@passwordbroker/core/contract/account/passkey-calls';
import type { signIn, signInOptions } from '@passwordbroker/core/contract/account/passkeys';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Http } from '../transport/http.ts';
import { count, object, oneOf, type Read, text } from '../transport/read-json.ts';
import { type LinkOffer, readLinked } from './link-offer.ts';
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

/**
 * @param ticket of an identity that the person wants to link; the answer says what to confirm then
 * @throws AppError 'passkey_invalid', 'too_many_requests', with a ticket also 'ticket_invalid', …; NetworkError
 */
export async function signInWithPasskey(
  { http, session }: Means,
  { options_token }: Pick<PasskeyQuestion, 'options_token'>,
  assertion: BodyOf<typeof signIn>['assertion'],
  ticket: string | null = null,
): Promise<LinkOffer | null> {
  const body = { assertion, options_token, ...(ticket === null ? {} : { link_ticket: ticket }) };
  const { link } = await http.checked<typeof signIn>(PASSKEY_LOGIN, readLinked, { body });
  await session.check();
  return link === undefined || ticket === null ? null : { ...link, ticket };
}
