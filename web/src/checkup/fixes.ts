import * as backups from '@passwordbroker/core/contract/site/backups';
import { type CheckupPoint, testMail } from '@passwordbroker/core/contract/site/checkup';
import { changeLimits, changeSettings } from '@passwordbroker/core/contract/site/site';
import { ADMIN_PATHS } from '../admin/admin-paths.ts';
import { bodyOf, draftOf } from '../backups/use-schedule-form.ts';
import { CHECKUP_TEXTS as TEXTS } from '../texts/admin/checkup.ts';
import { http } from '../page/page.ts';

const QUOTA_MIB = 5 * 1024;
const LOG_MONTHS = 12;
const BACKUP_HOUR = 3;

export interface Press {
  readonly label: string;
  readonly busyLabel?: string;
  /** Null for the default text. */
  readonly run: () => Promise<{ readonly said: string | null }>;
}
export interface PageLink {
  readonly label: string;
  readonly to: string;
}
type Fix = Press | PageLink;

const setting = (label: string, change: () => Promise<unknown>): Press => ({
  label,
  run: async () => {
    await change();
    return { said: null };
  },
});

const BACKUPS: PageLink = { label: TEXTS.links.backups, to: ADMIN_PATHS.backup };
const SETTINGS: PageLink = { label: TEXTS.links.settings, to: ADMIN_PATHS.settings };

const WITHOUT_FACTOR: PageLink = { label: TEXTS.links.withoutFactor, to: ADMIN_PATHS.usersOf('without_factor') };

const PAGES: Readonly<Partial<Record<CheckupPoint['point'], PageLink>>> = {
  strict_passwords: SETTINGS,
  server_crypto: SETTINGS,
  second_factor: SETTINGS,
  recovery_kit: SETTINGS,
  person_quota: SETTINGS,
  log_kept: SETTINGS,
  backup_schedule: BACKUPS,
  backup_password: BACKUPS,
  backup_copy: BACKUPS,
};

/** Null if it depends on the environment of the server. */
export const pageOf = ({ point }: CheckupPoint): PageLink | null => PAGES[point] ?? null;

const FIXES: Readonly<Partial<Record<CheckupPoint['point'] | NonNullable<CheckupPoint['reason']>, Fix>>> = {
  strict_passwords: setting(TEXTS.fixes.strict_passwords, () =>
    http.call(changeSettings, { body: { password_policy: 'strict' } }),
  ),
  server_crypto: setting(TEXTS.fixes.server_crypto, () =>
    http.call(changeSettings, { body: { server_crypto: 'off' } }),
  ),
  recovery_kit: setting(TEXTS.fixes.recovery_kit, () =>
    http.call(changeSettings, { body: { recovery_kit: 'required' } }),
  ),
  person_quota: setting(TEXTS.fixes.person_quota, () =>
    http.call(changeLimits, { body: { person_quota_mib: QUOTA_MIB } }),
  ),
  log_kept: setting(TEXTS.fixes.log_kept, () => http.call(changeSettings, { body: { log_months: LOG_MONTHS } })),
  backups_off: setting(TEXTS.fixes.backups_off, enableBackups),
  backups_overdue: BACKUPS,
  backup_password: BACKUPS,
  copies_overdue: BACKUPS,
  mail_untried: { label: TEXTS.fixes.mail_untried, busyLabel: TEXTS.sending, run: sendTestMail },
};

/** Whom the point is about. Null: everybody, or nobody. */
export const peopleOf = ({ point }: CheckupPoint): PageLink | null =>
  point === 'second_factor' ? WITHOUT_FACTOR : null;

/** Null if the environment of the server has to change. */
export const fixOf = ({ point, reason }: CheckupPoint): Fix | null => FIXES[reason ?? point] ?? null;

/** At 3:00 if no hour is chosen; other settings stay. */
async function enableBackups(): Promise<void> {
  const draft = draftOf(await http.call(backups.settings));
  const schedule = draft.schedule.length > 0 ? draft.schedule : [BACKUP_HOUR];
  await http.call(backups.changeSettings, { body: bodyOf({ ...draft, schedule, enable: true }) });
}

async function sendTestMail(): Promise<{ readonly said: string }> {
  const { sent, to, problem } = await http.call(testMail);
  if (!sent) throw new Error(`${TEXTS.mailFailed} ${problem ?? ''}`.trim());
  return { said: TEXTS.mailSent(to) };
}
