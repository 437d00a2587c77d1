import type { callback } from '@passwordbroker/core/contract/account/sso';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError } from '@passwordbroker/core/contract/problem';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Context } from '../../http/context.ts';
import type { Claims } from './provider/provider-connection.ts';
import type { EnabledProvider } from './providers.ts';

export type Returning = Context<typeof callback, BodyOf<typeof callback>>;

/** What a provider has said, verified. */
export interface Answered {
  readonly provider: EnabledProvider;
  readonly claims: Claims;
}

/** With the reason in the audit log, never a claim. */
export async function refuseSso(
  context: Returning,
  { provider }: Pick<Answered, 'provider'>,
  code: 'sso_refused' | 'sso_not_provisioned' | 'account_disabled',
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<AppError> {
  const { deps, origin } = context;
  const details = { provider: provider.id, reason };
  await deps.db.transactBeside((tx) =>
    recordEvent(tx, deps, { event_type: 'sso_refused', actor: null, origin, details }),
  );
  return new AppError(code, { message });
}
