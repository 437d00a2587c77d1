/**
 * Signing in at an identity provider (docs/adr/0035-single-sign-on.md). The page leaves for the provider, which leads
 * back to `/identity/sso/callback`.
 */
import { LOGIN } from '@passwordbroker/core/contract/account/session-calls';
import type { login } from '@passwordbroker/core/contract/account/session';
import { SSO_BEGIN, SSO_CALLBACK } from '@passwordbroker/core/contract/account/sso-calls';
import type { begin, callback, SsoPurpose } from '@passwordbroker/core/contract/account/sso';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { AppError } from '@passwordbroker/core/contract/problem';
import { AnswerError } from '../transport/answers.ts';
import type { Http } from '../transport/http.ts';
import { object, orNull, type Read, text } from '../transport/read-json.ts';
import { type LinkOffer, readLinked } from './link-offer.ts';
import { readSignedIn } from './session-answers.ts';
import type { Session } from './session.ts';

interface Means {
  readonly http: Pick<Http, 'checked'>;
  readonly session: Pick<Session, 'reachServer' | 'granted'>;
}

export interface Departure {
  readonly providerId: string;
  readonly purpose: SsoPurpose;
  /** For `invite`: the token in the link of the invitation. */
  readonly inviteToken?: string;
}

/**
 * Returns the address to go to.
 * @throws AppError 'provider_unavailable', 'not_found', for `link` 'reauth_required'; NetworkError; AnswerError
 */
export async function beginSso(
  { http, session }: Means,
  { providerId, purpose, inviteToken }: Departure,
): Promise<string> {
  await session.reachServer();
  const body = { purpose, ...(inviteToken === undefined ? {} : { invite_token: inviteToken }) };
  const { url } = await http.checked<typeof begin>(SSO_BEGIN, object({ url: text }), { params: { providerId }, body });
  if (!/^https?:\/\//i.test(url)) throw new AnswerError();
  return url;
}

/**
 * Signs in with the query with which the provider led back, or makes a fresh sign-in. For `link` returns what to confirm.
 * @throws AppError 'sso_failed', 'sso_refused', 'sso_not_provisioned', 'sso_not_linked' whose details `linkTicketOf`
 * takes, 'second_factor_required' whose details `proveFactor` takes, …; NetworkError; AnswerError
 */
export async function finishSso(
  { http, session }: Means,
  query: string,
): Promise<LinkOffer | 'signed in' | 'confirmed'> {
  await session.reachServer();
  const answer = await http.checked<typeof callback>(SSO_CALLBACK, readCallback, { body: { query } });
  if ('ticket' in answer) return answer;
  if ('fresh_until' in answer) return 'confirmed';
  await session.granted(answer);
  return 'signed in';
}

const readOffer: Read<LinkOffer & { provider_id: string }> = object({
  ticket: text,
  email: orNull(text),
  provider_id: text,
  name: text,
});

const readConfirmed = object({ fresh_until: text });

const readCallback: Read<AnswerOf<typeof callback>> = (value) => {
  const has = (name: string) => typeof value === 'object' && value !== null && name in value;
  if (has('ticket')) return readOffer(value);
  return has('fresh_until') ? readConfirmed(value) : readSignedIn(value);
};

const readTicket = object({ ticket: text });

/** From the refusal `sso_not_linked`. @throws AnswerError */
export function linkTicketOf({ details }: AppError): string {
  try {
    return readTicket(details).ticket;
  } catch {
    throw new AnswerError();
  }
}

/**
 * Signs in with the account password to link the identity of the ticket. Returns what to confirm.
 * @throws as `session.logIn`; AppError 'ticket_invalid': the sign-in begins again
 */
export async function logInToLink(
  { http, session }: Means,
  { email, password, ticket }: { readonly email: string; readonly password: string; readonly ticket: string },
): Promise<LinkOffer | null> {
  await session.reachServer();
  const body = { email, password, link_ticket: ticket };
  const answer = await http.checked<typeof login>(LOGIN, readLinked, { body });
  await session.granted(answer);
  return answer.link === undefined ? null : { ...answer.link, ticket };
}
