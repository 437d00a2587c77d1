/** A server on which nobody has signed up answers only by names of its own: a page of a foreign name that leads here could make itself its first user. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import { isLoopbackHost } from '../platform/networks.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { hasUsers } from './user-repository.ts';

/** What probes ask by whatever name they like; it tells and changes nothing. */
const PROBES = new Set(['/health', '/ready']);
const HOST = /^(\[[^\]]+\]|[^:]+)(:\d{1,5})?$/;

/** Judges the `Host` of each request: throws `forbidden` for a foreign one while there is no user. */
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
