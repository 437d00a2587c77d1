/** Sign-in and confirmation with a passkey alone (docs/adr/0036-passkeys-that-sign-in.md). */
import type { confirmOptions, ConfirmWays } from '@passwordbroker/core/contract/account/credentials';
import type { signIn, signInOptions } from '@passwordbroker/core/contract/account/passkeys';
import type { SignedIn } from '@passwordbroker/core/contract/account/factors';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import type { Transact } from '../db/database.ts';
import type { Actor, Deps, RequestContext } from '../http/context.ts';
import { askForPasskey, judgePasskey, type SentAssertion } from '../passkeys/judge-passkey.ts';
import { listPasskeys, namedPasskey } from '../passkeys/passkey-repository.ts';
import { askForSecurityKey } from '../passkeys/judge-security-key.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import type { UserRow } from '../users/user-repository.ts';
import { isKnownDevice } from './account-password.ts';
import { waysOf } from './factors/ways.ts';
import { requireAdmitted } from './grant-session.ts';
import { acceptsLocalProof } from './local-sign-in/local-sign-in.ts';
import { admitOwner, enter } from './sign-in.ts';
import { proofOfPasskey } from './sign-in-proof.ts';
import { providersThatConfirm } from './sso/confirm.ts';
import { findOfferOfBrowser } from './sso/sso-tickets.ts';

/** Writes nothing. @throws AppError `not_found` where passkeys do not sign in */
export async function passkeySignInOptions(context: RequestContext): Promise<AnswerOf<typeof signInOptions>> {
  const asked = await askForPasskey(context, 'sign_in');
  if (asked === null) throw new AppError('not_found');
  return asked;
}

type Sent = BodyOf<typeof signIn>;

/**
 * @throws AppError `ticket_invalid` for an unknown `link_ticket`; `passkey_invalid` for every reason;
 * `too_many_requests`; `forbidden` for the address; `local_sign_in_off` for a passkey that was right
 */
export async function signInWithPasskey(deps: Deps, context: RequestContext, sent: Sent): Promise<SignedIn> {
  // Before the passkey, as in a sign-in by password.
  const offer = await findOfferOfBrowser(deps, context, sent.link_ticket);
  await requireAdmitted(deps.db.read, context, { is_admin: 0 });
  const judged = await judgePasskey(deps, context, sent, 'sign_in');
  const { user } = judged;
  await admitOwner(deps, context, user);
  return enter(deps, context, {
    user,
    proof: proofOfPasskey(judged, deps.clock.now()),
    factor: null,
    tokenName: null,
    remember: false,
    offer,
    isKnownDevice: isKnownDevice(deps, context, user),
    begin: (tx) => judged.settle(tx),
  });
}

/**
 * What the person can give to confirm an operation. While local sign-in is off, passkeys and providers confirm, and
 * passwords do not.
 */
export async function confirmWaysOf(context: RequestContext, user: UserRow): Promise<ConfirmWays['ways']> {
  const { deps, actor } = context;
  const ways: ConfirmWays['ways'] = [];
  if (user.has_password === 1 && (await acceptsLocalProof(deps, user))) {
    const { methods } = await waysOf(deps, user, { isOwnPage: actor?.scopes === null });
    ways.push({ password: true, factor: [...methods] });
  }
  // The others are bound to a cookie, and a token has none.
  if (actor?.scopes !== null) return ways;
  const isPasskey = (await ownSignInPasskeys(deps, user.user_id)).length > 0;
  if (isPasskey && (await askForPasskey(context, 'confirm')) !== null) ways.push({ passkey: true });
  const providers = await providersThatConfirm(deps, user);
  return [...ways, ...providers.map(({ id, name }) => ({ provider_id: id, name }))];
}

/**
 * Writes nothing.
 * @param withPassword of a security key; else of a passkey that signs in
 * @throws AppError `not_found` if the caller cannot confirm with one
 */
export async function passkeyConfirmOptions(
  context: RequestContext & { readonly actor: Actor },
  withPassword: boolean,
): Promise<AnswerOf<typeof confirmOptions>> {
  if (withPassword) return askForSecurityKey(context, context.actor.userId, 'confirm_factor');
  const asked = await askForPasskey(context, 'confirm');
  const own = asked === null ? [] : await ownSignInPasskeys(context.deps, context.actor.userId);
  if (asked === null || own.length === 0) throw new AppError('not_found');
  const allowCredentials = own.map(namedPasskey);
  return { ...asked, options: { ...asked.options, allowCredentials } };
}

const ownSignInPasskeys = async ({ db, config }: Deps, userId: string) =>
  (await listPasskeys(db.read, userId)).filter((row) => row.for_sign_in === 1 && row.rp_id === config.rpId);

/** Returns what settles it in the transaction. @throws AppError `validation`, `too_many_requests` */
export async function confirmWithPasskey(
  context: RequestContext,
  sent: SentAssertion,
): Promise<(tx: Transact) => Promise<void>> {
  const judged = await judgePasskey(context.deps, context, sent, 'confirm').catch(throwRefusal);
  return (tx) => judged.settle(tx).catch(throwRefusal);
}

/** The caller is signed in: the error is about the form. */
function throwRefusal(failure: unknown): never {
  if (!(failure instanceof AppError) || failure.code !== 'passkey_invalid') throw failure;
  throw refuse('assertion', SERVER_TEXTS.passkeyNotAccepted);
}
