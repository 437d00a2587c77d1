/** What is asked before anybody is signed in, and by those who watch the process (docs/spec/api.md §3.11). */
import * as checkup from '@passwordbroker/core/contract/site/checkup';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { openApi } from '@passwordbroker/core/contract/openapi';
import * as site from '@passwordbroker/core/contract/site/site';
import * as system from '@passwordbroker/core/contract/site/system';
import { answer } from '../http/answer/answer.ts';
import { on } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import { needsSetupToken } from '../users/setup-token.ts';
import { hasUsers } from '../users/user-repository.ts';
import { VERSION } from '../version.ts';
import { keepPoint, sendTestMail, siteCheckup } from './checkup.ts';
import { changeSite, siteLimits, siteNetworks, siteSettings } from './site-settings.ts';
import { mayReadMetrics, printMetrics } from './metrics.ts';
import { checkReadiness } from './readiness.ts';
import { lookAtStorage } from './storage.ts';

let printed: Record<string, unknown> | null = null;

export const routes: readonly Route[] = [
  on(system.setup, async ({ deps }) => {
    const initialised = await hasUsers(deps.db);
    const setup_token_required = !initialised && needsSetupToken(deps.config);
    // The contract names the settings that everybody may see.
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
  // Printed at the first question: most processes are never asked.
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
