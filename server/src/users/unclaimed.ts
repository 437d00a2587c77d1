/**
 * Before the first sign-up the server answers only to its own host names, against DNS rebinding
 * (T154).
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { isLoopbackHost } from '../platform/networks.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { hasUsers } from './user-repository.ts';

/** Paths for health probes, which may use any host name. */
const PROBES = new Set(['/health', '/ready']);
const HOST = /^(\[[^\]]+\]|[^:]+)(:\d{1,5})?$/;

/**
 * Returns a check of the `Host` header. The check throws `forbidden` for a foreign host while there
 * is no user.
 */
export function guardUnclaimed({ db, config }: Deps): (host: string | undefined, url: string) => Promise<void> {
  let isClaimed = false;
  const { hostname: own } = new URL(config.publicUrl);
  return async (host, url) => {
    if (isClaimed || PROBES.has(url)) return;
    const name = HOST.exec(host ?? '')?.[1]?.toLowerCase() ?? '';
    if (name === own || isLoopbackHost(name)) return;
    isClaimed = await hasUsers(db);
    if (!isClaimed) throw new AppError('forbidden', { message: SERVER_TEXTS.unclaimed(config.publicUrl) });
  };
}
