/** docs/spec/decisions.md I16 */
import { CHECKUP_POINTS } from '@passwordbroker/core/contract/site/checkup';
import type {
  Checkup,
  CheckupPointName,
  CheckupReason,
  keepPoint as keepEndpoint,
  testMail as testMailEndpoint,
} from '@passwordbroker/core/contract/site/checkup';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { recordEvent } from '../audit/audit-log.ts';
import { backupStatus } from '../backups/backup-status.ts';
import type { Config } from '../app/config.ts';
import type { Actor, Deps, Origin, RequestContext, Operator } from '../http/context.ts';
import { testMailWords } from '../mail/texts.ts';
import {
  readMemory,
  readSiteLimits,
  readSiteSettings,
  readSiteSignIn,
  writeSetting,
} from '../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

const LOG_MONTHS = 12;

/** True: good. False: open, without a separate reason. */
type Finding = boolean | CheckupReason;

/** @param header may reveal a proxy; null for the command line */
export async function siteCheckup(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  header: RequestContext['header'] | null,
): Promise<Checkup> {
  const kept = keptIn(await readMemory(deps.db.read, 'checkup_kept'));
  const findings = await judge(deps, header);
  const points = CHECKUP_POINTS.map((point) => {
    const finding = findings[point];
    if (finding === true) return { point, state: 'good' as const, reason: null };
    const state = kept.includes(point) ? ('kept' as const) : ('open' as const);
    return { point, state, reason: finding === false ? null : finding };
  });
  return { open: points.filter(({ state }) => state === 'open').length, points };
}

async function judge(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  header: RequestContext['header'] | null,
): Promise<Readonly<Record<CheckupPointName, Finding>>> {
  const settings = await readSiteSettings(deps);
  const limits = await readSiteLimits(deps);
  const signIn = await readSiteSignIn(deps);
  const backups = await backupStatus(deps);
  return {
    strict_passwords: settings.password_policy === 'strict',
    server_crypto: settings.server_crypto === 'off',
    second_factor: signIn.second_factor === 'all',
    recovery_kit: settings.recovery_kit === 'required',
    https: judgeHttps(deps.config, header),
    mail: await judgeMail(deps),
    backup_schedule: !backups.enabled ? 'backups_off' : backups.overdue ? 'backups_overdue' : true,
    backup_password: backups.archive_password_set,
    backup_copy:
      backups.second_target === null ? 'no_second_target' : backups.second_target.overdue ? 'copies_overdue' : true,
    person_quota: limits.person_quota_mib > 0,
    log_kept: settings.log_months === 0 || settings.log_months >= LOG_MONTHS,
  };
}

function judgeHttps({ publicUrl, hasUnnamedProxy }: Config, header: RequestContext['header'] | null): Finding {
  if (!publicUrl.startsWith('https:')) return 'plain_http';
  if (hasUnnamedProxy) return 'proxy_unnamed';
  return header !== null && header('x-forwarded-for') === null ? 'proxy_unseen' : true;
}

async function judgeMail({ db, config }: Pick<Deps, 'db' | 'config'>): Promise<Finding> {
  const server = mailServerOf(config);
  if (server === null) return 'no_mail_server';
  return (await readMemory(db.read, 'mail_tested')) === server ? true : 'mail_untried';
}

/** Without the password; a change requires a new test mail. */
function mailServerOf({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): string | null {
  if (smtpUrl === null) return null;
  const { protocol, host, username } = new URL(smtpUrl);
  return [`${protocol}//${host}`, username, mailFrom ?? ''].join(' ');
}

/** Ignores names of other versions. */
const keptIn = (memory: string): readonly CheckupPointName[] => {
  const names = memory.split(',');
  return CHECKUP_POINTS.filter((point) => names.includes(point));
};

export async function keepPoint(
  deps: Pick<Deps, 'db' | 'clock' | 'newId'>,
  { actor, origin }: Operator,
  { point, kept }: BodyOf<typeof keepEndpoint>,
): Promise<void> {
  await deps.db.transact(async (tx) => {
    const before = keptIn(await readMemory(tx, 'checkup_kept'));
    if (before.includes(point) === kept) return;
    const after = CHECKUP_POINTS.filter((each) => (each === point ? kept : before.includes(each)));
    await writeSetting(tx, 'checkup_kept', after.join(','), deps.clock.now());
    const details = { [kept ? 'checkup_kept' : 'checkup_reopened']: point };
    await recordEvent(tx, deps, { event_type: 'settings_changed', actor, origin, target_type: 'site', details });
  });
}

const PROBLEM_LENGTH = 300;

export async function sendTestMail(
  deps: Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'mailer'>,
  { actor, origin }: { readonly actor: Actor; readonly origin: Origin },
): Promise<AnswerOf<typeof testMailEndpoint>> {
  const { config, clock, mailer } = deps;
  const server = mailServerOf(config);
  if (mailer === null || server === null) {
    return { sent: false, to: actor.email, problem: SERVER_TEXTS.noMailServer };
  }
  const at = new Date(clock.now()).toISOString();
  const words = testMailWords({ name: actor.name, site: config.publicUrl, at });
  const problem = await mailer.send({ to: actor.email, ...words }).then(() => null, reasonOf);
  await deps.db.transact(async (tx) => {
    // A failed test reopens the point.
    await writeSetting(tx, 'mail_tested', problem === null ? server : '', clock.now());
    const details = { sent: problem === null };
    await recordEvent(tx, deps, { event_type: 'mail_tested', actor, origin, target_type: 'site', details });
  });
  return { sent: problem === null, to: actor.email, problem };
}

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\p{Cc}+/gu, ' ').slice(0, PROBLEM_LENGTH);
