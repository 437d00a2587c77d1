import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { isLoopbackHost } from '../platform/networks.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { hasUsers } from './user-repository.ts';

/** Health probes may use any host name. */
const PROBES = new Set(['/health', '/ready']);
const HOST = /^(\[[^\]]+\]|[^:]+)(:\d{1,5})?$/;

/**
 * The check throws `forbidden` for a foreign `Host` before the first sign-up, against DNS rebinding (T154).
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
