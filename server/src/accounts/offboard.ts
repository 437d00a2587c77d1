/**
 * Offboarding (docs/spec/decisions.md I15) ends everything that needs no keys; memberships need a roster
 * signed by a group admin.
 */
import type { OffboardingGroup, Offboarding } from '@passwordbroker/core/contract/users/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Deps, Operator } from '../http/context.ts';
import { endCredentials } from '../http/auth/session-repository.ts';
import { updateFactorDue } from '../identity/factors/policy.ts';
import { endInvitesOf } from '../invites/end-invites.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { leaveServicesWithoutOwner } from '../service-accounts/service-repository.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { identityKey, asUser, findUser, type UserRow } from '../users/user-repository.ts';
import {
  countOtherAdmins,
  findAccountInTransaction,
  updateUser,
  countCredentials,
  countInvitesBy,
  isBackupAddress,
  listMemberships,
} from './account-repository.ts';
import { demandSiteAdmin } from './change-account.ts';

/** @param callerId null for the command line */
export async function offboardingOf(
  { db, clock }: Deps,
  callerId: string | null,
  userId: string,
): Promise<Offboarding> {
  const row = await findUser(db, userId);
  if (row?.kind !== 'person') throw new AppError('not_found');
  const now = clock.now();
  const [credentials, invitations, gets_backups, groups] = await Promise.all([
    countCredentials(db.read, userId, now),
    countInvitesBy(db.read, userId, now),
    isBackupAddress(db.read, row.email_key, identityKey),
    groupsOf(db.read, callerId, userId),
  ]);
  return { user: asUser(row), ...credentials, invitations, gets_backups, groups };
}

async function groupsOf(
  reader: Parameters<typeof listMemberships>[0],
  callerId: string | null,
  userId: string,
): Promise<OffboardingGroup[]> {
  const groups = new Map<string, OffboardingGroup>();
  for (const { entry_group_id, name, role, admin_id, admin_name } of await listMemberships(reader, userId)) {
    const group = groups.get(entry_group_id) ?? { entry_group_id, name, role, admins: [], is_yours: false };
    const admins =
      admin_id === null || admin_name === null
        ? group.admins
        : [...group.admins, { user_id: admin_id, name: admin_name }];
    groups.set(entry_group_id, { ...group, admins, is_yours: group.is_yours || admin_id === callerId });
  }
  const key = (group: OffboardingGroup) => ({ title: group.name, id: group.entry_group_id });
  return [...groups.values()].sort((a, b) => compareTitles(key(a), key(b)));
}

export type Ended = Pick<Offboarding, 'sessions' | 'tokens' | 'invitations'>;

/**
 * Ends all access. Repeatable: records an event only if something changed.
 * @throws AppError `not_found`; `conflict` for the caller and the last site admin
 */
export async function offboard(
  deps: Deps,
  by: Operator,
  userId: string,
  { disable }: { readonly disable: boolean },
): Promise<Ended> {
  return deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, by.actor);
    const account = await findAccountInTransaction(tx, userId);
    if (account === undefined) throw new AppError('not_found');
    if (userId === by.actor?.userId) throw new AppError('conflict', { message: SERVER_TEXTS.notOffboardYourself });
    if (account.is_admin === 1 && (await countOtherAdmins(tx, userId)) === 0) {
      throw new AppError('conflict', { message: SERVER_TEXTS.lastSiteAdmin });
    }
    const now = deps.clock.now();
    const isDisabling = disable && account.disabled_at === null;
    const credentials = await countCredentials(tx, userId, now);
    const invitations = await endInvitesOf(tx, deps, by, { userId, reason: 'offboarded' });
    const ended = { ...credentials, invitations };
    const hasRole = account.is_admin === 1 || account.is_auditor === 1;
    const isNothing = !isDisabling && !hasRole && Object.values(ended).every((count) => count === 0);
    if (isNothing) return ended;
    await updateUser(tx, userId, { is_admin: 0, is_auditor: 0, ...(isDisabling ? { disabled_at: now } : {}) }, now);
    await updateFactorDue(tx, userId, now);
    await endCredentials(tx, userId);
    if (isDisabling) await leaveServicesWithoutOwner(tx, account);
    await record(tx, deps, by, account, { ...ended, disabled: isDisabling });
    await giveNotice(tx, deps, isDisabling ? 'account disabled' : 'access ended', {
      to: account,
      origin: by.origin,
      by: by.actor,
    });
    return ended;
  });
}

/** Separate events for lost roles, so that a search for role changes finds them. */
async function record(
  tx: Transact,
  deps: Deps,
  by: Operator,
  account: UserRow,
  details: Ended & { readonly disabled: boolean },
): Promise<void> {
  const target = { target_type: 'user', target_id: account.user_id };
  await recordEvent(tx, deps, { event_type: 'user_offboarded', ...by, ...target, details: { ...details } });
  if (account.is_admin === 1) {
    await recordEvent(tx, deps, { event_type: 'user_admin_changed', ...by, ...target, details: { is_admin: false } });
  }
  if (account.is_auditor === 1) {
    const ended = { is_auditor: false };
    await recordEvent(tx, deps, { event_type: 'user_auditor_changed', ...by, ...target, details: ended });
  }
}
