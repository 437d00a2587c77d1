/** The answer of a sign-in with a link ticket. A file of its own: the first load of the sign-in page needs no links. */
import type { SignedIn } from '@passwordbroker/core/contract/account/factors';
import { object, orNull, type Read, text } from '../transport/read-json.ts';
import { readSignedIn } from './session-answers.ts';

/** An identity at a provider, as people are asked about it. */
export type SignInLink = Pick<NonNullable<SignedIn['link']>, 'email' | 'name'>;

/** The person must confirm it before `POST sso/links` takes the ticket. */
export interface LinkOffer extends SignInLink {
  readonly ticket: string;
}

const readLink = object({}, { link: object({ email: orNull(text), provider_id: text, name: text }) });

export const readLinked: Read<SignedIn> = (value) => ({ ...readSignedIn(value), ...readLink(value) });
