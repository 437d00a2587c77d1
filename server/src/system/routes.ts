import * as checkup from '@passwordbroker/core/contract/site/checkup';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { openApi } from '@passwordbroker/core/contract/openapi';
import * as site from '@passwordbroker/core/contract/site/site';
import * as system from '@passwordbroker/core/contract/site/system';
import { answer } from '../http/answer/answer.ts';
import { on, type Route } from '../http/route.ts';
import { readSiteSettings, readSiteLimits } from '../platform/site-settings-repository.ts';
import { needsSetupToken } from '../users/setup-token.ts';
import { hasUsers } from '../users/user-repository.ts';
import { VERSION } from '../app/version.ts';
import { keepPoint, sendTestMail, siteCheckup } from './checkup.ts';
import { changeSite, siteLimits, siteNetworks, siteSettings } from './site-settings.ts';
import { mayReadMetrics, printMetrics } from './metrics.ts';
import type { storage } from '@passwordbroker/core/contract/site/system';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { storedByAll } from '../fields/storage-repository.ts';
import type { Deps } from '../http/context.ts';
import { isArgon2Missing } from '../platform/passwords/argon2.ts';

let printed: Record<string, unknown> | null = null;

export const routes: readonly Route[] = [
  on(system.setup, async ({ deps }) => {
    const initialised = await hasUsers(deps.db);
    const setup_token_required = !initialised && needsSetupToken(deps.config);
    // The contract selects the public settings.
    return { initialised, setup_token_required, ...(await readSiteSettings(deps)), version: VERSION };
  }),
  on(site.settings, ({ deps }) => siteSettings(deps)),
  on(site.changeSettings, async (context) => {
    await changeSite(context.deps, context, context.body);
    return siteSettings(context.deps);
  }),
  on(site.limits, ({ deps }) => siteLimits(deps)),
  on(site.changeLimits, async (context) => {
    await changeSite(context.deps, context, context.body);
    return siteLimits(context.deps);
  }),
  on(site.siteNetworks, ({ deps, origin }) => siteNetworks(deps, origin)),
  on(site.changeNetworks, async (context) => {
    await changeSite(context.deps, context, context.body);
    return siteNetworks(context.deps, context.origin);
  }),
  on(system.storage, ({ deps }) => lookAtStorage(deps)),
  on(checkup.checkup, ({ deps, header }) => siteCheckup(deps, header)),
  on(checkup.keepPoint, async (context) => {
    await keepPoint(context.deps, context, context.body);
    return siteCheckup(context.deps, context.header);
  }),
  on(checkup.testMail, (context) => sendTestMail(context.deps, context)),
  // On demand: most processes never need it.
  on(system.openapi, () => (printed ??= openApi(CONTRACT, VERSION))),
  on(system.metrics, ({ deps }) => printMetrics(deps), { permit: mayReadMetrics }),
  on(system.health, () => ({ status: 'ok' as const }), { duringRecovery: true }),
  on(system.ready, async ({ deps, head }) => {
    const checks = await checkReadiness(deps);
    const isReady = Object.values(checks).every((check) => check === 'ok');
    if (!isReady) head.setHeader('retry-after', '5');
    const message = checks.storage === 'ok' ? null : await deps.space.problem().catch(() => null);
    const status = isReady ? ('ready' as const) : ('not_ready' as const);
    return answer(isReady ? 200 : 503, { status, checks, ...(message === null ? {} : { message }) });
  }),
];

const MIB = 1024 * 1024;

async function lookAtStorage({ db, space }: Pick<Deps, 'db' | 'space'>): Promise<AnswerOf<typeof storage>> {
  const [stored, limits, disk, problem] = await Promise.all([
    storedByAll(db.read),
    readSiteLimits({ db }),
    space.look(),
    space.problem(),
  ]);
  return {
    stored_bytes: stored,
    site_quota_bytes: limits.site_quota_mib * MIB,
    person_quota_bytes: limits.person_quota_mib * MIB,
    disk: { total_bytes: disk.total, free_bytes: disk.free, margin_bytes: disk.margin, problem },
  };
}

/** docs/spec/threats.md §5.2.5 */
type Check = 'ok' | 'failed';

async function checkReadiness({ db, space, log }: Deps) {
  const check = async (name: string, work: () => Promise<boolean>): Promise<Check> => {
    try {
      return (await work()) ? 'ok' : 'failed';
    } catch (error) {
      log.error({ event: name, error }, 'a readiness check failed');
      return 'failed';
    }
  };
  return {
    database: await check('database', async () => {
      await db.probe();
      return true;
    }),
    // A database with missing migrations is never opened.
    migrations: 'ok' as const,
    storage: await check('storage', async () => {
      return (await space.problem()) === null;
    }),
    // Loaded late, so that the start does not wait.
    ...(isArgon2Missing() ? { key_derivation: 'failed' as const } : {}),
  };
}
