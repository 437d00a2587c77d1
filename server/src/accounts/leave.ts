/** Deletes accounts and resets keys (docs/spec/decisions.md K6, I12). */
import type { SoleGroup } from '@passwordbroker/core/contract/users/people';
import { AppError } from '@passwordbroker/core/contract/problem';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import { recordEvent } from '../audit/audit-log.ts';
import type { Database, Transact } from '../db/database.ts';
import type { Deps, Caller, Operator } from '../http/context.ts';
import { endCredentials } from '../http/auth/session-repository.ts';
import { endInvitesOf } from '../invites/end-invites.ts';
import { giveNotice } from '../mail/outbox-repository.ts';
import { recordDeparture } from '../former-members/former-members.ts';
import { noteLeaving } from '../notices/member-notices.ts';
import { putIntoTrash } from '../operations/journal.ts';
import { livingGroups } from '../operations/trash/subtree-repository.ts';
import { markOwnRotationsDue } from '../own-keys/rekey-repository.ts';
import { leaveServicesWithoutOwner } from '../service-accounts/service-repository.ts';
import { readSiteSettings } from '../platform/site-settings-repository.ts';
import type { UserRow } from '../users/user-repository.ts';
import {
  findAccountInTransaction,
  deleteAccount,
  dropKeys,
  isInhabited,
  listMemberless,
  listSoleGroups,
} from './account-repository.ts';
import { demandSiteAdmin } from './change-account.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';

type Confirmed = readonly string[] | undefined;

export async function soleGroupsOf(db: Database['read'] | Transact, userId: string): Promise<SoleGroup[]> {
  const ordered = (group: SoleGroup) => ({ title: group.name, id: group.entry_group_id });
  return (await listSoleGroups(db, userId)).sort((a, b) => compareTitles(ordered(a), ordered(b)));
}

/**
 * @throws AppError `not_found`; `conflict` for oneself, or if `confirmed` differs from the groups without
 * another admin
 */
export async function removeAccount(
  deps: Deps,
  caller: Caller,
  userId: string,
  confirmed: Confirmed,
): Promise<undefined> {
  await leave(
    deps,
    caller,
    { userId, confirmed, cause: 'deleted', ofOneself: 'You cannot delete your own account' },
    async (tx, account) => {
      await endInvitesOf(tx, deps, caller, { userId, reason: 'deleted' });
      await leaveServicesWithoutOwner(tx, account);
      await deleteAccount(tx, userId);
      await giveNotice(tx, deps, 'account deleted', { to: account, origin: caller.origin, by: caller.actor });
      await recordEvent(tx, deps, { event_type: 'user_deleted', ...caller, ...target(userId) });
    },
  );
  return undefined;
}

/** @throws AppError as `removeAccount` */
export async function resetKeys(deps: Deps, caller: Operator, userId: string, confirmed: Confirmed): Promise<void> {
  await leave(
    deps,
    caller,
    { userId, confirmed, cause: 'reset', ofOneself: 'You cannot reset your own keys' },
    async (tx, account) => {
      await dropKeys(tx, userId, deps.clock.now());
      await endCredentials(tx, userId);
      await recordEvent(tx, deps, { event_type: 'keys_reset', ...caller, ...target(userId) });
      await giveNotice(tx, deps, 'keys reset', { to: account, origin: caller.origin, by: caller.actor });
    },
  );
}

const target = (userId: string) => ({ target_type: 'user', target_id: userId });

interface Leaving {
  readonly userId: string;
  readonly confirmed: Confirmed;
  readonly cause: 'deleted' | 'reset';
  readonly ofOneself: string;
}

async function leave(
  deps: Deps,
  caller: Operator,
  { userId, confirmed, cause, ofOneself }: Leaving,
  go: (tx: Transact, account: UserRow) => Promise<void>,
): Promise<void> {
  const { trash_days } = await readSiteSettings(deps);
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, caller.actor);
    const account = await findAccountInTransaction(tx, userId);
    if (account === undefined) throw new AppError('not_found');
    if (userId === caller.actor?.userId) throw new AppError('conflict', { message: ofOneself });
    const sole = await soleGroupsOf(tx, userId);
    refuseUnconfirmed(sole, confirmed ?? []);
    await recordDeparture(tx, deps, { userId, cause });
    await markOwnRotationsDue(tx, userId);
    await noteLeaving(tx, deps, caller.actor?.userId ?? null, { userId, needsKeys: true });
    await go(tx, account);
    await trashDeserted(tx, deps, caller, sole, trash_days);
  });
}

function refuseUnconfirmed(groups: readonly SoleGroup[], confirmed: readonly string[]): void {
  const named = new Set(confirmed);
  const isExact = named.size === groups.length && groups.every(({ entry_group_id }) => named.has(entry_group_id));
  if (groups.length === 0 || isExact) return;
  throw new AppError('conflict', {
    message: SERVER_TEXTS.onlyAdmin(groups.length),
    details: { groups },
  });
}

/** Trashes groups that no member can open any more. */
async function trashDeserted(
  tx: Transact,
  deps: Deps,
  caller: Operator,
  groups: readonly SoleGroup[],
  trashDays: number,
): Promise<void> {
  const gone = new Set<string>();
  const deserted = await listMemberless(
    tx,
    groups.map(({ entry_group_id }) => entry_group_id),
  );
  for (const { entry_group_id: id, parent_entry_group_id: groupId, name: title, path } of deserted) {
    if (gone.has(id)) continue;
    const below = await livingGroups(tx, path);
    if (await isInhabited(tx, below)) continue;
    for (const one of below) gone.add(one);
    const removal = await putIntoTrash(tx, deps, {
      actor: caller.actor,
      target: { kind: 'entry_group', id, title, groupId },
      chosen: { groups: below },
      trashDays,
    });
    const of = { target_type: 'entry_group', target_id: id, details: { ...removal.counts } };
    await recordEvent(tx, deps, { event_type: 'group_deleted', ...caller, ...of });
  }
}
