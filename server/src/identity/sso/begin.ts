import type { begin } from '@passwordbroker/core/contract/account/sso';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { INVITE_TEXTS } from '@passwordbroker/core/contract/users/invites';
import { demandFreshSignIn } from '../../http/auth/authorise.ts';
import type { Context, Deps } from '../../http/context.ts';
import { findOpenInvite } from '../../invites/invite-repository.ts';
import { hashOfLink } from '../../invites/invites.ts';
import { networkOf } from '../../platform/networks.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from '../../platform/passwords/attempts.ts';
import { findUser } from '../../users/user-repository.ts';
import { demandBrowserSession, providersThatConfirm } from './confirm.ts';
import { enabledProvider, reaching, type EnabledProvider } from './providers.ts';
import { newState } from './sign-in-state.ts';
import { openSsoTicket } from './sso-tickets.ts';

type Beginning = Context<typeof begin, BodyOf<typeof begin>>;

/** Where the provider leads back to; a page of the client. */
export const redirectUri = ({ config }: Pick<Deps, 'config'>): string => `${config.publicUrl}/identity/sso/callback`;

/**
 * The address to go to.
 * @throws AppError `not_found`, `unauthenticated`, `reauth_required`; `provider_unavailable`
 */
export async function beginSso(context: Beginning): Promise<{ url: string }> {
  const { deps, body, params } = context;
  const { purpose } = body;
  const provider = await enabledProvider(deps, params.providerId);
  await demandMayBegin(context, provider);
  const random = purpose === 'invite' ? { random: await takeInvitation(context) } : {};
  const state = newState(deps, context, { providerId: provider.id, purpose, ...random });
  // A program: it has no cookie that the answer could be bound to.
  if (state === null) throw new AppError('forbidden');
  const more = { ...(purpose === 'confirm' ? SIGN_IN_AGAIN : {}), ...factorAsked(provider) };
  const asking = { ...state, redirectUri: redirectUri(deps), more };
  return { url: await reaching(deps, provider, () => provider.connection.authorizationUrl(asking)) };
}

/** The provider asks again although the person is signed in there, and says when it did. */
const SIGN_IN_AGAIN = { prompt: 'login', max_age: '0' };

async function demandMayBegin({ deps, actor, body }: Beginning, provider: EnabledProvider): Promise<void> {
  const { purpose } = body;
  if (purpose !== 'link' && purpose !== 'confirm') return;
  const { userId, confirmedAt } = demandBrowserSession(actor);
  if (purpose === 'link') return demandFreshSignIn(deps, { confirmedAt });
  const user = await findUser(deps.db, userId);
  const ways = user === undefined ? [] : await providersThatConfirm(deps, user);
  if (!ways.some(({ id }) => id === provider.id)) throw new AppError('not_found');
}

const factorAsked = ({ settings }: EnabledProvider): Record<string, string> =>
  settings.second_factor === 'provider' && settings.accepted_acr.length > 0
    ? { acr_values: settings.accepted_acr.join(' ') }
    : {};

/** Returns the secret of a ticket that knows the invitation; the link itself does not leave the site. */
async function takeInvitation(context: Beginning): Promise<string> {
  const { deps, origin, body } = context;
  const key = `invite:${networkOf(origin.address)}`;
  await countAttempt(deps, key, ATTEMPT_LIMITS.inviteToken);
  const row = await findOpenInvite(deps.db, hashOfLink(body.invite_token ?? ''), deps.clock.now());
  if (row === undefined) throw new AppError('not_found', { message: INVITE_TEXTS.invalid });
  await uncountAttempt(deps, key);
  const details = { inviteId: row.invite_id };
  return deps.db.transact((tx) => openSsoTicket(tx, deps, context, { purpose: 'invite', details, owner: null }));
}
