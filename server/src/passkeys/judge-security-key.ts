/** Judges security keys: passkeys that are a second factor beside the account password, or a provider's sign-in. */
import type { OwnRequestOptions } from '@passwordbroker/core/contract/account/webauthn';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import { csrfSecret } from '../http/auth/session.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { factorCountersOf } from '../identity/factors/judge-code.ts';
import { provenFactor, type ProvenFactor } from '../identity/factors/proven-factor.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { sha256 } from '../platform/ids-and-digests.ts';
import { addressCounter, countJudged, forgiveAttempts, refuseTooMany } from '../platform/passwords/attempts.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import type { UserRow } from '../users/user-repository.ts';
import { challengeOfToken, makeChallenge, type FactorPurpose } from './challenge.ts';
import { isBehind, type SentAssertion } from './judge-passkey.ts';
import {
  findPasskeyByCredential,
  listSecurityKeys,
  namedPasskey,
  noteUse,
  rememberChallenge,
  type PasskeyRow,
} from './passkey-repository.ts';
import { userHandleOf } from './rules.ts';
import { PASSKEY_TIMEOUT_MS, readAssertion } from './webauthn.ts';

interface Asked {
  readonly options: OwnRequestOptions;
  readonly options_token: string;
}

/** Writes nothing. @throws AppError `not_found` if the account has no security key that works on this host */
export async function askForSecurityKey(
  context: RequestContext,
  userId: string,
  purpose: FactorPurpose,
): Promise<Asked> {
  const { deps } = context;
  const { rpId } = deps.config;
  const own = await listSecurityKeys(deps.db.read, userId, rpId);
  if (rpId === null || own.length === 0) throw new AppError('not_found');
  const { challenge, optionsToken } = makeChallenge(csrfSecret(deps, context), purpose, deps.clock.now());
  const allowCredentials = own.map(namedPasskey);
  const options = { challenge, rpId, userVerification: 'preferred', timeout: PASSKEY_TIMEOUT_MS } as const;
  return { options: { ...options, allowCredentials }, options_token: optionsToken };
}

/**
 * Null after recording a failure. A counter that is behind also mails the owner.
 * @param purpose of the options that were asked for
 * @throws AppError `too_many_requests` of the address
 */
export async function judgeSecurityKey(
  deps: Deps,
  context: RequestContext,
  user: UserRow,
  { assertion, options_token }: SentAssertion,
  purpose: FactorPurpose,
): Promise<ProvenFactor | null> {
  await refuseTooMany(deps, addressCounter(context.origin));
  const now = deps.clock.now();
  const asked = challengeOfToken(csrfSecret(deps, context), purpose, options_token, now);
  const row = await findPasskeyByCredential(deps.db.read, Buffer.from(assertion.id, 'base64url'));
  const { publicUrl: origin, rpId } = deps.config;
  if (asked === null || rpId === null || !isOwnKey(row, user, assertion)) return fail(deps, context, user);
  const expected = { challenge: asked.challenge, origin, rpId, needsVerification: false };
  const counter = await readAssertion(assertion, row, expected);
  if (counter === null) return fail(deps, context, user);
  if (isBehind(counter, row)) return fail(deps, context, user, { isCopy: true });
  const { user_id: userId } = user;
  const counters = await factorCountersOf(deps, context, user);
  return provenFactor({
    userId,
    kind: 'passkey',
    async spend(tx) {
      const challenge_hash = sha256(Buffer.from(asked.challenge));
      const isFirst = await rememberChallenge(tx, { challenge_hash, expires_at: asked.expiresAt });
      if (!isFirst || !(await noteUse(tx, row, { counter, now }))) {
        throw new AppError('second_factor_invalid', { message: SERVER_TEXTS.passkeyNotAccepted });
      }
      await forgiveAttempts(
        tx,
        counters.map(({ key }) => key),
      );
    },
    handOut() {},
  });
}

/** Authenticators may leave the user handle out, because the options name passkeys. */
function isOwnKey(
  row: PasskeyRow | undefined,
  { user_id }: UserRow,
  { response: { userHandle } }: SentAssertion['assertion'],
): row is PasskeyRow {
  if (row === undefined || row.user_id !== user_id || row.for_factor === 0) return false;
  return userHandle === undefined || userHandle === userHandleOf(user_id, row.handle);
}

/** Counts a failed sign-in of the address. */
async function fail(
  deps: Deps,
  { origin }: RequestContext,
  user: UserRow,
  { isCopy = false }: { readonly isCopy?: boolean } = {},
): Promise<null> {
  await countJudged(deps, [addressCounter(origin)], async (tx) => {
    const actor = { userId: user.user_id, email: user.email };
    const details = { factor: 'passkey' } as const;
    await recordEvent(tx, deps, { event_type: 'second_factor_failed', actor, origin, details });
    if (isCopy) await giveNotice(tx, deps, 'passkey copied', { to: user, origin });
  });
  return null;
}
