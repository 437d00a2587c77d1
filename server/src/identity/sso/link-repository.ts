/** Links of accounts to what providers know them by. */
import type { SsoLink } from '@passwordbroker/core/contract/account/sso';
import type { Database, Transact } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { TicketDetails } from '../tickets.ts';
import type { Providers } from './provider/provider-connection.ts';

export type LinkRow = Tables['user_sso_links'];
type Reader = Database['read'] | Transact;

const nameOf = (id: string, providers: Providers): string => providers.get(id)?.name ?? id;

const time = (ms: number) => new Date(ms).toISOString();

export function asLink(row: LinkRow, providers: Providers): SsoLink {
  const { link_id, provider_id, email_then, created_at, last_used_at } = row;
  return {
    link_id,
    provider_id,
    name: nameOf(provider_id, providers),
    email_then,
    created_at: time(created_at),
    last_used_at: last_used_at === null ? null : time(last_used_at),
  };
}

/** By issuer and subject alone. */
export async function findLink(
  db: Reader,
  { issuer, subject }: Pick<LinkRow, 'issuer' | 'subject'>,
): Promise<LinkRow | undefined> {
  return db
    .selectFrom('user_sso_links')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Oldest first. */
export async function listLinks(db: Reader, userId: string): Promise<LinkRow[]> {
  return db
    .selectFrom('user_sso_links')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('link_id')
    .execute();
}

/** The names of the providers that each of these accounts is linked to, oldest link first. */
export async function listProviderNames(
  db: Reader,
  providers: Providers,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  if (providers.size === 0 || userIds.length === 0) return names;
  const rows = await db
    .selectFrom('user_sso_links')
    .select(['user_id', 'provider_id'])
    .where('user_id', 'in', userIds)
    .orderBy('created_at')
    .orderBy('link_id')
    .execute();
  for (const { user_id, provider_id } of rows) {
    names.set(user_id, [...(names.get(user_id) ?? []), nameOf(provider_id, providers)]);
  }
  return names;
}

export interface ProviderNumbers {
  /** Linked enabled accounts, by issuer. */
  readonly accounts: ReadonlyMap<string, number>;
  /** Sessions that have not expired, by the id of the provider. */
  readonly sessions: ReadonlyMap<string, number>;
}

export async function numbersOfProviders(db: Reader, now: number): Promise<ProviderNumbers> {
  const links = await db
    .selectFrom('user_sso_links')
    .innerJoin('users', 'users.user_id', 'user_sso_links.user_id')
    .select(['issuer', (eb) => eb.fn.countAll<number>().as('count')])
    .where('users.disabled_at', 'is', null)
    .groupBy('issuer')
    .execute();
  const sessions = await db
    .selectFrom('sessions')
    .select(['provider_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('provider_id', 'is not', null)
    .where('kind', '=', 'cookie')
    .where('expires_at', '>', now)
    .groupBy('provider_id')
    .execute();
  return {
    accounts: new Map(links.map(({ issuer, count }) => [issuer, Number(count)])),
    sessions: new Map(sessions.map(({ provider_id, count }) => [provider_id ?? '', Number(count)])),
  };
}

export async function insertLink(tx: Transact, row: LinkRow): Promise<void> {
  await tx.insertInto('user_sso_links').values(row).execute();
}

/** False if it is gone. */
export async function touchLink(tx: Transact, linkId: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_sso_links')
    .set({ last_used_at: now })
    .where('link_id', '=', linkId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Undefined if this account has no such link. */
export async function deleteLink(
  tx: Transact,
  { linkId, userId }: { readonly linkId: string; readonly userId: string },
): Promise<LinkRow | undefined> {
  return tx
    .deleteFrom('user_sso_links')
    .where('link_id', '=', linkId)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Also sign-ins that wait for the second factor. */
export async function deleteSessionsOfLink(
  tx: Transact,
  userId: string,
  providerIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('provider_id', 'in', providerIds)
    .where('kind', '=', 'cookie')
    .execute();
  await tx.deleteFrom('sign_in_tickets').where('user_id', '=', userId).where('method', '=', 'sso').execute();
}

/** Also sign-ins that wait for the second factor, of every provider: a ticket does not name its own. Tokens stay. */
export async function deleteSessionsOfProvider(tx: Transact, providerId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('provider_id', '=', providerId).where('kind', '=', 'cookie').execute();
  await tx.deleteFrom('sign_in_tickets').where('method', '=', 'sso').execute();
}

interface Ended {
  /** The provider's name of one session. Null: the token names the person alone, so all of the person's sessions end. */
  readonly sid: string | null;
  /** Null: the token names the session alone. */
  readonly userId: string | null;
}

/**
 * Also sign-ins that wait for the second factor. With both, a session whose `sid` the provider did not tell ends too.
 * Returns the number of ended sessions of each person.
 */
export async function deleteSessionsEndedThere(
  tx: Transact,
  providerId: string,
  { sid, userId }: Ended,
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .deleteFrom('sessions')
    .where('kind', '=', 'cookie')
    .where('provider_id', '=', providerId)
    .$if(userId !== null, (all) => all.where('user_id', '=', userId ?? ''))
    .$if(sid !== null, (all) =>
      all.where((eb) =>
        userId === null
          ? eb('provider_sid', '=', sid)
          : eb.or([eb('provider_sid', '=', sid), eb('provider_sid', 'is', null)]),
      ),
    )
    .returning('user_id')
    .execute();
  await deleteTicketsEndedThere(tx, providerId, { sid, userId });
  const counts = new Map<string, number>();
  for (const { user_id } of rows) counts.set(user_id, (counts.get(user_id) ?? 0) + 1);
  return counts;
}

/** They are few, and live for minutes; what they know of the provider is JSON. */
async function deleteTicketsEndedThere(tx: Transact, providerId: string, { sid, userId }: Ended): Promise<void> {
  const waiting = await tx
    .selectFrom('sign_in_tickets')
    .select(['ticket_id', 'details'])
    .where('method', '=', 'sso')
    .where('purpose', '=', 'session')
    .$if(userId !== null, (all) => all.where('user_id', '=', userId ?? ''))
    .execute();
  const ended = waiting.filter(({ details }) => {
    const { provider } = JSON.parse(details) as TicketDetails;
    if (provider?.id !== providerId) return false;
    return sid === null || provider.sid === sid || (userId !== null && provider.sid === null);
  });
  if (ended.length === 0) return;
  await tx
    .deleteFrom('sign_in_tickets')
    .where(
      'ticket_id',
      'in',
      ended.map(({ ticket_id }) => ticket_id),
    )
    .execute();
}
