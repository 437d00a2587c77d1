import * as checkup from '@passwordbroker/core/contract/site/checkup';
import { CONTRACT } from '@passwordbroker/core/contract/index';
import { openApi } from '@passwordbroker/core/contract/openapi';
import * as site from '@passwordbroker/core/contract/site/site';
import * as system from '@passwordbroker/core/contract/site/system';
import { answer, media, type Media } from '../http/answer/answer.ts';
import { on, type Route } from '../http/route.ts';
import { readSiteSettings, readSiteLimits } from '../platform/site-settings-repository.ts';
import { needsSetupToken } from '../users/setup-token.ts';
import { hasUsers } from '../users/user-repository.ts';
import { CONTRACT_VERSION, OLDEST_CONTRACT, VERSION } from '@passwordbroker/core/contract/client';
import { keepPoint, sendTestMail, siteCheckup } from './checkup.ts';
import { changeSite, siteLimits, siteNetworks, siteSettings, siteSignIn } from './site-settings.ts';
import type { storage } from '@passwordbroker/core/contract/site/system';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { storedByAll } from '../fields/storage-repository.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import { isArgon2Missing } from '../platform/passwords/argon2.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { backupStatus } from '../backups/backup-status.ts';
import type { Gauges } from '../platform/metrics.ts';
import { countUnsealed } from '../audit/chain/chain-repository.ts';
import { countWaitingMail } from '../mail/outbox-repository.ts';
import type { Config } from '../app/config.ts';
import { isTrustedProxy } from '../platform/networks.ts';

let printed: Record<string, unknown> | null = null;

export const routes: readonly Route[] = [
  on(system.setup, async ({ deps }) => {
    const initialised = await hasUsers(deps.db);
    const setup_token_required = !initialised && needsSetupToken(deps.config);
    // The contract selects the public settings.
    const versions = { version: VERSION, contract: { current: CONTRACT_VERSION, oldest: OLDEST_CONTRACT } };
    return { initialised, setup_token_required, ...(await readSiteSettings(deps)), ...versions };
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
  on(site.signIn, ({ deps, actor }) => siteSignIn(deps, actor)),
  on(site.changeSignIn, async (context) => {
    await changeSite(context.deps, context, context.body);
    return siteSignIn(context.deps, context.actor);
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

type Check = 'ok' | 'failed';

/** docs/spec/threats.md §5.2.5 */
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

/** For collectors on this machine and site admins (docs/spec/api.md §3.11). @throws AppError `not_found` */
async function mayReadMetrics(context: RequestContext): Promise<void> {
  if (!isLocalCollector(context.deps.config, context) && context.actor?.isAdmin !== true)
    throw new AppError('not_found');
}

async function printMetrics(deps: Deps): Promise<Media> {
  return media(await deps.metrics.print(await gaugesOf(deps)));
}

async function gaugesOf(deps: Deps): Promise<Gauges> {
  const { db } = deps;
  const [unsealed, waiting, backups] = await Promise.all([countUnsealed(db), countWaitingMail(db), backupStatus(deps)]);
  const { last_backup_at, overdue, second_target } = backups;
  return {
    passwordbroker_audit_unsealed_rows: { help: 'Rows of the audit log that wait for their seal.', value: unsealed },
    passwordbroker_mail_waiting: { help: 'Notices that wait to be mailed.', value: waiting },
    passwordbroker_last_backup_timestamp_seconds: {
      help: 'When the newest backup was made; 0 for never.',
      value: secondsOf(last_backup_at),
    },
    passwordbroker_backup_overdue: {
      help: '1 while backups are enabled and none has succeeded for a day.',
      value: overdue ? 1 : 0,
    },
    passwordbroker_last_backup_copy_timestamp_seconds: {
      help: 'When a backup was last copied to the second target; 0 for never, or without one.',
      value: secondsOf(second_target?.last_copy_at ?? null),
    },
    passwordbroker_backup_copy_overdue: {
      help: '1 while a backup has waited for a day to be copied to the second target.',
      value: second_target?.overdue === true ? 1 : 0,
    },
  };
}

const secondsOf = (time: string | null) => (time === null ? 0 : Date.parse(time) / 1000);

const LOOPBACK = /^(127\.|::1$)/;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
const FORWARDED = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/**
 * A proxy on this machine forwards requests of others from the same address. So there must be no forwarding
 * header, and if `PUBLIC_URL` shows a proxy, it must be in `TRUST_PROXY`: only those are known to add one.
 */
export function isLocalCollector(
  config: Pick<Config, 'publicUrl' | 'port' | 'trustProxy'>,
  { origin, header }: Pick<RequestContext, 'origin' | 'header'>,
): boolean {
  const peer = origin.address.replace(/^::ffff:/, '');
  if (!LOOPBACK.test(peer) || !LOOPBACK_HOST.test(header('host') ?? '')) return false;
  if (FORWARDED.some((name) => header(name) !== null)) return false;
  return isReachedDirectly(config) || isTrustedProxy(config.trustProxy, peer);
}

function isReachedDirectly({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): boolean {
  const url = new URL(publicUrl);
  return url.protocol === 'http:' && Number(url.port === '' ? 80 : url.port) === port;
}
