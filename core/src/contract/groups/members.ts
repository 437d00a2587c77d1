/** docs/spec/api.md §3.7. */
import * as z from 'zod/mini';
import { BASE, GROUP, endpoint } from '../endpoint.ts';
import { pageQuery } from '../entries/entries.ts';
import { GroupUser, Roster, Wrap, pageOf } from '../entities.ts';
import { newGroupKey, rosterProofs } from './entry-groups.ts';
import { base64, choice, id, integer, list, optional, optionalScalar, text } from '../inputs.ts';
import { FIELD_TYPES } from '../../domain/fields/field-kinds.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ROLES } from '../../domain/policy.ts';

export const MEMBER_TEXTS = {
  targetWithoutKeys: 'This person has no keys yet. They have to sign in and unlock the vault once.',
  targetDisabled: 'The account of this user is disabled',
  sameRole: 'The user already has this role',
  lastAdmin: 'This is the last admin of the group. Make someone else an admin first.',
  ownRole: 'Another admin has to change your role',
  oneself: 'You cannot remove yourself',
  otherAdmin: 'An admin cannot be removed',
} as const;

const version = integer(1, 1_000_000_000);
const person = { target_user_id: id(), role: choice(ROLES) };

export const sealedMember = {
  ...person,
  /** Like the wrap, optional if only the role changes. */
  recipient_fpr: optionalScalar(text({ max: 64 })),
  gk_version: version,
  encrypted_aes_password: optionalScalar(base64()),
  roster_base64: optionalScalar(base64()),
  roster_sig_base64: optionalScalar(base64()),
  ...rosterProofs,
} as const;

export const add = endpoint({
  method: 'POST',
  path: `${GROUP}/users`,
  summary: 'Makes a person a member, or gives a member another role: of this group alone',
  access: 'members.write',
  proof: true,
  jsonLimit: LIMITS.rosterJsonBytes,
  body: {
    plain: z.object({
      ...person,
      /** For a new member: refuses any other key. */
      recipient_fpr: optionalScalar(text({ max: 64 })),
      master_password: optional(z.unknown()),
    }),
    sealed: z.object(sealedMember),
    marker: null,
  },
  answer: { status: 201, schema: GroupUser },
});

const MEMBER = `${GROUP}/users/:u` as const;

export const remove = endpoint({
  method: 'DELETE',
  path: MEMBER,
  summary: 'Ends a membership at once; the group’s key is to be rotated',
  access: 'members.write',
  worksOnFullDisk: true,
  answer: {
    status: 200,
    schema: z.object({ entry_group_id: z.string(), user_id: z.string(), rotation_due: z.boolean() }),
  },
});

const rotation = { gk_version: z.number(), pending: z.number() };

export const rotate = endpoint({
  method: 'POST',
  path: `${GROUP}/rotate`,
  summary:
    'A new key for the group, wrapped for its present members; with a master password everything is wrapped anew as well',
  access: 'group.rotate',
  proof: true,
  jsonLimit: LIMITS.groupKeyBytes,
  body: {
    plain: z.object({ master_password: optional(z.unknown()) }),
    sealed: z.object({ base_gk_version: version, gk_version: version, ...newGroupKey }),
    marker: 'grants',
  },
  answer: { status: 200, schema: z.object({ entry_group_id: z.string(), ...rotation }) },
});

export const signRoster = endpoint({
  method: 'POST',
  path: `${GROUP}/roster`,
  summary: 'Signs the list of the present members again, under the present key: the next list, with a key proof',
  access: 'group.rotate',
  proof: true,
  jsonLimit: LIMITS.rosterJsonBytes,
  body: {
    plain: z.object({ master_password: optional(z.unknown()) }),
    sealed: z.object({ roster_base64: base64(), roster_sig_base64: base64(), roster_proof_base64: base64() }),
    marker: 'roster_base64',
  },
  answer: { status: 201, schema: Roster },
});

