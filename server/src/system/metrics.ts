import { AppError } from '@passwordbroker/core/contract/problem';
import { backupStatus } from '../backups/backup-status.ts';
import { media, type Media } from '../http/answer/answer.ts';
import type { Deps, RequestContext } from '../http/context.ts';
import type { Gauges } from '../platform/metrics.ts';
import { countUnsealed, countWaitingMail } from './metrics-repository.ts';
import type { Config } from '../app/config.ts';
import { isTrustedProxy } from '../platform/networks.ts';

/** For collectors on this machine and site admins (docs/spec/api.md §3.11). @throws AppError `not_found` */
export async function mayReadMetrics(context: RequestContext): Promise<void> {
  if (!isLocalCollector(context.deps.config, context) && context.actor?.isAdmin !== true)
    throw new AppError('not_found');
}

export async function printMetrics(deps: Deps): Promise<Media> {
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
