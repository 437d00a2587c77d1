/** Lets a program in by a browser where the person is signed in (docs/adr/0044-sign-in-of-programs.md). */
import type { admitProgram as admitting, loginProgram } from '@passwordbroker/core/contract/account/programs';
import type { SignedIn } from '@passwordbroker/core/contract/account/factors';
import type { AnswerOf, BodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { decodeHex, randomBytes, sameBytes } from '@passwordbroker/core/crypto/bytes';
import { readSymbols, recoveryCodeOf, showRecoveryCode } from '@passwordbroker/core/domain/factors/factor-codes';
import { isChallenge } from '@passwordbroker/core/domain/factors/program-link';
import { demandOwnSession } from '../accounts/change-account.ts';
import { recordEvent } from '../audit/audit-log.ts';
import type { Transact } from '../db/database.ts';
import type { Context, Deps, RequestContext } from '../http/context.ts';
import { hashOfSecret } from '../http/auth/session.ts';
import { isSessionThere } from '../http/auth/session-repository.ts';
import { addressCounter, countJudged, refuseTooMany } from '../platform/passwords/attempts.ts';
import { SERVER_TEXTS } from '../platform/texts.ts';
import { findUser } from '../users/user-repository.ts';
import { requireAdmitted } from './grant-session.ts';
import { admitOwner, enter } from './sign-in.ts';
import { proofOfAdmission } from './sign-in-proof.ts';
import { type Admission, type AdmittingSession, deleteOldest, failTicket } from './tickets.ts';

const PURPOSE = 'program' as const;
const LIVES_MS = 5 * 60_000;
const CODE_BYTES = 5;
const CODE_SYMBOLS = 8;

type Admitting = Context<typeof admitting, BodyOf<typeof admitting>>;

/**
 * Returns the code, which is stored as a hash. The same challenge again replaces its former admission.
 * @throws AppError `validation`, `unauthenticated`
 */
export async function admitProgram(context: Admitting): Promise<AnswerOf<typeof admitting>> {
  const { deps, actor, origin, body } = context;
  if (!isChallenge(body.challenge)) throw refuse('challenge', TEXTS.malformed('challenge'));
  const secret_hash = Buffer.from(decodeHex(body.challenge));
  const code = recoveryCodeOf(randomBytes(CODE_BYTES));
  const now = deps.clock.now();
  const ticket_id = deps.newId();
  const { method, factor, confirmedAt, hasWeakPassword, sessionId } = actor;
  await deps.db.transact(async (tx) => {
    const { user_id, epoch, factor_state: factorState } = await demandOwnSession(tx, actor);
    const details: AdmittingSession = { sessionId, factor, factorState, confirmedAt, hasWeakPassword };
    await tx
      .deleteFrom('sign_in_tickets')
      .where('secret_hash', '=', secret_hash)
      .where('purpose', '=', PURPOSE)
      .execute();
    await deleteOldest(tx, user_id);
    const row = { ticket_id, secret_hash, user_id, epoch, purpose: PURPOSE, method, binding: hashOfSecret(code) };
    const times = { created_at: now, expires_at: now + LIVES_MS };
    await tx
      .insertInto('sign_in_tickets')
      .values({ ...row, details: JSON.stringify(details), failures: 0, ...times })
      .execute();
    const target = { target_type: 'session', target_id: sessionId } as const;
    await recordEvent(tx, deps, { event_type: 'program_admitted', actor, origin, ...target });
  });
  return { code: showRecoveryCode(code), expires_at: new Date(now + LIVES_MS).toISOString() };
}

/**
 * Grants a token, once.
 * @throws AppError `ticket_invalid` for an unknown secret, and after five minutes, five wrong codes, a new password, or
 * the end of the session that let it in; `validation` for a wrong code; `too_many_requests`
 */
export async function signInProgram(
  deps: Deps,
  context: RequestContext,
  { secret, code, token_name }: BodyOf<typeof loginProgram>,
): Promise<SignedIn> {
  await refuseTooMany(deps, addressCounter(context.origin));
  await requireAdmitted(deps.db.read, context, { is_admin: 0 });
  const admission = await judge(deps, context, secret, code);
  const { user, ticketId, sessionId } = admission;
  await admitOwner(deps, context, user);
  return enter(deps, context, {
    user,
    proof: proofOfAdmission(admission),
    factor: null,
    tokenName: token_name,
    remember: false,
    isKnownDevice: false,
    offer: null,
    begin: (tx) => spend(tx, ticketId, sessionId),
  });
}

async function judge(deps: Deps, context: RequestContext, secret: string, code: string): Promise<Admission> {
  const now = deps.clock.now();
  const row = await deps.db.read
    .selectFrom('sign_in_tickets')
    .selectAll()
    .where('secret_hash', '=', hashOfSecret(secret))
    .where('purpose', '=', PURPOSE)
    .where('expires_at', '>', now)
    .where('created_at', '<=', now)
    .executeTakeFirst();
  const userId = row?.user_id ?? null;
  const user = userId === null ? undefined : await findUser(deps.db, userId);
  const fail = async (failure: AppError) => {
    await countJudged(deps, [addressCounter(context.origin)]);
    return failure;
  };
  if (row === undefined || user === undefined || row.binding === null) throw await fail(new AppError('ticket_invalid'));
  const { ticket_id: ticketId, method, binding } = row;
  const session = JSON.parse(row.details) as AdmittingSession;
  const isSame = user.epoch === row.epoch && user.factor_state === session.factorState;
  if (!isSame || user.disabled_at !== null) throw await fail(new AppError('ticket_invalid'));
  const typed = readSymbols(code, CODE_SYMBOLS);
  if (typed === null || !sameBytes(hashOfSecret(typed), binding)) {
    await failTicket(deps, { ticketId });
    throw await fail(refuse('code', SERVER_TEXTS.codeWrong));
  }
  return { ...session, ticketId, user, method } as Admission;
}

async function spend(tx: Transact, ticketId: string, sessionId: string): Promise<void> {
  const spent = await tx
    .deleteFrom('sign_in_tickets')
    .where('ticket_id', '=', ticketId)
    .returning('ticket_id')
    .executeTakeFirst();
  if (spent === undefined || !(await isSessionThere(tx, sessionId))) throw new AppError('ticket_invalid');
}
