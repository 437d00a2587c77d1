/** docs/spec/api.md §3.11, docs/spec/decisions.md H3–H6. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { pageQuery } from '../entries/entries.ts';
import { pageOf } from '../entities.ts';
import { boolean, integer, list, optional, optionalScalar, text } from '../inputs.ts';
import { isEmail } from '../../domain/sign-up-rules.ts';
import { LIMITS } from '../../domain/limits.ts';

const time = z.string();

export const BACKUP_TEXTS = {
  scheduleEmpty: 'Picking time is required',
  emailBad: 'Please enter a valid email address.',
  fileMissing: 'Please select a backup file',
  fileForeign: 'The file is not a backup of this product.',
  fileDamaged: 'The backup is damaged.',
  fileNewer: 'The backup was made by a newer version.',
  passwordWrong: 'The backup needs a password or the password is wrong.',
  notEncrypted: 'The backup has no password. Leave the password empty.',
  damaged: 'The backup is damaged',
  gone: 'The file of this backup is no longer on the server',
  notEmpty: 'This server already has users, so no backup can be restored here',
  running: 'Another recovery is running. Wait until it has finished.',
  noCopyTarget: 'No second target is set (BACKUP_COPY).',
} as const;

/** Queued, in progress, verified by a restore, failed, removed by retention. */
export const BACKUP_STATES = ['await', 'creating', 'created', 'error', 'deleted'] as const;
export type BackupState = (typeof BACKUP_STATES)[number];

/** A failed copy is retried unless a retry cannot help. */
export const COPY_STATES = ['waiting', 'copying', 'copied', 'failed', 'deleted'] as const;
export type CopyState = (typeof COPY_STATES)[number];

export const BackupCounts = z.object({
  users: z.number(),
  entry_groups: z.number(),
  entries: z.number(),
  fields: z.number(),
  revisions: z.number(),
  files: z.number(),
});
export type BackupCounts = z.output<typeof BackupCounts>;

export const BackupCopy = z.object({
  /** A folder, or the URL prefix of the objects. */
  target: z.string(),
  state: z.enum(COPY_STATES),
  copied_at: z.nullable(time),
  error_message: z.nullable(z.string()),
  next_try_at: z.nullable(time),
});
export type BackupCopy = z.output<typeof BackupCopy>;

/** `password` is always null. */
export const Backup = z.object({
  backup_id: z.string(),
  state: z.enum(BACKUP_STATES),
  file_name: z.string(),
  size: z.nullable(z.number()),
  /** Hex SHA-256 of the verified archive. */
  sha256: z.nullable(z.string()),
  password: z.null(),
  has_password: z.boolean(),
  error_message: z.nullable(z.string()),
  backup_created: z.nullable(time),
  backup_deleted: z.nullable(time),
  /** Last successful test restore. */
  verified_at: z.nullable(time),
  created_at: time,
  updated_at: time,
  counts: z.nullable(BackupCounts),
  /** Percent; null unless the state is `creating`. */
  progress: z.nullable(z.number()),
  copy: z.nullable(BackupCopy),
});
export type Backup = z.output<typeof Backup>;

/** `schedule`: hours 0..23, ascending, in `timezone`. */
export const BackupSettings = z.object({
  schedule: z.array(z.number()),
  enable: z.boolean(),
  email_enable: z.boolean(),
  email: z.nullable(z.string()),
  email_possible: z.boolean(),
  archive_password: z.null(),
  archive_password_set: z.boolean(),
  timezone: z.string(),
  keep: z.number(),
  /** 0: no limit. The newest verified archive always stays. */
  keep_days: z.number(),
  updated_at: time,
});
export type BackupSettings = z.output<typeof BackupSettings>;

export const BackupStatus = z.object({
  enabled: z.boolean(),
  archive_password_set: z.boolean(),
  last_backup_at: z.nullable(time),
  /** A day without a successful backup. */
  overdue: z.boolean(),
  second_target: z.nullable(
    z.object({
      kind: z.enum(['folder', 's3']),
      target: z.string(),
      last_copy_at: z.nullable(time),
      /** A backup has waited a day for its copy, and no newer one was copied. */
      overdue: z.boolean(),
      error_message: z.nullable(z.string()),
    }),
  ),
});
export type BackupStatus = z.output<typeof BackupStatus>;

const SETTINGS = '/system/api/setting/backupSetting/backup';
const BACKUPS = '/system/api/backups';
const ONE = `${BACKUPS}/:id` as const;
const RECOVERY = '/system/api/recovery';

