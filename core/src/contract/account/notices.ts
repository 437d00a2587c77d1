/** Notices of a person about own groups (docs/spec/api.md §3.12). */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { UserBrief } from '../entities.ts';
import { boolean, choice, id, integer, optional, optionalScalar, text, TEXTS } from '../inputs.ts';
import { DELIVERIES, isTimeZone, NOTICE_KINDS, NOTICE_LIMITS } from '../../domain/notices.ts';
import { ROLES } from '../../domain/policy.ts';

const counted = z.object({ unread: z.number() });

export const Notice = z.object({
  notice_id: z.string(),
  kind: z.enum(NOTICE_KINDS),
  /** How often it happened within an hour of the last time. */
  count: z.number(),
  created_at: z.string(),
  is_read: z.boolean(),
  /** The new role of the reader. */
  role: z.nullable(z.enum(ROLES)),
  /** The person who joined or left; null for a deleted account whose name the reader may not know. */
  person: z.nullable(UserBrief),
  /** At most three of the groups, those whose name the reader may know now. */
  groups: z.array(z.object({ entry_group_id: z.string(), name: z.string() })),
  group_count: z.number(),
  /** At most three of the due entries, the most urgent first. */
  entries: z.array(z.object({ entry_id: z.string(), entry_group_id: z.string(), title: z.string() })),
  /** Entries that the reader may read and that are still due. */
  entry_count: z.number(),
  /** Nothing is left to do. */
  is_done: z.boolean(),
});
export type Notice = z.output<typeof Notice>;

export const listAll = endpoint({
  method: 'GET',
  path: '/identity/api/notices',
  summary:
    'Notices of the caller, newest first, and how many are unread; `before` is the id of the last one of the previous page. ' +
    'Names are those that the caller may read now',
  access: 'signed-in',
  query: z.object({
    before: optionalScalar(id()),
    limit: optionalScalar(integer(1, NOTICE_LIMITS.page)),
  }),
  answer: { status: 200, schema: z.object({ unread: z.number(), data: z.array(Notice) }) },
});

export const count = endpoint({
  method: 'GET',
  path: '/identity/api/notices/count',
  summary: 'How many notices of the caller are unread',
  access: 'signed-in',
  answer: { status: 200, schema: counted },
});

export const markRead = endpoint({
  method: 'POST',
  path: '/identity/api/notices/read',
  summary: 'Marks the notice `up_to` and all older ones as read; with `only`, no older ones',
  access: 'signed-in',
  body: { schema: z.object({ up_to: id(), only: optionalScalar(boolean()) }) },
  answer: { status: 200, schema: counted },
});

const SETTINGS = '/identity/api/notices/settings';
const delivery = z.enum(DELIVERIES);
const zone = text({ max: 64, line: true }).check(
  z.refine((name) => isTimeZone(name), { error: () => TEXTS.unknown('digest zone') }),
);

export const NoticeSettings = z.object({
  kinds: z.object(perKind(delivery)),
  /** Local hour of the daily mail. */
  digest_hour: z.number(),
  /** IANA time zone of the hour. */
  digest_zone: z.string(),
  /** Whether the site sends mail. */
  has_mail: z.boolean(),
});
export type NoticeSettings = z.output<typeof NoticeSettings>;

export const settings = endpoint({
  method: 'GET',
  path: SETTINGS,
  summary: 'How the caller gets each kind of notice, and the hour of the daily mail',
  access: 'signed-in',
  answer: { status: 200, schema: NoticeSettings },
});

export const changeSettings = endpoint({
  method: 'PUT',
  path: SETTINGS,
  summary: 'Changes how the caller gets kinds of notices, and the hour of the daily mail; what is absent stays',
  access: 'signed-in',
  body: {
    schema: z.object({
      kinds: optional(z.object(perKind(optionalScalar(choice(DELIVERIES))))),
      digest_hour: optionalScalar(integer(0, 23)),
      digest_zone: optional(zone),
    }),
  },
  answer: { status: 200, schema: NoticeSettings },
});

function perKind<S>(schema: S): Record<(typeof NOTICE_KINDS)[number], S> {
  return Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, schema])) as Record<(typeof NOTICE_KINDS)[number], S>;
}
