/** docs/spec/api.md §3.3. */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { pageQuery } from '../entries/entries.ts';
import { User, UserBrief, pageOf } from '../entities.ts';
import { choice, id, list, nested, optional, optionalScalar, text } from '../inputs.ts';
import { NewKeyBundle, SIGN_UP_TEXTS, firstDocuments } from './users.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ROLES } from '../../domain/policy.ts';

const time = z.string();

export const INVITE_TEXTS = {
  emailBad: 'Please enter a valid email address.',
  emailFixed: 'The email is fixed by the invitation',
  nameFixed: 'The user name is fixed by the invitation',
  invalid: 'This invitation is no longer valid',
  notOpen: 'The invitation is not open any more',
  groupTwice: 'A group is named twice',
  groupNotYours: 'You can name only groups where you are an admin',
} as const;

/** A group that the inviter wants to share with the invited person. Gives no access by itself. */
export const InviteGroup = z.object({ entry_group_id: z.string(), role: z.enum(ROLES) });
export type InviteGroup = z.output<typeof InviteGroup>;

/** `groups` are those that are not shared yet; empty for everybody except the inviter. */
export const Invite = z.object({
  invite_id: z.string(),
  email: z.string(),
  username: z.nullable(z.string()),
  state: z.enum(['open', 'accepted', 'revoked', 'expired']),
  invited_by: z.nullable(UserBrief),
  created_at: time,
  expires_at: time,
  groups: z.array(InviteGroup),
});
export type Invite = z.output<typeof Invite>;

const name = { trim: true, line: true, max: LIMITS.userName } as const;

export const create = endpoint({
  method: 'POST',
  path: '/identity/api/invite',
  summary:
    'Invites an address: a link that works once. An open invitation of the address is revoked. `groups` names groups that the caller wants to share after the acceptance',
  access: 'site-admin',
  fresh: true,
  body: {
    schema: z.object({
      user: nested(
        z.object({
          email: text({ trim: true, max: LIMITS.email, missing: INVITE_TEXTS.emailBad }),
          username: optionalScalar(text(name)),
        }),
      ),
      groups: optional(list(z.object({ entry_group_id: id(), role: choice(ROLES) }), 0, LIMITS.inviteGroups)),
    }),
  },
  answer: {
    status: 201,
    schema: z.object({ inviteLinkUrl: z.string(), invite: Invite, mail_sent: z.boolean() }),
  },
});

export const listAll = endpoint({
  method: 'GET',
  path: '/identity/api/invites',
  summary: 'All invitations, newest first',
  access: 'site-reader',
  query: z.object(pageQuery),
  answer: { status: 200, schema: pageOf(Invite) },
});

export const revoke = endpoint({
  method: 'DELETE',
  path: '/identity/api/invites/:inviteId',
  summary: 'Revokes an open invitation',
  access: 'site-admin',
  worksOnFullDisk: true,
  answer: { status: 204 },
});

const LINK = '/identity/api/invite/:token';

export const read = endpoint({
  method: 'GET',
  path: LINK,
  summary: 'Whom the link invites',
  access: 'anyone',
  textParams: ['token'],
  answer: {
    status: 200,
    schema: z.object({
      name: z.nullable(z.string()),
      email: z.string(),
      expires_at: time,
      /** Whether the person may accept with an account password; else only at an identity provider. */
      with_password: z.boolean(),
    }),
  },
});

/** Members that the invitation fixes may be absent. */
const person = {
  username: optional(text({ ...name, allowEmpty: true })),
  email: optional(text({ trim: true, max: LIMITS.email, allowEmpty: true })),
  password: text({ missing: SIGN_UP_TEXTS.passwordEmpty }),
  password_confirmation: optional(text({ allowEmpty: true })),
};

export const accept = endpoint({
  method: 'POST',
  path: LINK,
  summary: 'Makes the account that the link invites to, and signs in',
  access: 'anyone',
  textParams: ['token'],
  body: {
    plain: z.object({
      user: nested(
        z.object({
          ...person,
          master_password: text({ missing: SIGN_UP_TEXTS.masterPasswordEmpty }),
          master_password_confirmation: optional(text({ allowEmpty: true })),
        }),
      ),
    }),
    sealed: z.object({
      user: z.object({ ...person, user_id: id(), key_bundle: NewKeyBundle, documents: firstDocuments() }),
    }),
    marker: 'user.key_bundle',
  },
  answer: { status: 201, schema: User },
});
