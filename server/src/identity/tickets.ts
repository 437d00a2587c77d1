/** Tickets: what a sign-in has between the account password and the second factor. One grants nothing alone. */
import type { FactorState, SessionFactor, SignInMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import { AppError } from '@passwordbroker/core/contract/problem';
import { sameBytes } from '@passwordbroker/core/crypto/bytes';
import type { Transact } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Tables } from '../db/schema/tables.ts';
import { hashOfSecret, presentedSecret } from '../http/auth/session.ts';
import type { Deps, ProviderSession, RequestContext } from '../http/context.ts';
import { randomText } from '../platform/ids-and-digests.ts';
import { findUser, type UserRow } from '../users/user-repository.ts';

const LIVES_MS = 5 * 60_000;
const WRONG_ANSWERS = 5;
const PER_ACCOUNT = 5;

export interface TicketDetails {
  readonly hasWeakPassword: boolean;
  /** Null for a session. */
  readonly tokenName: string | null;
  /** Of a sign-in at an identity provider. */
  readonly provider?: ProviderSession;
  /** Of what the person may link afterwards (`sso/sso-tickets.ts`). */
  readonly offerId?: string;
}

declare const BRAND: unique symbol;

/** A ticket that is good in this request. */
export interface OpenTicket {
  readonly [BRAND]: true;
  readonly ticketId: string;
  readonly user: UserRow;
  readonly method: SignInMethod;
  readonly details: TicketDetails;
}

/** The session that let the program in. */
export interface AdmittingSession {
  readonly sessionId: string;
  readonly factor: SessionFactor | '';
  /** Of the account then. */
  readonly factorState: FactorState;
  readonly confirmedAt: number;
  readonly hasWeakPassword: boolean;
}

/** What a program with the right secret and code gets. */
export interface Admission extends AdmittingSession {
  readonly [BRAND]: true;
  readonly ticketId: string;
  readonly user: UserRow;
  readonly method: SignInMethod;
}

const OF_TOKEN = 'pbl_t';
const OF_SESSION = 'pbl_s';

/** Such a sign-in reads and sets no cookie. */
export const isTicketOfToken = (ticket: unknown): boolean => typeof ticket === 'string' && ticket.startsWith(OF_TOKEN);

/** For a judged account password, or an answer of a provider. Ends the oldest of more than five. */
export async function openTicket(
  tx: Transact,
  deps: Deps,
  context: RequestContext,
  { user, method, details }: Pick<OpenTicket, 'user' | 'method' | 'details'>,
): Promise<{ readonly ticket: string; readonly expires_at: string }> {
  const isToken = details.tokenName !== null;
  const ticket = `${isToken ? OF_TOKEN : OF_SESSION}${randomText(32)}`;
  const now = deps.clock.now();
  const cookie = isToken ? null : presentedSecret(deps, context);
  await deleteOldest(tx, user.user_id);
  await NEW.all(tx, {
    ticket_id: deps.newId(),
    secret_hash: hashOfSecret(ticket),
    user_id: user.user_id,
    epoch: user.epoch,
    purpose: isToken ? 'token' : 'session',
    method,
    binding: cookie === null ? null : hashOfSecret(cookie),
    details: JSON.stringify(details),
    created_at: now,
    expires_at: now + LIVES_MS,
  });
  return { ticket, expires_at: new Date(now + LIVES_MS).toISOString() };
}

const NEW = prepared((db, given: Omit<Tables['sign_in_tickets'], 'failures'>) => {
  const { ticket_id, secret_hash, user_id, epoch, purpose, method, binding, details, created_at, expires_at } = given;
  const columns = { ticket_id, secret_hash, user_id, epoch, purpose, method, binding, details, created_at, expires_at };
  return db.insertInto('sign_in_tickets').values({ ...columns, failures: 0 });
});

/** Leaves room for one more. */
export async function deleteOldest(tx: Transact, userId: string): Promise<void> {
  const rows = await TICKETS.all(tx, { userId });
  const ended = rows.slice(PER_ACCOUNT - 1).map(({ ticket_id }) => ticket_id);
  if (ended.length > 0) await tx.deleteFrom('sign_in_tickets').where('ticket_id', 'in', ended).execute();
}

/** Newest first. */
const TICKETS = prepared((db, given: { readonly userId: string }) =>
  db
    .selectFrom('sign_in_tickets')
    .select('ticket_id')
    .where('user_id', '=', given.userId)
    .orderBy('created_at', 'desc')
    .orderBy('ticket_id', 'desc'),
);

/** @throws AppError `ticket_invalid` also in another browser, and after a new password or a disabling */
export async function findTicket(deps: Deps, context: RequestContext, ticket: string): Promise<OpenTicket> {
  const now = deps.clock.now();
  const row = await OPEN.first(deps.db.read, { hash: hashOfSecret(ticket), now });
  const userId = row?.user_id ?? null;
  const user = userId === null ? undefined : await findUser(deps.db, userId);
  if (row === undefined || user === undefined || user.epoch !== row.epoch || user.disabled_at !== null) throw INVALID();
  if (row.purpose === 'session' && !isSameBrowser(deps, context, row.binding)) throw INVALID();
  const { ticket_id: ticketId, method, details } = row;
  return { ticketId, user, method, details: JSON.parse(details) as TicketDetails } as OpenTicket;
}

const OPEN = prepared((db, given: { readonly hash: Buffer; readonly now: number }) =>
  db
    .selectFrom('sign_in_tickets')
    .selectAll()
    .where('secret_hash', '=', given.hash)
    .where('purpose', 'in', ['session', 'token'])
    .where('expires_at', '>', given.now)
    .where('created_at', '<=', given.now),
);

function isSameBrowser(deps: Deps, context: RequestContext, binding: Buffer | null): boolean {
  const cookie = presentedSecret(deps, context);
  return cookie !== null && binding !== null && sameBytes(hashOfSecret(cookie), binding);
}

const INVALID = () => new AppError('ticket_invalid');

/** In the transaction that grants. @throws AppError `ticket_invalid` if it was used meanwhile */
export async function spendTicket(tx: Transact, { ticketId }: OpenTicket): Promise<void> {
  if ((await SPEND.first(tx, { ticketId })) === undefined) throw INVALID();
}

const SPEND = prepared((db, given: { readonly ticketId: string }) =>
  db.deleteFrom('sign_in_tickets').where('ticket_id', '=', given.ticketId).returning('ticket_id'),
);

/** After a wrong answer; the fifth ends the ticket. */
export async function failTicket({ db }: Pick<Deps, 'db'>, { ticketId }: Pick<OpenTicket, 'ticketId'>): Promise<void> {
  await db.transactBeside(async (tx) => {
    await tx
      .updateTable('sign_in_tickets')
      .set((eb) => ({ failures: eb('failures', '+', 1) }))
      .where('ticket_id', '=', ticketId)
      .execute();
    await tx
      .deleteFrom('sign_in_tickets')
      .where('ticket_id', '=', ticketId)
      .where('failures', '>=', WRONG_ANSWERS)
      .execute();
  });
}

export async function deleteExpiredTickets(tx: Transact, now: number): Promise<void> {
  await tx.deleteFrom('sign_in_tickets').where('expires_at', '<=', now).execute();
}
