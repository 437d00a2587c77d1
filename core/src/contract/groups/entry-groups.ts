/** docs/spec/api.md §3.6, §3.7. */
import * as z from 'zod/mini';
import { BASE, GROUP, endpoint } from '../endpoint.ts';
import {
  EntryGroup,
  GroupAnswer,
  GroupHistory,
  GroupUserWithCertificate,
  HISTORY_EVENTS,
  Operation,
  Removal,
  RosterAnswer,
  TreeNode,
} from '../entities.ts';
import { historyQuery } from '../entries/fields.ts';
import { base64, boolean, choice, id, integer, list, moment, optional, optionalScalar, text } from '../inputs.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ROLES } from '../../domain/policy.ts';

export const NewGrant = z.object({
  user_id: id(),
  role: choice(ROLES),
  recipient_fpr: text({ max: 64 }),
  encrypted_aes_password: base64(),
});
export type NewGrant = z.output<typeof NewGrant>;

/** The first is required if the roster says `"proof":1`, the second also if it raises the key version. */
export const rosterProofs = {
  roster_proof_base64: optionalScalar(base64()),
  roster_proof_prev_base64: optionalScalar(base64()),
};

export const newGroupKey = {
  gk_commit_base64: base64(),
  grants: list(NewGrant, 1, 5000),
  roster_base64: base64(),
  roster_sig_base64: base64(),
  ...rosterProofs,
};

export const tree = endpoint({
  method: 'GET',
  path: `${BASE}/entryGroupsAsTree`,
  summary: 'Own groups as trees; ancestors without a role appear as guest',
  access: 'signed-in',
  service: true,
  answer: { status: 200, schema: z.object({ trees: z.array(TreeNode) }) },
});

export const listAll = endpoint({
  method: 'GET',
  path: `${BASE}/entryGroups`,
  summary: 'The groups where the caller is a member, flat; and whether revisions of each are still under a former key',
  access: 'signed-in',
  service: true,
  answer: { status: 200, schema: z.array(z.extend(EntryGroup, { rotation_pending: z.boolean() })) },
});

export const get = endpoint({
  method: 'GET',
  path: GROUP,
  summary: 'One group with the caller’s role and its admins',
  access: 'group.read',
  answer: { status: 200, schema: GroupAnswer },
});

const name = text({ trim: true, max: LIMITS.name });
const sameMembers = optionalScalar(boolean());

export const create = endpoint({
  method: 'POST',
  path: `${BASE}/entryGroups`,
  summary: 'Creates a tree, or a child where the caller is at least moderator',
  access: 'signed-in',
  jsonLimit: LIMITS.groupKeyBytes,
  body: {
    plain: z.object({
      name,
      entry_group_id: optionalScalar(id()),
      parent_entry_group_id: optionalScalar(id()),
      same_members_as_parent: sameMembers,
      master_password: optional(z.unknown()),
    }),
    sealed: z.object({
      name,
      entry_group_id: id(),
      parent_entry_group_id: optionalScalar(id()),
      same_members_as_parent: sameMembers,
      gk_version: optionalScalar(integer(1, 1)),
      ...newGroupKey,
    }),
    marker: 'grants',
  },
  answer: { status: 201, schema: GroupAnswer },
});

export const rename = endpoint({
  method: 'PUT',
  path: GROUP,
  summary: 'Renames a group',
  access: 'group.rename',
  undoable: true,
  body: { schema: z.object({ name }) },
  answer: { status: 200, schema: GroupAnswer },
});

export const move = endpoint({
  method: 'PATCH',
  path: GROUP,
  summary: 'Moves a group with all below it under another one, or to the root; what cannot be is silently left alone',
  access: 'group.move',
  undoable: true,
  body: { schema: z.object({ entryGroupTarget: optionalScalar(id()) }) },
  answer: { status: 200, schema: z.extend(GroupAnswer, { moved: z.boolean() }) },
});

export const remove = endpoint({
  method: 'DELETE',
  path: GROUP,
  summary: 'Puts a group with all below it into the trash',
  access: 'group.delete',
  worksOnFullDisk: true,
  answer: { status: 200, schema: Operation },
});

export const removal = endpoint({
  method: 'GET',
  path: `${GROUP}/removal`,
  summary: 'What deleting the group would take with it, and for how many people',
  access: 'group.delete',
  answer: { status: 200, schema: Removal },
});

export const history = endpoint({
  method: 'GET',
  path: `${GROUP}/history`,
  summary:
    'What happened to the living fields of the group, newest first; rows before a given one with `before`. `with_children` adds the groups below that the caller may read; `from` counts, `to` does not',
  access: 'group.read',
  query: z.extend(historyQuery, {
    user_id: optionalScalar(id()),
    event_type: optionalScalar(choice(HISTORY_EVENTS)),
    from: optionalScalar(moment()),
    to: optionalScalar(moment()),
    with_children: optionalScalar(boolean()),
  }),
  paged: true,
  answer: { status: 200, schema: z.array(GroupHistory) },
});

export const members = endpoint({
  method: 'GET',
  path: `${GROUP}/users`,
  summary: 'Members with their public keys: admins, moderators, members, then by name',
  access: 'group.read',
  answer: { status: 200, schema: z.array(GroupUserWithCertificate) },
});

export const roster = endpoint({
  method: 'GET',
  path: `${GROUP}/roster`,
  summary: 'The signed rosters from a sequence number (the newest without one) and the caller’s own grants',
  access: 'group.read',
  query: z.object({ from: optionalScalar(integer(0, Number.MAX_SAFE_INTEGER)) }),
  answer: { status: 200, schema: RosterAnswer },
});
