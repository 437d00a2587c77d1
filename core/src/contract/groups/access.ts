/** The people who can read a group, and what an operation would change: docs/spec/api.md §3.7. */
import * as z from 'zod/mini';
import { BASE, GROUP, endpoint } from '../endpoint.ts';
import { choice, id, list, optionalScalar } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';
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

/** At most this many groups at once. */
export const MOST_PREVIEWED = 1000;

const inGroups = {
  entry_group_ids: list(id(), 1, MOST_PREVIEWED),
  user_ids: list(id(), 1, LIMITS.groupsAtOnce),
};

/** The operation to preview. `target` absent: the root. */
export const Act = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add-user'), ...inGroups, role: choice(ROLES) }),
  z.object({ kind: z.literal('remove-user'), ...inGroups }),
  z.object({ kind: z.literal('change-role'), ...inGroups, role: choice(ROLES) }),
  z.object({ kind: z.literal('move-group'), entry_group_id: id(), target: optionalScalar(id()) }),
  z.object({
    kind: z.literal('move-entries'),
    entry_group_id: id(),
    entries: list(id(), 1, LIMITS.bulkEntries),
    target: id(),
  }),
  z.object({
    kind: z.literal('delete-entries'),
    entry_group_id: id(),
    entries: list(id(), 1, LIMITS.bulkEntries),
  }),
  z.object({ kind: z.literal('delete-group'), entry_group_id: id() }),
  z.object({ kind: z.literal('restore-group'), operation_id: id() }),
]);
export type Act = z.output<typeof Act>;

/** `from` and `to` are the person's highest roles in these groups before and after; null: no access. */
export const AccessChange = z.object({
  user: UserBrief,
  from: z.nullable(role),
  to: z.nullable(role),
  entry_groups: z.number(),
  entries: z.number(),
  /** For people who lose access: opened values that have not changed since. Null if the caller may not know. */
  known: z.nullable(z.number()),
});
export type AccessChange = z.output<typeof AccessChange>;

/**
 * `last_admin`: the last admin of a group keeps the role. `not_yours`: there are groups below that the caller
 * does not administer; then a deletion is refused.
 */
export const PREVIEW_NOTES = ['nobody_changes', 'last_admin', 'not_yours'] as const;

/** Each list is ordered by name and has at most 200 people; `totals` counts all. */
export const Preview = z.object({
  gains: z.array(AccessChange),
  loses: z.array(AccessChange),
  changes: z.array(AccessChange),
  /** Group names that a person will newly see in the tree, from the root down. */
  names: z.array(z.object({ user: UserBrief, entry_groups: z.array(z.string()) })),
  totals: z.object({
    gains: z.number(),
    loses: z.number(),
    changes: z.number(),
    /** Also counts people in groups where the caller is not a member. */
    names: z.number(),
    /** Number of different values that the listed people who lose access have opened. */
    known: z.nullable(z.number()),
    /** The groups in which somebody's access changes. */
    entry_groups: z.number(),
    entries: z.number(),
  }),
  notes: z.array(z.enum(PREVIEW_NOTES)),
});
export type Preview = z.output<typeof Preview>;

export const preview = endpoint({
  method: 'POST',
  path: `${BASE}/access/preview`,
  summary:
    'Previews an operation: who would gain or lose access, and who would see the name of a group. Changes nothing. Only for callers who may do the operation',
  access: 'signed-in',
  worksOnFullDisk: true,
  body: { schema: z.object({ act: Act }) },
  answer: { status: 200, schema: Preview },
});
