/** The answer of an identity provider: what it means, and who may sign in by it. */
import type { callback } from '@passwordbroker/core/contract/account/sso';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import type { Transact } from '../../db/database.ts';
import type { Actor, Deps } from '../../http/context.ts';
import { addressCounter, countJudged, refuseTooMany } from '../../platform/passwords/attempts.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { findUser, identityKey, isEmailTaken, type UserRow } from '../../users/user-repository.ts';
import { isKnownDevice } from '../account-password.ts';
import { requireAdmitted } from '../grant-session.ts';
import { admitOwner, askForFactor, enter } from '../sign-in.ts';
import { proofOfIdentity } from '../sign-in-proof.ts';
import { isFresh } from '../../http/auth/authorise.ts';
import { refuseSso, type Answered, type Returning } from './answered.ts';
import { redirectUri } from './begin.ts';
import { askedAgain, confirmOwnSession, demandBrowserSession } from './confirm.ts';
import { judgedIdentity, type JudgedIdentity } from './judged-identity.ts';
import { findLink, touchLink, type LinkRow } from './link-repository.ts';
import { addInvitedAccount, addSsoAccount, type Linked } from './new-account.ts';
import type { Claims } from './provider/provider-connection.ts';
import { enabledProvider, reaching, type EnabledProvider } from './providers.ts';
import { SsoFailure } from './provider/sso-failure.ts';
import { endOfState, readState, takeOnce, type SignInState } from './sign-in-state.ts';
import { findInviteTaken, openSsoTicket } from './sso-tickets.ts';

type Answer = AnswerOf<typeof callback>;

/** @throws AppError `sso_failed`, `sso_refused`, `sso_not_linked`, `second_factor_required`, `provider_unavailable` */
export async function finishSso(context: Returning): Promise<Answer> {
  const { deps, body, actor } = context;
  if (Buffer.byteLength(body.query) > LIMITS.ssoQuery) throw new AppError('payload_too_large');
  const counter = addressCounter(context.origin);
  await refuseTooMany(deps, counter);
  await requireAdmitted(deps.db.read, context, { is_admin: 0 });
  const { state, provider } = await ownState(context);
  const claims = await claimsOf(context, provider, state);
  const answered = { provider, claims };
  if (state.purpose === 'link') return offerLink(context, answered, actor);
  await demandGroup(context, answered);
  const link = await findLink(deps.db.read, claims);
  if (state.purpose === 'confirm') return confirmAt(context, answered, { state, link });
  if (link !== undefined) return signInLinked(context, answered, link);
  if (state.purpose === 'invite') {
    const { inviteId } = await findInviteTaken(deps, context, state.random);
    return enterAs(context, answered, await addInvitedAccount(context, answered, inviteId));
  }
  return enterAs(context, answered, await accountFor(context, answered));
}

/** Counts as a failed sign-in; the reason is in the log alone. */
async function fail(
  context: Returning,
  reason: string,
  provider: EnabledProvider | null,
  told?: string,
): Promise<AppError> {
  const { deps, requestId } = context;
  deps.log.warn({ provider: provider?.id ?? null, reason, request_id: requestId }, 'A single sign-on did not succeed');
  await countJudged(deps, [addressCounter(context.origin)]);
  const general = provider === null ? SERVER_TEXTS.ssoFailedSomewhere : SERVER_TEXTS.ssoFailed(provider.name);
  return new AppError('sso_failed', { message: told ?? general });
}

/** Takes the state of this browser, so that it works once. */
async function ownState(context: Returning): Promise<{ state: SignInState; provider: EnabledProvider }> {
  const { deps, body } = context;
  const [sent, ...others] = new URLSearchParams(body.query).getAll('state');
  const state = sent === undefined || others.length > 0 ? null : readState(deps, context, sent);
  if (state === null) throw await fail(context, 'state', null);
  const provider = await enabledProvider(deps, state.providerId);
  const isFirst = await deps.db.transactBeside((tx) => takeOnce(tx, `state:${state.state}`, endOfState(state)));
  if (!isFirst) throw await fail(context, 'state_used', provider);
  return { state, provider };
}

async function claimsOf(context: Returning, provider: EnabledProvider, state: SignInState): Promise<Claims> {
  const { deps, body } = context;
  const error = new URLSearchParams(body.query).get('error');
  if (error === 'access_denied') throw await fail(context, error, provider, SERVER_TEXTS.ssoDenied(provider.name));
  if (error !== null) throw await fail(context, /^\w{1,40}$/.test(error) ? error : 'error', provider);
  const returned = {
    ...state,
    redirectUri: redirectUri(deps),
    query: body.query,
    groupsClaim: provider.settings.groups_claim,
  };
  try {
    return await reaching(deps, provider, () => provider.connection.finish(returned));
  } catch (failure) {
    if (failure instanceof SsoFailure) throw await fail(context, failure.reason, provider);
    throw failure;
  }
}

/** A person links the account that is signed in here: only after having seen both names. */
async function offerLink(context: Returning, { provider, claims }: Answered, actor: Actor | null): Promise<Answer> {
  const { deps } = context;
  if (actor === null) throw new AppError('unauthenticated');
  const link = await findLink(deps.db.read, claims);
  if (link !== undefined && link.user_id !== actor.userId) {
    throw new AppError('conflict', { message: SERVER_TEXTS.ssoTaken });
  }
  const { issuer, subject, email } = claims;
  const details = { providerId: provider.id, issuer, subject, email };
  const ticket = await deps.db.transact((tx) =>
    openSsoTicket(tx, deps, context, { purpose: 'link', details, owner: actor }),
  );
  return { ticket, email, provider_id: provider.id, name: provider.name };
}

