/** A provider ends sessions here when they end there. */
import type { backChannelLogout } from '@passwordbroker/core/contract/account/sso';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import type { Context } from '../../http/context.ts';
import { networkOf } from '../../platform/networks.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from '../../platform/passwords/attempts.ts';
import { deleteSessionsEndedThere, findLink } from './link-repository.ts';
import type { EndedThere } from './provider/logout-token.ts';
import { enabledProvider, reaching, type EnabledProvider } from './providers.ts';
import { takeOnce } from './sign-in-state.ts';
import { SsoFailure } from './provider/sso-failure.ts';

type Ending = Context<typeof backChannelLogout, BodyOf<typeof backChannelLogout>>;

/** Longer than a token is valid. */
const KEPT_MS = 3_600_000;

/**
 * Answers the same whether there are such sessions or not.
 * @throws AppError `not_found` where the provider may not; `bad_request`; `too_many_requests`; `provider_unavailable`
 */
export async function endSessionsForProvider(context: Ending): Promise<AnswerOf<typeof backChannelLogout>> {
  const { deps, origin, params } = context;
  const provider = await enabledProvider(deps, params.providerId);
  if (!provider.settings.back_channel_logout) throw new AppError('not_found');
  const key = `sso-logout:${networkOf(origin.address)}`;
  await countAttempt(deps, key, ATTEMPT_LIMITS.logoutToken);
  const ended = await readToken(context, provider);
  await deps.db.transact(async (tx) => {
    const isFirst = await takeOnce(tx, `logout:${provider.id}:${ended.jti}`, deps.clock.now() + KEPT_MS);
    if (!isFirst) throw refused(context, provider, 'jti_used');
    await endSessions(tx, context, provider, ended);
  });
  await uncountAttempt(deps, key);
  return { message: 'Logged Out' };
}

async function readToken(context: Ending, provider: EnabledProvider): Promise<EndedThere> {
  const { deps, body } = context;
  const { logout_token: token = '' } = body;
  if (token === '' || token.length > LIMITS.logoutToken) throw refused(context, provider, 'size');
  try {
    return await reaching(deps, provider, () => provider.connection.readLogout(token));
  } catch (error) {
    if (error instanceof SsoFailure) throw refused(context, provider, error.reason);
    throw error;
  }
}

function refused({ deps, requestId }: Ending, { id }: EnabledProvider, reason: string): AppError {
  deps.log.warn({ provider: id, reason, request_id: requestId }, 'A logout token was refused');
  return new AppError('bad_request');
}

async function endSessions(
  tx: Transact,
  { deps, origin }: Ending,
  { id, issuer }: EnabledProvider,
  { sid, subject }: EndedThere,
): Promise<void> {
  const link = subject === null ? undefined : await findLink(tx, { issuer, subject });
  if (subject !== null && link === undefined) return;
  const counts = await deleteSessionsEndedThere(tx, id, { sid, userId: link?.user_id ?? null });
  for (const [target_id, count] of counts) {
    const details = { provider: id, count };
    await recordEvent(tx, deps, {
      event_type: 'session_ended',
      actor: null,
      origin,
      target_type: 'user',
      target_id,
      details,
    });
  }
}
