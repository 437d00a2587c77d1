import { AppError } from '@passwordbroker/core/contract/problem';
import type { Config } from '../app/config.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from '../platform/passwords/attempts.ts';
import { isLoopbackHost, networkOf } from '../platform/networks.ts';
import { randomText, sameText, sha256Hex } from '../platform/ids-and-digests.ts';
import { readMemory, writeSetting } from '../platform/site-settings-repository.ts';
import { hasUsers } from './user-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

const TOKEN_BYTES = 16;
const STORED = 'setup_token_sha256';

export const needsSetupToken = ({ host, setupToken }: Pick<Config, 'host' | 'setupToken'>): boolean =>
  setupToken !== null || !isLoopbackHost(host);

/** Returns a new token for printing, or null if none is needed. All instances accept the newest. */
export async function makeSetupToken({ config, db, clock }: Deps): Promise<string | null> {
  if (config.setupToken !== null || !needsSetupToken(config) || (await hasUsers(db))) return null;
  const token = randomText(TOKEN_BYTES);
  await db.transact((tx) => writeSetting(tx, STORED, sha256Hex(token), clock.now()));
  return token;
}

/** @throws AppError `setup_token_invalid` */
export async function demandSetupToken(
  context: RequestContext,
  { setup_token: inBody }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { deps, actor, origin } = context;
  if (!needsSetupToken(deps.config) || actor !== null) return;
  const key = `setup-token:${networkOf(origin.address)}`;
  await countAttempt(deps, key, ATTEMPT_LIMITS.setupToken);
  const given = inBody ?? context.header('x-setup-token');
  if (typeof given !== 'string' || !(await isSetupToken(deps, given))) throw new AppError('setup_token_invalid');
  await uncountAttempt(deps, key);
}

async function isSetupToken({ config, db }: Deps, given: string): Promise<boolean> {
  if (config.setupToken !== null) return sameText(given, config.setupToken);
  const hash = await readMemory(db.read, STORED);
  return hash !== '' && sameText(sha256Hex(given), hash);
}

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
