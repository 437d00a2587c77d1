/**
 * Tickets of single sign-on: one remembers what a provider said until the person agrees to the link, the other which
 * invitation a person takes along to the provider. Stored like those of `identity/tickets.ts`, never as a sign-in.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { sameBytes } from '@passwordbroker/core/crypto/bytes';
import type { Transact } from '../../db/database.ts';
import { hashOfSecret, presentedSecret } from '../../http/auth/session.ts';
import type { Actor, Deps, RequestContext } from '../../http/context.ts';
import { randomText } from '../../platform/ids-and-digests.ts';

const LINK_LIVES_MS = 5 * 60_000;
const INVITE_LIVES_MS = 10 * 60_000;

/** What is to be linked. */
export interface LinkOffer {
  readonly providerId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
}

export interface InviteTaken {
  readonly inviteId: string;
}

interface Opening {
  readonly purpose: 'link' | 'invite';
  readonly details: LinkOffer | InviteTaken;
  /** Null: of this browser, until somebody signs in with it. */
  readonly owner: Pick<Actor, 'userId' | 'epoch'> | null;
}

/** Returns its secret. */
export async function openSsoTicket(
  tx: Transact,
  deps: Deps,
  context: RequestContext,
  opening: Opening,
): Promise<string> {
  const { purpose, details, owner } = opening;
  const ticket = purpose === 'link' ? `pbl_l${randomText(32)}` : randomText(32);
  const now = deps.clock.now();
  const cookie = presentedSecret(deps, context);
  await tx
    .insertInto('sign_in_tickets')
    .values({
      ticket_id: deps.newId(),
      secret_hash: hashOfSecret(ticket),
      user_id: owner?.userId ?? null,
      epoch: owner?.epoch ?? null,
      purpose,
      method: 'sso',
      binding: cookie === null ? null : hashOfSecret(cookie),
      details: JSON.stringify(details),
      failures: 0,
      created_at: now,
      expires_at: now + (purpose === 'link' ? LINK_LIVES_MS : INVITE_LIVES_MS),
    })
    .execute();
  return ticket;
}

const INVALID = () => new AppError('ticket_invalid');

async function find(
  { db, clock }: Deps,
  purpose: 'link' | 'invite',
  by: { secret_hash: Buffer } | { ticket_id: string },
) {
  const now = clock.now();
  const row = await db.read
    .selectFrom('sign_in_tickets')
    .selectAll()
    .where((eb) => eb.and(by))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .where('created_at', '<=', now)
    .executeTakeFirst();
  if (row === undefined) throw INVALID();
  return row;
}

function demandBrowser(deps: Deps, context: RequestContext, binding: Buffer | null): void {
  const cookie = presentedSecret(deps, context);
  if (cookie === null || binding === null || !sameBytes(hashOfSecret(cookie), binding)) throw INVALID();
}

/** @throws AppError `ticket_invalid` in another browser too */
export async function findInviteTaken(deps: Deps, context: RequestContext, ticket: string): Promise<InviteTaken> {
  const row = await find(deps, 'invite', { secret_hash: hashOfSecret(ticket) });
  demandBrowser(deps, context, row.binding);
  return JSON.parse(row.details) as InviteTaken;
}

export interface CarriedOffer extends LinkOffer {
  readonly ticketId: string;
}

/**
 * Finds the offer for a person who signs in now with its ticket. Null without a ticket.
 * @throws AppError `ticket_invalid` in another browser, or if a person already signed in with it
 */
export async function findOfferOfBrowser(
  deps: Deps,
  context: RequestContext,
  ticket: string | undefined,
): Promise<CarriedOffer | null> {
  if (ticket === undefined) return null;
  const row = await find(deps, 'link', { secret_hash: hashOfSecret(ticket) });
  demandBrowser(deps, context, row.binding);
  if (row.user_id !== null) throw INVALID();
  return { ...(JSON.parse(row.details) as LinkOffer), ticketId: row.ticket_id };
}

/** Null if it has ended since the first step. */
export async function findOfferById(deps: Deps, ticketId: string): Promise<CarriedOffer | null> {
  try {
    const row = await find(deps, 'link', { ticket_id: ticketId });
    return { ...(JSON.parse(row.details) as LinkOffer), ticketId };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The ticket goes from the browser to the person who has just signed in with it. */
export async function giveOffer(
  tx: Transact,
  ticketId: string,
  { user_id, epoch }: { readonly user_id: string; readonly epoch: number },
): Promise<void> {
  await tx
    .updateTable('sign_in_tickets')
    .set({ user_id, epoch })
    .where('ticket_id', '=', ticketId)
    .where('user_id', 'is', null)
    .execute();
}

/** Uses it up. @throws AppError `ticket_invalid` for another person's */
export async function takeOffer(tx: Transact, deps: Deps, actor: Actor, ticket: string): Promise<LinkOffer> {
  const now = deps.clock.now();
  const row = await tx
    .deleteFrom('sign_in_tickets')
    .where('secret_hash', '=', hashOfSecret(ticket))
    .where('purpose', '=', 'link')
    .where('user_id', '=', actor.userId)
    .where('epoch', '=', actor.epoch)
    .where('expires_at', '>', now)
    .where('created_at', '<=', now)
    .returning('details')
    .executeTakeFirst();
  if (row === undefined) throw INVALID();
  return JSON.parse(row.details) as LinkOffer;
}
