import type { factorOptions, SignedIn } from '@passwordbroker/core/contract/account/factors';
import type { ProofMethod, SessionFactor, SignInMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { Assertion } from '@passwordbroker/core/contract/account/webauthn';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import type { SentAssertion } from '../passkeys/judge-passkey.ts';
import { askForSecurityKey, judgeSecurityKey } from '../passkeys/judge-security-key.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { identityKey, asUser, findUserByEmail, type UserRow } from '../users/user-repository.ts';
import { passwordWeakness } from '../users/password-rules.ts';
import { isKnownDevice, judgePassword, type Credentials, type JudgedAccount } from './account-password.ts';
import { countRecoveryCodes } from './factors/factor-repository.ts';
import { judgeCode } from './factors/judge-code.ts';
import type { ProvenFactor } from './factors/proven-factor.ts';
import { rememberBrowser, rememberDays, rememberedFactor } from './factors/remembered-browsers.ts';
import { waysOf } from './factors/ways.ts';
import { grantSession, grantToken, requireAdmitted } from './grant-session.ts';
import { demandLocalSignIn, settleLocalSignIn } from './local-sign-in/local-sign-in.ts';
import { proofOfPassword, proofOfTicket, type SignInProof } from './sign-in-proof.ts';
import { findOfferById, findOfferOfBrowser, giveOffer, type CarriedOffer } from './sso/sso-tickets.ts';
import { failTicket, findTicket, openTicket, spendTicket, type OpenTicket, type TicketDetails } from './tickets.ts';

interface Sent extends Credentials {
  /** Of the second factor. */
  readonly code?: string | undefined;
  readonly remember?: boolean | undefined;
  readonly token_is_required?: boolean | undefined;
  readonly token_name?: string | undefined;
  readonly link_ticket?: string | undefined;
}

const DEFAULT_TOKEN_NAME = 'api';
const SIGNED_IN = 'Login successful';

/**
 * By cookie or token. Unknown e-mail, wrong password and disabled account are indistinguishable by status, body
 * and time.
 * @throws AppError `ticket_invalid` for an unknown `link_ticket`; `invalid_credentials`, `too_many_requests`; with the
 * right password `local_sign_in_off`, `second_factor_required`, `second_factor_invalid`
 */
export async function signIn(deps: Deps, context: RequestContext, sent: Sent): Promise<SignedIn> {
  // Before the password: a refusal after it would tell that it was right, without an audit row.
  const offer = await findOfferOfBrowser(deps, context, sent.link_ticket);
  const account = await judged(deps, context, sent);
  await demandLocalSignIn(deps, account.user);
  const hasWeakPassword = await isWeak(deps, account, sent);
  const tokenName = sent.token_is_required === true ? (sent.token_name ?? DEFAULT_TOKEN_NAME) : null;
  const details = { hasWeakPassword, tokenName, ...(offer === null ? {} : { offerId: offer.ticketId }) };
  const factor = await factorOf(deps, context, account, sent, details);
  return enter(deps, context, {
    user: account.user,
    proof: proofOfPassword(account, factor, { now: deps.clock.now(), hasWeakPassword }),
    factor,
    tokenName,
    remember: sent.remember === true,
    isKnownDevice: account.isKnownDevice,
    offer,
    begin: (tx) => account.settle(tx),
  });
}

interface SecondStep {
  readonly ticket: string;
  readonly method: ProofMethod;
  readonly code?: string | undefined;
  readonly assertion?: Assertion | undefined;
  readonly options_token?: string | undefined;
  readonly remember?: boolean | undefined;
}

/** @throws AppError `validation`, `ticket_invalid`, `second_factor_invalid`, `too_many_requests` */
export async function signInWithFactor(deps: Deps, context: RequestContext, sent: SecondStep): Promise<SignedIn> {
  const { method, code, assertion, options_token = '' } = sent;
  if (method !== 'passkey' && code === undefined) throw refuse('code', SERVER_TEXTS.codeMissing);
  if (method === 'passkey' && assertion === undefined) throw refuse('assertion', SERVER_TEXTS.passkeyNotAccepted);
  const ticket = await findTicket(deps, context, sent.ticket);
  const factor =
    method === 'passkey'
      ? await judgeTouch(deps, context, ticket, assertion === undefined ? null : { assertion, options_token })
      : await judgeCode(deps, context, ticket.user, { method, code: code ?? '' });
  if (factor === null) {
    await failTicket(deps, ticket);
    throw new AppError('second_factor_invalid', { message: REFUSALS[method] });
  }
  const { offerId } = ticket.details;
  return enter(deps, context, {
    user: ticket.user,
    proof: proofOfTicket(ticket, factor, deps.clock.now()),
    factor,
    tokenName: ticket.details.tokenName,
    remember: sent.remember === true,
    isKnownDevice: isKnownDevice(deps, context, ticket.user),
    offer: offerId === undefined ? null : await findOfferById(deps, offerId),
    begin: (tx) => spendTicket(tx, ticket),
  });
}

const REFUSALS: Readonly<Record<ProofMethod, string>> = {
  totp: SERVER_TEXTS.codeWrong,
  passkey: SERVER_TEXTS.passkeyNotAccepted,
  recovery: SERVER_TEXTS.recoveryCodeWrong,
};

/** Null also for a token login, which has no cookie that the challenge could be bound to. */
const judgeTouch = (
  deps: Deps,
  context: RequestContext,
  { user, ticketId, details }: OpenTicket,
  sent: SentAssertion | null,
): Promise<ProvenFactor | null> =>
  sent === null || details.tokenName !== null
    ? Promise.resolve(null)
    : judgeSecurityKey(deps, context, user, sent, `factor:${ticketId}`);

/** Writes nothing. @throws AppError `ticket_invalid`; `not_found` where no security key can be used */
export async function factorOptionsOf(
  context: RequestContext,
  ticket: string,
): Promise<AnswerOf<typeof factorOptions>> {
  const { user, ticketId, details } = await findTicket(context.deps, context, ticket);
  if (details.tokenName !== null) throw new AppError('not_found');
  return askForSecurityKey(context, user.user_id, `factor:${ticketId}`);
}

/** Null for an account without a second factor. Asks for it with a ticket if it was not sent. */
async function factorOf(
  deps: Deps,
  context: RequestContext,
  account: JudgedAccount,
  { code }: Sent,
  details: TicketDetails,
): Promise<ProvenFactor | null> {
  const { user } = account;
  if (user.factor_state === 'none') return null;
  const remembered = details.tokenName === null ? await rememberedFactor(deps, context, user) : null;
  if (remembered !== null) return remembered;
  const settle = (tx: Transact) => account.settle(tx);
  if (code === undefined) throw await askForFactor(deps, context, { user, method: 'password', details, settle });
  const factor = await judgeCode(deps, context, user, { code });
  if (factor === null) throw new AppError('second_factor_invalid');
  return factor;
}

interface Asking {
  readonly user: UserRow;
  readonly method: SignInMethod;
  readonly details: TicketDetails;
  readonly settle: (tx: Transact) => Promise<void>;
}

/** Returns the refusal with the ticket of the second step. */
export async function askForFactor(
  deps: Deps,
  context: RequestContext,
  { user, method, details, settle }: Asking,
): Promise<AppError> {
  const isOwnPage = details.tokenName === null && context.header('origin') === deps.config.publicUrl;
  const { methods, passkeys, recoveryCodesLeft } = await waysOf(deps, user, { isOwnPage });
  const ticket = await deps.db.transactBeside(async (tx) => {
    await settle(tx);
    const actor = { userId: user.user_id, email: user.email };
    await recordEvent(tx, deps, { event_type: 'second_factor_asked', actor, origin: context.origin });
    return openTicket(tx, deps, context, { user, method, details });
  });
  const canRemember = method === 'password' && details.tokenName === null && user.factor_state === 'set';
  const days = canRemember ? await rememberDays(deps, user) : 0;
  const remembering = { can_remember: days > 0, remember_days: days };
  return new AppError('second_factor_required', {
    details: { ...ticket, methods, passkeys, recovery_codes_left: recoveryCodesLeft, ...remembering },
  });
}

export interface Entering {
  readonly user: UserRow;
  readonly proof: SignInProof;
  readonly factor: ProvenFactor | null;
  /** Null for a session. */
  readonly tokenName: string | null;
  readonly remember: boolean;
  readonly isKnownDevice: boolean;
  /** What the person may link now. */
  readonly offer: CarriedOffer | null;
  readonly begin: (tx: Transact) => Promise<void>;
}

/** The end of every sign-in, in one transaction. A token leaves an existing session, and sets no cookie. */
export async function enter(deps: Deps, context: RequestContext, entering: Entering): Promise<SignedIn> {
  const { user, proof, factor, tokenName, offer, isKnownDevice: isKnown } = entering;
  const days = await daysToRemember(deps, entering);
  const begin = async (tx: Transact) => {
    // First, so that a guess over the limit is refused as such.
    await factor?.spend(tx);
    await entering.begin(tx);
    if (proof.method === 'password' || proof.method === 'passkey') await settleLocalSignIn(tx, deps, context, user);
    const details = detailsOf(proof);
    const actor = { userId: user.user_id, email: user.email };
    await recordEvent(tx, deps, { event_type: 'login', actor, origin: context.origin, details });
  };
  if (tokenName !== null) {
    const token = await deps.db.transact(async (tx) => {
      await begin(tx);
      const { isRenewal, ...granted } = await grantToken(tx, deps, context, proof, { name: tokenName });
      // Programs have no device cookie, so a new token name counts as a new device.
      if (!isRenewal) await tellOfDevice(tx, deps, context, proof, user);
      return granted;
    });
    return { ...(await answerOf(deps, user)), ...token };
  }
  const handOuts = await deps.db.transactBeside(async (tx) => {
    await begin(tx);
    if (!isKnown) await tellOfDevice(tx, deps, context, proof, user);
    const remembered = days === 0 ? [] : [await rememberBrowser(tx, deps, context, user, days)];
    if (offer !== null) await giveOffer(tx, offer.ticketId, user);
    return [await grantSession(tx, deps, context, proof), ...remembered];
  });
  for (const handOut of handOuts) handOut();
  factor?.handOut();
  const answer = await answerOf(deps, user);
  if (offer === null) return answer;
  const { email, providerId } = offer;
  const name = deps.providers.get(providerId)?.name ?? providerId;
  return { ...answer, link: { email, provider_id: providerId, name } };
}

const detailsOf = ({ method, factor, provider }: SignInProof) => ({
  method,
  ...(factor === '' ? {} : { factor }),
  ...(provider === null ? {} : { provider: provider.id }),
});

/** Pages say when few recovery codes are left. */
async function answerOf({ db, clock }: Deps, user: UserRow): Promise<SignedIn> {
  const answer = { message: SIGNED_IN, user: asUser(user) };
  if (user.factor_state !== 'set') return answer;
  return { ...answer, recovery_codes_left: await countRecoveryCodes(db.read, user.user_id, clock.now()) };
}

/** 0 also after a recovery code: a person who lost the factor should set up a new one. */
async function daysToRemember(deps: Deps, { user, proof, factor, tokenName, remember }: Entering): Promise<number> {
  const isAsked = remember && tokenName === null && proof.method === 'password';
  const isProven = factor?.kind === 'totp' || factor?.kind === 'passkey';
  return isAsked && isProven ? rememberDays(deps, user) : 0;
}

async function judged(deps: Deps, context: RequestContext, credentials: Credentials): Promise<JudgedAccount> {
  // This limit is the same for all accounts, so it may come before the password check.
  await requireAdmitted(deps.db.read, context, { is_admin: 0 });
  const found = await findUserByEmail(deps.db, identityKey(credentials.email));
  const account = await judgePassword(deps, context, found, credentials, { isSignIn: true });
  if (account === null) throw new AppError('invalid_credentials');
  await admitOwner(deps, context, account.user);
  return account;
}

/**
 * Whether this account may sign in from here now. Call it after a right proof only, so that only the owner learns that
 * this is a site admin. @throws AppError `forbidden` for the address; `insufficient_storage`
 */
export async function admitOwner(deps: Deps, context: RequestContext, user: UserRow): Promise<void> {
  if (user.is_admin === 0 && (await deps.space.isLow())) await deps.space.ease('member');
  await requireAdmitted(deps.db.read, context, user).catch(async (refusal: unknown) => {
    const { user_id: userId, email } = user;
    const details = { reason: 'address' };
    await deps.db.transactBeside((tx) =>
      recordEvent(tx, deps, { event_type: 'login_failed', actor: { userId, email }, origin: context.origin, details }),
    );
    throw refusal;
  });
}

/** A weak password does not block the sign-in. Returns false if the estimator is overloaded. */
const isWeak = (deps: Deps, { user }: JudgedAccount, { password }: Credentials): Promise<boolean> =>
  passwordWeakness(deps, password, [user.name, user.email]).then(
    (weakness) => weakness !== null,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'unavailable') return false;
      throw error;
    },
  );

const tellOfDevice = (
  tx: Transact,
  deps: Deps,
  { origin }: RequestContext,
  proof: SignInProof,
  user: UserRow,
): Promise<void> => giveNotice(tx, deps, 'new device', { to: user, origin, how: howOf(deps, proof) });

const METHODS: Readonly<Record<SignInMethod, string>> = {
  password: 'account password',
  passkey: 'passkey',
  sso: 'single sign-on',
  'sign-up': 'a new account',
  invite: 'an invitation',
};
const FACTORS: Readonly<Record<SessionFactor, string>> = {
  totp: 'authenticator app',
  passkey: 'security key',
  recovery: 'recovery code',
  remembered: 'remembered browser',
  sso: 'second factor there',
};

/** 'account password and recovery code', 'Acme', 'passkey' */
function howOf({ providers }: Deps, { method, factor, provider }: SignInProof): string {
  const first = provider === null ? METHODS[method] : (providers.get(provider.id)?.name ?? provider.id);
  // A passkey that signs in is its own second factor.
  return factor === '' || method === 'passkey' ? first : `${first} and ${FACTORS[factor]}`;
}
