import * as invites from '@passwordbroker/core/contract/users/invites';
import * as joined from '@passwordbroker/core/contract/users/joined';
import { on, type Route, type RefusedBody } from '../http/route.ts';
import { invite, listAllInvites, revokeInvite, hashOfLink } from './invites.ts';
import { forgetGroupsOf, inviterOfCaller, joinedOf } from './joined.ts';
import { INVITE_TEXTS, type accept } from '@passwordbroker/core/contract/users/invites';
import type { BodyOf, PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { User } from '@passwordbroker/core/contract/entities';
import { AppError } from '@passwordbroker/core/contract/problem';
import { SIGN_UP_TEXTS } from '@passwordbroker/core/contract/users/users';
import { recordEvent } from '../audit/audit-log.ts';
import type { Context, RequestContext } from '../http/context.ts';
import type { FieldTexts } from '../http/validation.ts';
import { ATTEMPT_LIMITS, countAttempt, uncountAttempt } from '../platform/passwords/attempts.ts';
import { networkOf } from '../platform/networks.ts';
import { identityKey } from '../users/user-repository.ts';
import {
  examinePerson,
  makeKeys,
  personOf,
  personTexts,
  sentKeys,
  storeAccount,
  type Joining,
  type NewKeys,
} from '../users/new-account.ts';
import { acceptsNewPasswords } from '../identity/local-sign-in/local-sign-in.ts';
import { closeInvite, findOpenInvite, type InviteRow } from './invite-repository.ts';

const errorKeys = { 'user.username': 'user.name' };

export const routes: readonly Route[] = [
  on(invites.create, (context) => invite(context), { errorKeys }),
  on(invites.listAll, ({ deps, actor, query }) => listAllInvites(deps, actor, query)),
  on(joined.list, ({ deps, actor }) => joinedOf(deps, actor)),
  on(joined.forget, ({ deps, actor, params }) => forgetGroupsOf(deps, actor, params.inviteId)),
  on(joined.inviter, ({ deps, actor }) => inviterOfCaller(deps, actor)),
  on(invites.revoke, (context) => revokeInvite(context, context.params.inviteId)),
  on(invites.read, (context) => readInvite(context, context.params.token)),
  on(
    invites.accept,
    { sealed: (context) => acceptSealed(context), plain: (context) => acceptPlain(context) },
    {
      errorKeys,
      moreBodyErrors: moreErrorsOfGuest,
      // A bad link is reported before errors of the body.
      permit: async (context, { token = '' }) => void (await judgeLink(context, token)),
    },
  ),
];

type SealedAccept = Context<typeof accept, BodyOf<typeof accept>>;
type PlainAccept = Context<typeof accept, PlainBodyOf<typeof accept>>;
type Sent = SealedAccept['body']['user'] | PlainAccept['body']['user'];

const invalid = () => new AppError('not_found', { message: INVITE_TEXTS.invalid });

/** @throws AppError the same `not_found` for every invalid link; `too_many_requests` */
async function judgeLink(context: RequestContext, token: string): Promise<InviteRow> {
  const { deps, origin } = context;
  const key = `invite:${networkOf(origin.address)}`;
  await countAttempt(deps, key, ATTEMPT_LIMITS.inviteToken);
  const row = await openInvite(context, token);
  await uncountAttempt(deps, key);
  return row;
}

async function openInvite({ deps }: RequestContext, token: string): Promise<InviteRow> {
  const row = await findOpenInvite(deps.db, hashOfLink(token), deps.clock.now());
  if (row === undefined) throw invalid();
  return row;
}

async function readInvite(context: RequestContext, token: string) {
  const { username, email, expires_at } = await judgeLink(context, token);
  const with_password = await acceptsNewPasswords(context.deps);
  return { name: username, email, expires_at: new Date(expires_at).toISOString(), with_password };
}

/** The client created the keys. */
async function acceptSealed(context: SealedAccept): Promise<User> {
  const { user } = context.body;
  return acceptWith(context, user, () => sentKeys(context.deps, user));
}

/** The server creates the keys. */
async function acceptPlain(context: PlainAccept): Promise<User> {
  const { user } = context.body;
  return acceptWith(context, user, () => makeKeys(context, user.master_password));
}

async function acceptWith(
  context: SealedAccept | PlainAccept,
  sent: Sent,
  keysOf: () => Promise<NewKeys>,
): Promise<User> {
  const { deps, origin, params } = context;
  const row = await openInvite(context, params.token);
  const person = { ...sent, username: sent.username ?? row.username ?? '', email: row.email };
  const joining: Joining = {
    by: 'invitation',
    async claim(tx, userId) {
      const now = deps.clock.now();
      if (!(await closeInvite(tx, row.invite_id, { accepted_at: now, accepted_by: userId }, now))) throw invalid();
      const target = { target_type: 'invite', target_id: row.invite_id };
      await recordEvent(tx, deps, { event_type: 'invite_accepted', actor: null, login: row.email, origin, ...target });
    },
  };
  await examinePerson(deps, person, joining, fixedTexts(sent, row)).catch(async (error: unknown) => {
    // If the link was used meanwhile, report that instead of the other error.
    await openInvite(context, params.token);
    throw error;
  });
  return storeAccount(context, person, await keysOf(), joining);
}

/** Errors that the schema does not report. */
async function moreErrorsOfGuest(context: RequestContext, refused: RefusedBody): Promise<FieldTexts> {
  const row = await openInvite(context, refused.params['token'] ?? '');
  const sent = personOf(refused);
  const person = { ...sent, username: sent.username === '' ? (row.username ?? '') : sent.username, email: row.email };
  return { ...(await personTexts(context.deps, person, { by: 'invitation' })), ...fixedTexts(sent, row) };
}

function fixedTexts(sent: Partial<Pick<Sent, 'email' | 'username'>>, row: InviteRow): FieldTexts {
  const texts: FieldTexts = {};
  const { email = '', username = row.username ?? '' } = sent;
  if (email !== '' && identityKey(email) !== row.email_key) texts['user.email'] = [INVITE_TEXTS.emailFixed];
  if (username === '') texts['user.name'] = [SIGN_UP_TEXTS.nameEmpty];
  else if (row.username !== null && username !== row.username) texts['user.name'] = [INVITE_TEXTS.nameFixed];
  return texts;
}
