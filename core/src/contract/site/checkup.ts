/** docs/spec/decisions.md I16. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { boolean, choice } from '../inputs.ts';

export const CHECKUP_POINTS = [
  'strict_passwords',
  'server_crypto',
  'second_factor',
  'recovery_kit',
  'https',
  'mail',
  'backup_schedule',
  'backup_password',
  'backup_copy',
  'person_quota',
  'log_kept',
] as const;
export type CheckupPointName = (typeof CHECKUP_POINTS)[number];

export const CHECKUP_REASONS = [
  'plain_http',
  'proxy_unnamed',
  'proxy_unseen',
  'no_mail_server',
  'mail_untried',
  'backups_off',
  'backups_overdue',
  'no_second_target',
  'copies_overdue',
] as const;
export type CheckupReason = (typeof CHECKUP_REASONS)[number];

export const CheckupPoint = z.object({
  point: z.enum(CHECKUP_POINTS),
  /** `kept`: an admin chose to keep it. */
  state: z.enum(['good', 'open', 'kept']),
  reason: z.nullable(z.enum(CHECKUP_REASONS)),
});
export type CheckupPoint = z.output<typeof CheckupPoint>;

export const Checkup = z.object({
  open: z.number(),
  points: z.array(CheckupPoint),
});
export type Checkup = z.output<typeof Checkup>;

const PATH = '/system/api/checkup';

export const checkup = endpoint({
  method: 'GET',
  path: PATH,
  summary: 'What should be set for a safe site: each point is good, open, or kept as it is on purpose',
  access: 'site-reader',
  answer: { status: 200, schema: Checkup },
});

export const keepPoint = endpoint({
  method: 'PUT',
  path: PATH,
  summary: 'Keeps one point of the checkup as it is, or opens it again',
  access: 'site-admin',
  worksOnFullDisk: true,
  fresh: true,
  body: { schema: z.object({ point: choice(CHECKUP_POINTS), kept: boolean() }) },
  answer: { status: 200, schema: Checkup },
});

export const testMail = endpoint({
  method: 'POST',
  path: `${PATH}/mail`,
  summary: 'Sends a test mail to the caller',
  access: 'site-admin',
  worksOnFullDisk: true,
  answer: {
    status: 200,
    schema: z.object({
      sent: z.boolean(),
      to: z.string(),
      /** Null if the mail server accepted the mail. */
      problem: z.nullable(z.string()),
    }),
  },
});
