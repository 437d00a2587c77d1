/** The people who can read a group: docs/spec/api.md §3.7. */
import * as z from 'zod/mini';
import { GROUP, endpoint } from '../endpoint.ts';
import { id, optionalScalar } from '../inputs.ts';
import { ROLES } from '../../domain/policy.ts';
import { UserBrief } from '../users/user.ts';

/** At most this many people are counted or listed. */
export const MOST_LISTED = 200;

const time = z.string();
const role = z.enum(ROLES);

export const AccessRow = z.object({
  user: UserBrief,
  role,
  /** How the person got in. */
  ways: z.array(z.object({ kind: z.enum(['direct']), role, since: time })),
  /** Values that the person opened, wrote or has in a copy, and that have not changed since. */
  opened: z.nullable(z.number()),
  last_opened_at: z.nullable(time),
  /** Those of `opened` that the person has in an offline copy and has not opened otherwise. */
  in_copies: z.nullable(z.number()),
});
export type AccessRow = z.output<typeof AccessRow>;

export const AccessAnswer = z.object({
  /** Values in use, without links. */
  values: z.number(),
  users: z.array(AccessRow),
});
export type AccessAnswer = z.output<typeof AccessAnswer>;

export const whoCanRead = endpoint({
  method: 'GET',
  path: `${GROUP}/access`,
  summary:
    'Who can read the group and how: by role, then by name. For its admins also how many present values, of the group or of one entry, the first 200 people have opened; null for others',
  access: 'group.read',
  query: z.object({ entry_id: optionalScalar(id()) }),
  answer: { status: 200, schema: AccessAnswer },
});