export const settings = endpoint({
  method: 'GET',
  path: SETTINGS,
  summary: 'When backups are made, and for whom; the archive password is never answered',
  access: 'site-reader',
  answer: { status: 200, schema: BackupSettings },
});

const scheduleText = { error: () => BACKUP_TEXTS.scheduleEmpty };
const hours = z.pipe(
  z.transform((value: unknown) => value ?? []),
  list(integer(0, 23), 0, 100).check(z.refine((value) => value.length > 0, scheduleText)),
) as unknown as z.ZodMiniType<number[], readonly (number | string)[]>;

/** Runs even if other members are invalid, so that all errors come together. */
function hasEmailWhereNeeded(body: unknown): boolean {
  const { email, email_enable: isEnabled } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const address = typeof email === 'string' ? email.trim() : '';
  const isNeeded = isEnabled === true || isEnabled === 'true' || isEnabled === '1' || isEnabled === 1;
  return address === '' ? !isNeeded : isEmail(address);
}

export const changeSettings = endpoint({
  method: 'POST',
  path: SETTINGS,
  summary: 'Sets all of them; an archive password that is absent stays, an empty one is removed',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: {
    schema: z
      .object({
        schedule: hours,
        enable: boolean(),
        email_enable: boolean(),
        email: optional(text({ trim: true, allowEmpty: true })),
        archive_password: optional(text({ allowEmpty: true, line: true, max: LIMITS.passwordBytes })),
        keep: optionalScalar(integer(1, LIMITS.backupsKept)),
        keep_days: optionalScalar(integer(0, LIMITS.backupDays)),
      })
      .check(z.refine(hasEmailWhereNeeded, { error: BACKUP_TEXTS.emailBad, path: ['email'], when: () => true })),
  },
  answer: { status: 200, schema: BackupSettings },
});

export const status = endpoint({
  method: 'GET',
  path: '/system/api/backupStatus',
  summary: 'Whether backups and their copies in the second target succeed',
  access: 'site-reader',
  answer: { status: 200, schema: BackupStatus },
});

export const listAll = endpoint({
  method: 'GET',
  path: BACKUPS,
  summary: 'All backups, newest first',
  access: 'site-reader',
  query: z.object(pageQuery),
  answer: { status: 200, schema: pageOf(Backup) },
});

export const create = endpoint({
  method: 'POST',
  path: BACKUPS,
  summary: 'Asks for a backup; it waits for its turn, is made, and is proven by a restore before it is called created',
  access: 'site-admin',
  answer: { status: 201, schema: Backup },
});

export const get = endpoint({
  method: 'GET',
  path: ONE,
  summary: 'One backup',
  access: 'site-reader',
  answer: { status: 200, schema: Backup },
});

export const download = endpoint({
  method: 'GET',
  path: `${ONE}/download`,
  summary: 'The archive of a created backup',
  access: 'site-admin',
  fresh: true,
  answer: { status: 200, type: 'application/octet-stream' },
});

export const verify = endpoint({
  method: 'POST',
  path: `${ONE}/verify`,
  summary: 'Proves a created backup once more by a restore into a scratch database',
  access: 'site-admin',
  body: { schema: z.object({ password: optional(text({ allowEmpty: true, max: LIMITS.passwordBytes })) }) },
  answer: { status: 200, schema: Backup },
});

export const copy = endpoint({
  method: 'POST',
  path: `${ONE}/copy`,
  summary:
    'Copies a created backup to the second target now; one that is there already is read back and compared again',
  access: 'site-admin',
  answer: { status: 200, schema: Backup },
});

export const recoverable = endpoint({
  method: 'GET',
  path: RECOVERY,
  summary: 'Whether the site can be recovered from a backup: while no user exists',
  access: 'anyone',
  answer: { status: 200, schema: z.object({ available: z.boolean() }) },
});

export const recover = endpoint({
  method: 'POST',
  path: RECOVERY,
  summary: 'Recovers an empty site from a backup, whole or not at all; all sessions, tokens and invites are dead',
  access: 'anyone',
  bodyLimit: LIMITS.recoveryBytes,
  files: ['backupFile'],
  body: {
    schema: z.object({
      password: optional(text({ allowEmpty: true, max: LIMITS.passwordBytes })),
      setup_token: optional(text({ allowEmpty: true })),
    }),
  },
  answer: { status: 200, schema: z.object({ status: z.literal('done') }) },
});
