/** Judges codes of authenticator apps and recovery codes. */
import type { CodeMethod } from '@passwordbroker/core/contract/account/sign-in-methods';
import { AppError } from '@passwordbroker/core/contract/problem';
import { codesAround, readFactorCode, type ReadCode } from '@passwordbroker/core/domain/factors/factor-codes';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import type { Deps, RequestContext } from '../../http/context.ts';
import { deleteOtherSessions } from '../../http/auth/session-repository.ts';
import { giveNotice } from '../../mail/outbox-repository.ts';
import { sameText, sha256 } from '../../platform/ids-and-digests.ts';
import {
  countJudged,
  forgiveWithinLimit,
  isLimitReached,
  refuseTooMany,
  type Counter,
} from '../../platform/passwords/attempts.ts';
import type { UserRow } from '../../users/user-repository.ts';
import { knownDevice } from '../account-password.ts';
import { factorCounters, factorStreak } from './factor-limits.ts';
import { countRecoveryCodes, findRecoveryCode, findTotp, spendRecoveryCode, spendStep } from './factor-repository.ts';
import { provenFactor, type ProvenFactor } from './proven-factor.ts';

export interface SentCode {
  readonly code: string;
  /** Absent: told from the code. */
  readonly method?: CodeMethod;
}

/**
 * Null after recording a failure. Call `spend` of a right code before anything tells that it was right: only there it is
 * known to be within the limit, whatever was guessed meanwhile.
 * @throws AppError `too_many_requests`; `spend` also for the right code
 */
export async function judgeCode(
  deps: Deps,
  context: RequestContext,
  user: UserRow,
  sent: SentCode,
): Promise<ProvenFactor | null> {
  const device = await trustedDevice(deps, context, user);
  const counters = factorCounters(user.email, device);
  await refuseTooMany(deps, ...counters);
  const read = readFactorCode(sent.code);
  const match = read === null || (sent.method ?? read.kind) !== read.kind ? null : await matchOf(deps, user, read);
  if (match === null) {
    await countFailure(deps, context, user, { counters, streak: factorStreak(user.email, device) });
    return null;
  }
  const { user_id: userId } = user;
  return provenFactor({
    userId,
    kind: match.kind,
    async spend(tx) {
      await forgiveWithinLimit(tx, deps, counters);
      return match.kind === 'totp' ? spendTotp(tx, deps, match) : spendRecovery(tx, deps, context, user, match);
    },
    handOut() {},
  });
}

/** Whether the account has this recovery code; uses nothing up. @throws AppError `too_many_requests` */
export async function isRecoveryCode(
  deps: Deps,
  context: RequestContext,
  user: UserRow,
  code: string,
): Promise<boolean> {
  const proven = await judgeCode(deps, context, user, { code, method: 'recovery' });
  if (proven === null) return false;
  const counters = await factorCountersOf(deps, context, user);
  await deps.db.transactBeside((tx) => forgiveWithinLimit(tx, deps, counters));
  return true;
}

/** What a success forgives. */
export const factorCountersOf = async (deps: Deps, context: RequestContext, user: UserRow) =>
  factorCounters(user.email, await trustedDevice(deps, context, user));

/** A browser with too many failures in a row counts as unknown, so that an admin can reset the counters. */
async function trustedDevice(deps: Deps, context: RequestContext, user: UserRow): Promise<string | null> {
  const device = knownDevice(deps, context, user.email, user.password_hash);
  return device !== null && (await isLimitReached(deps, factorStreak(user.email, device))) ? null : device;
}

type Match =
  | { readonly kind: 'totp'; readonly totpId: string; readonly step: number }
  | { readonly kind: 'recovery'; readonly codeHash: Buffer; readonly isReset: boolean };

async function matchOf({ db, clock }: Deps, { user_id }: UserRow, { kind, code }: ReadCode): Promise<Match | null> {
  const now = clock.now();
  if (kind === 'recovery') {
    const codeHash = sha256(Buffer.from(code));
    const row = await findRecoveryCode(db.read, user_id, codeHash, now);
    return row === undefined ? null : { kind, codeHash, isReset: row.expires_at !== null };
  }
  const row = await findTotp(db.read, user_id);
  if (row === undefined) return null;
  const found = codesAround(row.secret, now).find((one) => sameText(one.code, code));
  return found === undefined || found.step <= row.last_step ? null : { kind, totpId: row.totp_id, step: found.step };
}

const USED = () => new AppError('second_factor_invalid');

async function spendTotp(tx: Transact, { clock }: Deps, { totpId, step }: Match & { readonly kind: 'totp' }) {
  if (!(await spendStep(tx, totpId, { step, now: clock.now() }))) throw USED();
}

/**
 * The code of an admin works until the owner has set up a new factor; each use ends the session of the one
 * before.
 */
async function spendRecovery(
  tx: Transact,
  deps: Deps,
  { actor, origin }: RequestContext,
  user: UserRow,
  { codeHash, isReset }: Match & { readonly kind: 'recovery' },
) {
  const now = deps.clock.now();
  const { user_id, email } = user;
  const used_at = isReset ? null : now;
  if (!(await spendRecoveryCode(tx, { user_id, code_hash: codeHash, used_at }))) throw USED();
  if (isReset) await deleteOtherSessions(tx, user_id, actor?.sessionId ?? '');
  const left = await countRecoveryCodes(tx, user_id, now);
  await recordEvent(tx, deps, { event_type: 'recovery_code_used', actor: { userId: user_id, email }, origin });
  await giveNotice(tx, deps, isReset ? 'recovery code used' : noticeOf(left), { to: user, origin });
}

const noticeOf = (left: number) =>
  left === 0 ? 'recovery codes gone' : left === 3 ? 'recovery codes low' : 'recovery code used';

/** Failures in a row after which the owner is told. */
const TOLD_AT = 3;

interface Counters {
  readonly counters: readonly Counter[];
  readonly streak: Counter;
}

/** @throws AppError `too_many_requests` */
async function countFailure(
  deps: Deps,
  { origin }: RequestContext,
  user: UserRow,
  { counters, streak }: Counters,
): Promise<void> {
  const { user_id: userId, email } = user;
  await countJudged(
    deps,
    counters,
    (tx) => recordEvent(tx, deps, { event_type: 'second_factor_failed', actor: { userId, email }, origin }),
    async (tx, counts) => {
      if (counts.get(streak.key) === TOLD_AT) await giveNotice(tx, deps, 'password known', { to: user, origin });
    },
  );
}
