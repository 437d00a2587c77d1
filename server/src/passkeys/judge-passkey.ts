/** Judges the use of a passkey that signs in: at a sign-in, and when its owner confirms an operation. */
import type { Assertion } from '@passwordbroker/core/contract/account/webauthn';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import { csrfSecret } from '../http/auth/session.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { addressCounter, countJudged, refuseTooMany } from '../platform/passwords/attempts.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { findUser, type UserRow } from '../users/user-repository.ts';
import { challengeOfToken, makeChallenge, type Purpose } from './challenge.ts';
import { findPasskeyByCredential, noteUse, rememberChallenge, type PasskeyRow } from './passkey-repository.ts';
import { allowedUses, userHandleOf } from './rules.ts';
import { PASSKEY_TIMEOUT_MS, readAssertion } from './webauthn.ts';

declare const BRAND: unique symbol;

/** A passkey that verified its owner for this request. Made in this file only. */
export interface JudgedPasskey {
  readonly [BRAND]: true;
  readonly user: UserRow;
  /** Call in the transaction that the proof is for: the challenge works once. @throws AppError `passkey_invalid` */
  settle(tx: Transact): Promise<void>;
}

type Use = Extract<Purpose, 'sign_in' | 'confirm'>;

/** Writes nothing. Null where passkeys do not sign in. */
export async function askForPasskey(context: RequestContext, use: Use) {
  const { deps } = context;
  const rpId = await rpIdForSignIn(deps);
  if (rpId === null) return null;
  const { challenge, optionsToken } = makeChallenge(csrfSecret(deps, context), use, deps.clock.now());
  const options = { challenge, rpId, userVerification: 'required', timeout: PASSKEY_TIMEOUT_MS } as const;
  return { options, options_token: optionsToken };
}

/** Null where passkeys do not sign in. */
const rpIdForSignIn = async (deps: Deps): Promise<string | null> =>
  (await allowedUses(deps)).sign_in ? deps.config.rpId : null;

export interface SentAssertion {
  readonly assertion: Assertion;
  readonly options_token: string;
}

/**
 * @param use what `askForPasskey` was called for; to confirm, the passkey must be the caller's
 * @throws AppError `passkey_invalid` for every reason; `too_many_requests`
 */
export async function judgePasskey(
  deps: Deps,
  context: RequestContext,
  sent: SentAssertion,
  use: Use,
): Promise<JudgedPasskey> {
  await refuseTooMany(deps, addressCounter(context.origin));
  const rpId = await rpIdForSignIn(deps);
  const now = deps.clock.now();
  const asked = challengeOfToken(csrfSecret(deps, context), use, sent.options_token, now);
  const row = await findPasskeyByCredential(deps.db.read, Buffer.from(sent.assertion.id, 'base64url'));
  if (rpId === null || asked === null || row === undefined) throw await fail(deps, context, null);
  const user = await findUser(deps.db, row.user_id);
  const expected = { challenge: asked.challenge, origin: deps.config.publicUrl, rpId, needsVerification: true };
  const counter = await readAssertion(sent.assertion, row, expected);
  const isOwn = use === 'confirm' ? row.user_id === context.actor?.userId : isOfOwner(sent.assertion, row);
  if (counter === null || user === undefined || !isOwn || user.disabled_at !== null) {
    throw await fail(deps, context, user ?? null);
  }
  if (row.for_sign_in === 0) throw ofAnotherUse(row);
  if (isBehind(counter, row)) throw await fail(deps, context, user, { isCopy: true });
  const parts: Omit<JudgedPasskey, typeof BRAND> = {
    user,
    async settle(tx) {
      const challenge_hash = sha256(Buffer.from(asked.challenge));
      const isFirst = await rememberChallenge(tx, { challenge_hash, expires_at: asked.expiresAt });
      if (!isFirst || !(await noteUse(tx, row, { counter, now }))) throw refused();
    },
  };
  return parts as JudgedPasskey;
}

/** Authenticators without a counter always say 0. */
export const isBehind = (counter: number, { counter: last }: PasskeyRow): boolean =>
  counter <= last && (counter > 0 || last > 0);

/** The library does not check the user handle. */
const isOfOwner = ({ response }: Assertion, { user_id, handle }: PasskeyRow): boolean =>
  response.userHandle === userHandleOf(user_id, handle);

/**
 * Counts a failed sign-in of the address and returns the refusal.
 * @param user whose passkey was named; null: it says nothing about an account
 */
async function fail(
  deps: Deps,
  { origin }: RequestContext,
  user: UserRow | null,
  { isCopy = false }: { readonly isCopy?: boolean } = {},
): Promise<AppError> {
  await countJudged(deps, [addressCounter(origin)], async (tx) => {
    if (user === null) return;
    const { user_id: userId, email } = user;
    if (!isCopy) return recordEvent(tx, deps, { event_type: 'login_failed', actor: null, login: email, origin });
    const event = { event_type: 'second_factor_failed', actor: { userId, email }, origin } as const;
    await recordEvent(tx, deps, { ...event, details: { factor: 'passkey' } });
    await giveNotice(tx, deps, 'passkey copied', { to: user, origin });
  });
  return refused();
}

const refused = () => new AppError('passkey_invalid', { message: SERVER_TEXTS.passkeyRefused });
const ofAnotherUse = ({ for_factor }: PasskeyRow) =>
  for_factor === 1
    ? new AppError('passkey_invalid', { message: SERVER_TEXTS.passkeyOnlyFactor, details: { purpose: 'factor' } })
    : new AppError('passkey_invalid', { message: SERVER_TEXTS.passkeyOnlyUnlocks, details: { purpose: 'unlock' } });
