/** People who accepted an invitation, and the groups that it named (docs/spec/api.md §3.3). */
import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { UserBrief } from '../entities.ts';
import { InviteGroup } from './invites.ts';

/** `left_out`: groups that are gone, or where the caller is no longer an admin. */
export const Joined = z.object({
  invite_id: z.string(),
  user: UserBrief,
  groups: z.array(InviteGroup),
  left_out: z.number(),
});
export type Joined = z.output<typeof Joined>;

export const list = endpoint({
  method: 'GET',
  path: '/identity/api/invites/joined',
  summary: 'People who accepted an invitation of the caller, newest first, with the groups to share with them',
  access: 'site-admin',
  answer: { status: 200, schema: z.object({ joined: z.array(Joined) }) },
});

export const forget = endpoint({
  method: 'DELETE',
  path: '/identity/api/invites/:inviteId/groups',
  summary: 'Removes the groups from an invitation of the caller. Groups that were shared stay shared',
  access: 'site-admin',
  worksOnFullDisk: true,
  answer: { status: 204 },
});

export const inviter = endpoint({
  method: 'GET',
  path: '/identity/api/inviter',
  summary: 'The person who invited the caller, and how many groups that person has not shared with the caller yet',
  access: 'signed-in',
  answer: { status: 200, schema: z.object({ inviter: z.nullable(UserBrief), waiting: z.number() }) },
});