async function demandGroup(context: Returning, answered: Answered): Promise<void> {
  const { allowed_groups } = answered.provider.settings;
  const { groups } = answered.claims;
  if (allowed_groups.length === 0 || groups?.some((group) => allowed_groups.includes(group)) === true) return;
  const refusal =
    groups === null
      ? { reason: 'no_groups', message: SERVER_TEXTS.ssoNoGroups }
      : { reason: 'group', message: SERVER_TEXTS.ssoGroup };
  throw await refuseSso(context, answered, 'sso_refused', refusal);
}

async function signInLinked(context: Returning, answered: Answered, link: LinkRow): Promise<Answer> {
  const { deps } = context;
  const user = await findUser(deps.db, link.user_id);
  if (user === undefined) throw await fail(context, 'no_account', answered.provider);
  if (user.disabled_at !== null) {
    const refusal = { reason: 'disabled', message: SERVER_TEXTS.accountDisabled };
    throw await refuseSso(context, answered, 'account_disabled', refusal);
  }
  await admitOwner(deps, context, user);
  return enterAs(context, answered, { user, linkId: link.link_id });
}

interface Confirming {
  readonly state: SignInState;
  readonly link: LinkRow | undefined;
}

/** The person who is signed in here signs in again there, and gives the second factor again. */
async function confirmAt(context: Returning, answered: Answered, { state, link }: Confirming): Promise<Answer> {
  const { deps } = context;
  const { provider, claims } = answered;
  const actor = demandBrowserSession(context.actor);
  const user = await findUser(deps.db, actor.userId);
  if (user === undefined || link?.user_id !== user.user_id) {
    throw await fail(context, 'other_person', provider, SERVER_TEXTS.ssoOtherPerson(provider.name));
  }
  const now = deps.clock.now();
  if (!askedAgain(claims.authTime, state, now)) {
    throw await fail(context, 'auth_time', provider, SERVER_TEXTS.ssoNotAgain(provider.name));
  }
  const identity = judge(answered, user, now);
  const settle = settling(deps, { provider, linkId: link.link_id }, now);
  if (!needsFactor(identity)) return confirmOwnSession(deps, actor, settle);
  const details = { hasWeakPassword: false, tokenName: null, provider: { ...identity.provider, isFresh: true } };
  throw await askForFactor(deps, context, { user, method: 'sso', details, settle });
}

/** An account that has the address is never found by it: its owner signs in to it once more. */
async function accountFor(context: Returning, answered: Answered): Promise<Linked> {
  const { deps } = context;
  const { provider, claims } = answered;
  const { email, issuer, subject } = claims;
  if (email === null) {
    const refusal = { reason: 'no_email', message: SERVER_TEXTS.ssoNoEmail(provider.name) };
    throw await refuseSso(context, answered, 'sso_not_provisioned', refusal);
  }
  if (!(await isEmailTaken(deps.db, identityKey(email)))) return addSsoAccount(context, answered, email);
  const details = { providerId: provider.id, issuer, subject, email };
  const ticket = await deps.db.transactBeside((tx) =>
    openSsoTicket(tx, deps, context, { purpose: 'link', details, owner: null }),
  );
  const told = { ticket, can_create: false, email_taken: true };
  throw new AppError('sso_not_linked', { message: SERVER_TEXTS.ssoNotLinked, details: told });
}

/** With the second factor of an account that has one, unless the provider's counts. */
async function enterAs(
  context: Returning,
  answered: Answered,
  { user, linkId, isNew = false }: Linked,
): Promise<Answer> {
  const { deps } = context;
  const now = deps.clock.now();
  const identity = judge(answered, user, now);
  const details = { hasWeakPassword: false, tokenName: null, provider: identity.provider };
  const settle = settling(deps, { provider: answered.provider, linkId }, now);
  if (needsFactor(identity)) throw await askForFactor(deps, context, { user, method: 'sso', details, settle });
  return enter(deps, context, {
    user,
    proof: proofOfIdentity(identity, now),
    factor: null,
    tokenName: null,
    remember: false,
    isKnownDevice: isNew || isKnownDevice(deps, context, user),
    offer: null,
    begin: settle,
  });
}

/** The link may have been removed, or the provider switched off, since the callback began. */
const settling =
  (deps: Deps, { provider, linkId }: { readonly provider: EnabledProvider; readonly linkId: string }, now: number) =>
  async (tx: Transact): Promise<void> => {
    if (!(await touchLink(tx, linkId, now))) throw new AppError('ticket_invalid');
    await enabledProvider({ ...deps, db: { read: tx } }, provider.id);
  };

/** A remembered browser replaces the second factor only after the account password. */
const needsFactor = ({ user, hasProvenFactor }: JudgedIdentity): boolean =>
  user.factor_state !== 'none' && !hasProvenFactor;

function judge({ provider, claims }: Answered, user: UserRow, now: number): JudgedIdentity {
  const { settings } = provider;
  const { acr, amr, authTime, sid } = claims;
  const isAccepted =
    settings.accepted_acr.includes(acr ?? '') || amr.some((one) => settings.accepted_amr.includes(one));
  // Without keys there is nothing to confirm again.
  const isJustNow = user.keyset_version === 0 || (authTime !== null && isFresh(authTime, now));
  return judgedIdentity({
    user,
    provider: { id: provider.id, sid, hours: settings.session_hours, isFresh: isJustNow },
    hasProvenFactor: settings.second_factor === 'provider' && isAccepted,
  });
}
