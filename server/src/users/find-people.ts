import type { QueryOf } from '@passwordbroker/core/contract/endpoint';
import type { AnyUser, User } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import type { search } from '@passwordbroker/core/contract/users/people';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import { storedBy, storedByEach } from '../fields/storage-repository.ts';
import { readsSite } from '../http/auth/authorise.ts';
import type { Actor, Deps } from '../http/context.ts';
import { findGroup } from '../http/auth/path-repository.ts';
import { pageOf, spanOf } from '../operations/page.ts';
import { listProviderNames } from '../identity/sso/link-repository.ts';
import { listKitTimes } from './keys/recovery-kit-repository.ts';
import { identityKey, asUser, findUser, findUsers, listNames } from './user-repository.ts';

/**
 * Ordinary callers get only ids and names, and find an e-mail only if complete (docs/spec/api.md §3.2).
 * Sorted in JavaScript: databases sort differently.
 * @param filtered the only accounts to find; null: all
 * @throws AppError `validation`, `forbidden`
 */
export async function searchPeople(
  deps: Deps,
  actor: Actor,
  query: QueryOf<typeof search>,
  filtered: ReadonlySet<string> | null,
) {
  const { q = '', entryGroupExclude } = query;
  if (entryGroupExclude !== undefined) await demandMembership(deps, actor, entryGroupExclude);
  const [name, email] = [foldText(q), identityKey(q)];
  const isMeant = (row: { readonly name: string; readonly email_key: string }) =>
    foldText(row.name).includes(name) || (readsSite(actor) ? row.email_key.includes(email) : row.email_key === email);
  const found = (await listNames(deps.db, entryGroupExclude))
    .filter((row) => isMeant(row) && (filtered === null || filtered.has(row.user_id)))
    .sort((a, b) => compareTitles({ title: a.name, id: a.user_id }, { title: b.name, id: b.user_id }));
  const { offset, limit } = spanOf(query);
  const rows = found.slice(offset, offset + limit);
  const page = pageOf(rows.map(asBrief), found.length, query);
  if (!readsSite(actor)) return page;
  const ids = rows.map(({ user_id }) => user_id);
  const accounts = await findUsers(deps.db, ids);
  const stored = await storedByEach(deps.db.read, ids);
  const known = await detailsOf(deps, ids);
  const byId = new Map(
    accounts.map((row) => [row.user_id, { ...asUser(row, stored.get(row.user_id) ?? 0), ...known(row.user_id) }]),
  );
  return {
    ...page,
    data: rows.flatMap((row) => (row.kind === 'service' ? asBrief(row) : (byId.get(row.user_id) ?? []))),
  };
}

function asBrief({ user_id, name, kind }: Awaited<ReturnType<typeof listNames>>[number]): AnyUser {
  return kind === 'service' ? { user_id, name, kind } : { user_id, name };
}

/** A list of people outside a group reveals who is in it. */
async function demandMembership(deps: Deps, actor: Actor, groupId: string): Promise<void> {
  const group = await findGroup(deps.db, groupId, actor.userId);
  if (group === undefined) throw refuse('entryGroupExclude', TEXTS.unknown('entryGroupExclude'));
  if (group.role === null) throw new AppError('forbidden');
}

/** @throws AppError `not_found` */
export async function readAccount(deps: Pick<Deps, 'db' | 'providers'>, userId: string): Promise<User> {
  const row = await findUser(deps.db, userId);
  if (row?.kind !== 'person') throw new AppError('not_found');
  const [stored, known] = await Promise.all([storedBy(deps.db.read, userId), detailsOf(deps, [userId])]);
  return { ...asUser(row, stored), ...known(userId) };
}

/** What is in other tables than `users`, for each of these accounts. */
async function detailsOf({ db, providers }: Pick<Deps, 'db' | 'providers'>, userIds: readonly string[]) {
  const kits = await listKitTimes(db.read, userIds);
  const names = await listProviderNames(db.read, providers, userIds);
  return (userId: string): Pick<User, 'recovery_kit_at' | 'providers'> => {
    const [madeAt, linked] = [kits.get(userId), names.get(userId)];
    return {
      recovery_kit_at: madeAt === undefined ? null : new Date(madeAt).toISOString(),
      ...(linked === undefined ? {} : { providers: linked }),
    };
  };
}