export const pending = endpoint({
  method: 'GET',
  path: `${GROUP}/rotate`,
  summary:
    'Wrapped keys of revisions that are still under a former version, those in the trash and in the history included',
  access: 'group.rotate',
  proof: true,
  query: z.object({
    limit: optionalScalar(integer(1, LIMITS.rotationBatch)),
    /** Continues after this revision, to skip rows that cannot be opened. */
    after_field_id: optionalScalar(id()),
    after_rev: optionalScalar(version),
  }),
  answer: { status: 200, schema: z.object({ ...rotation, rows: z.array(Wrap) }) },
});

export const rewraps = endpoint({
  method: 'POST',
  path: `${GROUP}/rotate/rewraps`,
  summary: 'Some of these keys wrapped under the present version; what has been wrapped meanwhile is skipped',
  access: 'group.rotate',
  proof: true,
  jsonLimit: LIMITS.rosterJsonBytes,
  body: {
    schema: z.object({
      gk_version: version,
      rewraps: list(
        z.object({ field_id: id(), rev: version, from_gk_version: version, cek_wrapped: base64() }),
        0,
        LIMITS.rotationBatch,
      ),
    }),
  },
  answer: { status: 200, schema: z.object({ ...rotation, written: z.number() }) },
});

const time = z.string();

export const FormerMember = z.object({
  departure_id: z.string(),
  entry_group: z.object({ entry_group_id: z.string(), name: z.string() }),
  user: z.object({ user_id: z.nullable(z.string()), name: z.string() }),
  left_at: time,
  cause: z.enum(['removed', 'deleted', 'reset']),
  /** Null for people who left before roles were recorded. */
  role: z.nullable(z.enum(ROLES)),
  /** Secrets that the person saw and that have not changed since, without links and the trash. */
  open: z.number(),
  /** The same with those that have changed. */
  total: z.number(),
});
export type FormerMember = z.output<typeof FormerMember>;

export const KnownSecret = z.object({
  entry: z.object({ entry_id: z.string(), entry_group_id: z.string(), title: z.string() }),
  field: z.object({ field_id: z.string(), title: z.string(), type: z.enum(FIELD_TYPES) }),
  rev: z.number(),
  opened_at: time,
  /** `offline`: only in a downloaded copy. `written`: only written by the person. */
  how: z.enum(['revealed', 'offline', 'written']),
  /** `offline`: the last registered application; null if unknown. */
  user_application_id: z.nullable(z.string()),
  changed: z.boolean(),
  trashed: z.boolean(),
});
export type KnownSecret = z.output<typeof KnownSecret>;

export const formerMembers = endpoint({
  method: 'GET',
  path: `${GROUP}/departures`,
  summary: 'Who has left the group, newest first, and how much of what they knew is still in use',
  access: 'members.write',
  query: z.object(pageQuery),
  answer: { status: 200, schema: pageOf(FormerMember) },
});

export const formerMember = endpoint({
  method: 'GET',
  path: `${GROUP}/departures/:d`,
  summary: 'What one person who has left knew of the group: what has not been changed is to be changed',
  access: 'members.write',
  answer: { status: 200, schema: z.object({ departure: FormerMember, rows: z.array(KnownSecret) }) },
});

export const formerMembersOfAll = endpoint({
  method: 'GET',
  path: `${BASE}/departures`,
  summary: 'The same over all groups where the caller is admin: of one person, or of everybody',
  access: 'signed-in',
  query: z.object({ ...pageQuery, user_id: optionalScalar(id()) }),
  answer: { status: 200, schema: pageOf(FormerMember) },
});

export const opened = endpoint({
  method: 'GET',
  path: `${MEMBER}/opened`,
  summary: 'What a present member knows of the group: what would have to be changed if he left',
  access: 'members.write',
  answer: { status: 200, schema: z.array(KnownSecret) },
});
