/** Invitations are for one address, valid once and for some days (docs/spec/decisions.md I4). */
import { INVITE_TEXTS, type Invite, type InviteGroup, type create } from '@passwordbroker/core/contract/users/invites';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { isEmail } from '@passwordbroker/core/domain/sign-up-rules';
import { demandSiteAdmin } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Actor, Context, Deps, Origin, Operator } from '../http/context.ts';
import type { FieldTexts } from '../http/validation.ts';
import { invitationText } from '../mail/texts.ts';
import { pageOf, spanOf, type PageQuery } from '../operations/page.ts';
import { randomText, sha256 } from '../platform/ids-and-digests.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';
import { identityKey, isEmailTaken, isNameTaken } from '../users/user-repository.ts';
import { insertInviteGroups, listAdminGroupsAmong, listInviteGroups } from './invite-group-repository.ts';
import {
  closeInvite,
  countInvites,
  findInvite,
  insertInvite,
  listInvites,
  revokeInvites,
  type InviteRow,
  type ShownInvite,
} from './invite-repository.ts';

const DAY = 24 * 60 * 60_000;
const time = (ms: number) => new Date(ms).toISOString();

export const hashOfLink = (token: string): Buffer => sha256(Buffer.from(token));

type Inviting = Operator & Pick<Context<typeof create, BodyOf<typeof create>>, 'deps' | 'body'>;

/** Mails and returns the link, which is not stored. @throws AppError `forbidden`, `validation` */
export async function invite(context: Inviting) {
  const { deps, actor, origin, body } = context;
  const { email, username = null } = body.user;
  const { groups = [] } = body;
  await examine(deps, email, username);
  const { invite_days } = await readSiteLimits(deps);
  const token = randomText(32);
  const now = deps.clock.now();
  const row: InviteRow = {
    invite_id: deps.newId(),
    token_hash: hashOfLink(token),
    email,
    email_key: identityKey(email),
    username,
    invited_by: actor?.userId ?? null,
    created_at: now,
    expires_at: now + invite_days * DAY,
    accepted_at: null,
    revoked_at: null,
    accepted_by: null,
  };
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, actor);
    await demandGroups(tx, actor, groups);
    for (const id of await revokeInvites(tx, { email_key: row.email_key }, now)) {
      await recordEvent(tx, deps, { event_type: 'invite_revoked', actor, origin, ...target(id) });
    }
    await insertInvite(tx, row);
    await insertInviteGroups(tx, row.invite_id, groups);
    const details = groups.length === 0 ? {} : { details: { groups: groups.length } };
    await recordEvent(tx, deps, { event_type: 'invite_created', actor, origin, ...target(row.invite_id), ...details });
  });
  const inviteLinkUrl = `${deps.config.publicUrl}/identity/invite/${token}`;
  return {
    inviteLinkUrl,
    invite: asInvite({ ...row, inviter_name: actor?.name ?? null }, groups, now),
    mail_sent: await mailLink(deps, actor?.name ?? 'The administrator', row, inviteLinkUrl),
  };
}

const target = (id: string) => ({ target_type: 'invite', target_id: id });

/** Unknown groups and groups of others get the same error. @throws AppError `validation` */
async function demandGroups(tx: Transact, actor: Actor | null, groups: readonly InviteGroup[]): Promise<void> {
  const ids = new Set(groups.map(({ entry_group_id }) => entry_group_id));
  if (ids.size < groups.length) throw refuse('groups', INVITE_TEXTS.groupTwice);
  const mine = actor === null ? new Set() : await listAdminGroupsAmong(tx, actor.userId, [...ids]);
  if (mine.size < ids.size) throw refuse('groups', INVITE_TEXTS.groupNotYours);
}

async function examine(deps: Deps, email: string, username: string | null): Promise<void> {
  const errors: FieldTexts = {};
  if (!isEmail(email)) errors['user.email'] = [INVITE_TEXTS.emailBad];
  else if (await isEmailTaken(deps.db, identityKey(email))) errors['user.email'] = [SIGN_UP_TEXTS.emailTaken];
  if (username !== null && (await isNameTaken(deps.db, identityKey(username)))) {
    errors['user.name'] = [SIGN_UP_TEXTS.nameTaken];
  }
  if (Object.keys(errors).length > 0) throw new AppError('validation', { errors });
}

/** Not through the outbox, because the link is secret. False on failure. */
async function mailLink(deps: Deps, invitedBy: string, row: InviteRow, link: string): Promise<boolean> {
  const { mailer, config, log } = deps;
  if (mailer === null) return false;
  const expiresAt = time(row.expires_at);
  const words = invitationText({ site: config.publicUrl, link, invitedBy, username: row.username, expiresAt });
  try {
    await mailer.send({ to: row.email, ...words });
    return true;
  } catch (error) {
    log.error({ event: 'mail', error }, 'an invitation could not be mailed');
    return false;
  }
}

/** Groups are shown only for the caller's own invitations: other people may not know of these groups. */
export async function listAllInvites(deps: Deps, actor: Actor, query: PageQuery) {
  const { offset, limit } = spanOf(query);
  const [rows, total] = await Promise.all([listInvites(deps.db, offset, limit), countInvites(deps.db)]);
  const now = deps.clock.now();
  const own = rows.filter(({ invited_by }) => invited_by === actor.userId);
  const named = await listInviteGroups(
    deps.db.read,
    own.map(({ invite_id }) => invite_id),
  );
  const groupsOf = (id: string) => named.filter(({ invite_id }) => invite_id === id);
  return pageOf(
    rows.map((row) => asInvite(row, groupsOf(row.invite_id), now)),
    total,
    query,
  );
}

/** @throws AppError `not_found`; `conflict` if it is not open */
export async function revokeInvite(
  { deps, actor, origin }: { readonly deps: Deps; readonly actor: Actor; readonly origin: Origin },
  inviteId: string,
): Promise<undefined> {
  await deps.db.transact(async (tx) => {
    if ((await findInvite(tx, inviteId)) === undefined) throw new AppError('not_found');
    const now = deps.clock.now();
    const wasOpen = await closeInvite(tx, inviteId, { revoked_at: now }, now);
    if (!wasOpen) throw new AppError('conflict', { message: INVITE_TEXTS.notOpen });
    await recordEvent(tx, deps, { event_type: 'invite_revoked', actor, origin, ...target(inviteId) });
  });
  return undefined;
}

function asInvite(row: ShownInvite, groups: readonly InviteGroup[], now: number): Invite {
  const { invited_by, inviter_name } = row;
  return {
    invite_id: row.invite_id,
    email: row.email,
    username: row.username,
    state: stateOf(row, now),
    invited_by: invited_by === null || inviter_name === null ? null : { user_id: invited_by, name: inviter_name },
    created_at: time(row.created_at),
    expires_at: time(row.expires_at),
    groups: groups.map(({ entry_group_id, role }) => ({ entry_group_id, role })),
  };
}

function stateOf(row: InviteRow, now: number): Invite['state'] {
  if (row.accepted_at !== null) return 'accepted';
  // If it was revoked after it expired, it counts as expired.
  if (row.revoked_at !== null && row.revoked_at < row.expires_at) return 'revoked';
  return row.expires_at <= now ? 'expired' : 'open';
}
