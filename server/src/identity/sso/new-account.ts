/** Accounts that a sign-in at a provider makes: without password and without keys. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { INVITE_TEXTS } from '@passwordbroker/core/contract/users/invites';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { isEmail } from '@passwordbroker/core/domain/sign-up-rules';
import { recordEvent } from '../../audit/audit-log.ts';
import { brokenUniqueness } from '../../db/failures.ts';
import type { Transact } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import { closeInvite, findInvite } from '../../invites/invite-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { hasUsers, identityKey, insertUser, isNameTaken, type UserRow } from '../../users/user-repository.ts';
import { factorDueOfNew } from '../factors/policy.ts';
import { refuseSso, type Answered, type Returning } from './answered.ts';
import { insertLink } from './link-repository.ts';
import { enabledProvider } from './providers.ts';

export interface Linked {
  readonly user: UserRow;
  readonly linkId: string;
  readonly isNew?: boolean;
}

/** For a person whom nobody invited. @throws AppError `sso_refused` */
export async function addSsoAccount(context: Returning, answered: Answered, email: string): Promise<Linked> {
  const { deps } = context;
  const refusal = await refusalOf(deps, answered, email);
  if (refusal !== null) throw await refuseSso(context, answered, 'sso_refused', refusal);
  return store(context, answered, { email, name: await freeName(deps, nameOf(answered, email)) });
}

async function refusalOf(deps: Deps, { provider, claims }: Answered, email: string) {
  const { create_accounts, allowed_domains, allowed_groups } = provider.settings;
  const isOpen = create_accounts && allowed_domains.length + allowed_groups.length > 0;
  // The first account is a site admin, and is made by the sign-up.
  if (!isOpen || !(await hasUsers(deps.db))) return { reason: 'no_account', message: SERVER_TEXTS.ssoNoAccount };
  if (!claims.isEmailVerified || !isEmail(email)) {
    return { reason: 'unverified', message: SERVER_TEXTS.ssoUnverified(provider.name) };
  }
  const domain = identityKey(email.slice(email.lastIndexOf('@') + 1));
  const isOfDomain = allowed_domains.length === 0 || allowed_domains.some((one) => identityKey(one) === domain);
  return isOfDomain ? null : { reason: 'domain', message: SERVER_TEXTS.ssoDomain };
}

/** @throws AppError `sso_refused` for another address; `not_found` if the invitation is not open any more */
export async function addInvitedAccount(context: Returning, answered: Answered, inviteId: string): Promise<Linked> {
  const { deps, origin } = context;
  const { claims } = answered;
  const invite = await deps.db.transactBeside((tx) => findInvite(tx, inviteId));
  if (invite === undefined) throw new AppError('not_found', { message: INVITE_TEXTS.invalid });
  if (!claims.isEmailVerified || claims.email === null || identityKey(claims.email) !== invite.email_key) {
    const refusal = { reason: 'invitation', message: SERVER_TEXTS.ssoOtherInvite };
    throw await refuseSso(context, answered, 'sso_refused', refusal);
  }
  const name = await freeName(deps, invite.username ?? nameOf(answered, invite.email));
  return store(context, answered, { email: invite.email, name }, async (tx, userId) => {
    const now = deps.clock.now();
    if (!(await closeInvite(tx, inviteId, { accepted_at: now, accepted_by: userId }, now))) {
      throw new AppError('not_found', { message: INVITE_TEXTS.invalid });
    }
    const target = { target_type: 'invite', target_id: inviteId };
    await recordEvent(tx, deps, { event_type: 'invite_accepted', actor: null, login: invite.email, origin, ...target });
  });
}

/** Room for a number behind. */
const NAME_LENGTH = LIMITS.userName - 5;

function nameOf({ claims }: Answered, email: string): string {
  const named = (claims.name ?? '').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return (named === '' ? email.slice(0, email.lastIndexOf('@')) : named).slice(0, NAME_LENGTH).trim();
}

async function freeName(deps: Deps, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const wanted = number === 1 ? name : `${name} ${number}`;
    if (!(await isNameTaken(deps.db, identityKey(wanted)))) return wanted;
  }
}

async function store(
  context: Returning,
  { provider, claims }: Answered,
  { email, name }: { readonly email: string; readonly name: string },
  claim: (tx: Transact, userId: string) => Promise<void> = () => Promise.resolve(),
): Promise<Linked> {
  const { deps, origin } = context;
  const password_hash = deps.accountPasswords.unusable();
  const [user_id, link_id, now] = [deps.newId(), deps.newId(), deps.clock.now()];
  const row: Omit<UserRow, 'factor_due_at'> = {
    user_id,
    name,
    name_key: identityKey(name),
    email,
    email_key: identityKey(email),
    password_hash,
    is_admin: 0,
    first_user: null,
    epoch: 1,
    mp_exposed_at: null,
    must_rekey: 0,
    server_crypto_opt_out: 0,
    keyset_version: 0,
    created_at: now,
    updated_at: now,
    disabled_at: null,
    is_auditor: 0,
    factor_state: 'none',
    has_password: 0,
    must_link: 0,
    break_glass: 0,
    kind: 'person',
  };
  const user = await deps.db
    .transact(async (tx) => {
      await enabledProvider({ ...deps, db: { read: tx } }, provider.id);
      await claim(tx, user_id);
      const stored = { ...row, factor_due_at: await factorDueOfNew(tx, false, now) };
      await insertUser(tx, stored);
      const { issuer, subject } = claims;
      const link = { link_id, user_id, provider_id: provider.id, issuer, subject, email_then: claims.email ?? '' };
      await insertLink(tx, { ...link, created_at: now, last_used_at: now });
      const whose = { actor: { userId: user_id, email }, origin, target_type: 'user', target_id: user_id };
      await recordEvent(tx, deps, { event_type: 'user_created', ...whose });
      await recordEvent(tx, deps, { event_type: 'sso_linked', ...whose, details: { provider: provider.id } });
      return stored;
    })
    .catch((error: unknown) => {
      // Two tabs, or another person with the name at the same moment.
      if (brokenUniqueness(error) === null) throw error;
      throw new AppError('conflict', { message: SERVER_TEXTS.signingUp });
    });
  return { user, linkId: link_id, isNew: true };
}
