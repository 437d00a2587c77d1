/** The archive password itself is never stored (docs/spec/threats.md §3.1.34). */
import type { BackupSettings, changeSettings as endpoint } from '@passwordbroker/core/contract/site/backups';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { recordEvent } from '../audit/audit-log.ts';
import type { Deps, Operator } from '../http/context.ts';
import { findFirstSignUp } from '../users/user-repository.ts';
import { queueDueSlotIn } from './run/queue.ts';
import { hoursOf, readSettings, writeSettings, type SettingsRow } from './backup-repository.ts';

type NewSettings = BodyOf<typeof endpoint>;

export async function backupSettings(deps: Pick<Deps, 'db' | 'timeZone' | 'mailer'>): Promise<BackupSettings> {
  const row = await readSettings(deps.db.read);
  const changedAt = row.updated_at === 0 ? await findFirstSignUp(deps.db) : row.updated_at;
  return {
    schedule: hoursOf(row),
    enable: row.enabled === 1,
    email_enable: row.email_enabled === 1,
    email: row.email,
    email_possible: deps.mailer !== null,
    archive_password: null,
    archive_password_set: row.recipient !== null,
    timezone: deps.timeZone,
    keep: row.keep,
    keep_days: row.keep_days,
    updated_at: new Date(changedAt).toISOString(),
  };
}

export async function changeBackupSettings(deps: Deps, { actor, origin }: Operator, sent: NewSettings): Promise<void> {
  const schedule = [...new Set(sent.schedule)].sort((one, other) => one - other);
  const key = await keyFor(deps, sent.archive_password);
  await deps.db.transact(async (tx) => {
    const present = await readSettings(tx);
    await queueDueSlotIn(tx, deps, present);
    const row: SettingsRow = {
      ...present,
      ...key,
      schedule: JSON.stringify(schedule),
      enabled: sent.enable ? 1 : 0,
      email_enabled: sent.email_enable ? 1 : 0,
      email: emailOf(sent),
      keep: sent.keep ?? present.keep,
      keep_days: sent.keep_days ?? present.keep_days,
      enabled_at: enabledSince(sent, present, deps.clock.now()),
      updated_at: deps.clock.now(),
    };
    await writeSettings(tx, row);
    const details = {
      schedule: schedule.join(','),
      enable: sent.enable,
      email_enable: sent.email_enable,
      keep: row.keep,
      keep_days: row.keep_days,
      archive_password: passwordStory(sent.archive_password),
    };
    await recordEvent(tx, deps, { event_type: 'settings_changed', actor, origin, target_type: 'backup', details });
  });
}

const emailOf = ({ email }: NewSettings) => ((email ?? '') === '' ? null : (email ?? null));

const enabledSince = ({ enable }: NewSettings, present: SettingsRow, now: number): number | null => {
  if (!enable) return null;
  return present.enabled === 1 ? (present.enabled_at ?? present.updated_at) : now;
};

const passwordStory = (password: string | undefined) =>
  password === undefined ? 'unchanged' : password === '' ? 'removed' : 'set';

async function keyFor(
  { archiveKeys, archiveWorkFactor }: Pick<Deps, 'archiveKeys' | 'archiveWorkFactor'>,
  password: string | undefined,
): Promise<Partial<Pick<SettingsRow, 'recipient' | 'sealed_identity'>>> {
  if (password === undefined) return {};
  if (password === '') return { recipient: null, sealed_identity: null };
  // Lazy: most processes never need the age library.
  const { makeArchiveKey } = await import('./archive/age.ts');
  const { recipient, sealedIdentity } = await archiveKeys.run(() => makeArchiveKey(password, archiveWorkFactor));
  return { recipient, sealed_identity: sealedIdentity };
}
