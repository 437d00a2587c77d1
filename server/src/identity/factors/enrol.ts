/** Setting up and removing second factors. */
import type { Factors, RecoveryCodes } from '@passwordbroker/core/contract/account/factors';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import {
  AUTHENTICATOR_BYTES,
  RECOVERY_CODES,
  RECOVERY_CODE_BYTES,
  authenticatorOf,
  codesAround,
  readFactorCode,
  recoveryCodeOf,
  showRecoveryCode,
} from '@passwordbroker/core/domain/factors/factor-codes';
import { countCredentials } from '../../accounts/account-repository.ts';
import { demandOwnSession } from '../../accounts/change-account.ts';
import { recordEvent } from '../../audit/audit-log.ts';
import type { Transact } from '../../db/database.ts';
import {
  deleteOtherSessions,
  deleteTokens,
  dropFactorOfSessions,
  raiseSession,
} from '../../http/auth/session-repository.ts';
import type { Actor, Deps, RequestContext } from '../../http/context.ts';
import { giveNotice } from '../../mail/outbox-repository.ts';
import {
  asPasskey,
  hasSignInPasskey,
  listSecurityKeys,
  listSecurityKeysAnywhere,
} from '../../passkeys/passkey-repository.ts';
import { sameText, sha256 } from '../../platform/ids-and-digests.ts';
import { countAttempt, ATTEMPT_LIMITS } from '../../platform/passwords/attempts.ts';
import { readSiteSignIn } from '../../platform/site-settings-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { findUser, type UserRow } from '../../users/user-repository.ts';
import {
  confirmPendingTotp,
  countRecoveryCodes,
  deleteFactors,
  deleteTotp,
  findCodesMade,
  findPendingTotp,
  findTotp,
  insertPendingTotp,
  replaceRecoveryCodes,
  writeFactorState,
} from './factor-repository.ts';
import { endRemembered, listRemembered } from './remembered-browsers.ts';

type Call = RequestContext & { readonly actor: Actor };

/** An unconfirmed secret is good for so long. */
export const PENDING_MS = 15 * 60_000;

const time = (ms: number) => new Date(ms).toISOString();
const timeOrNull = (ms: number | null) => (ms === null ? null : time(ms));

export async function readFactors(context: Call): Promise<Factors> {
  const { deps, actor } = context;
  const user = await accountOf(context);
  const now = deps.clock.now();
  const { read } = deps.db;
  const { rpId } = deps.config;
  const [totp, keys, left, made, remembered, { tokens }, { second_factor }] = await Promise.all([
    findTotp(read, actor.userId),
    listSecurityKeysAnywhere(read, actor.userId),
    countRecoveryCodes(read, actor.userId, now),
    findCodesMade(read, actor.userId),
    listRemembered(deps, context, user),
    countCredentials(read, actor.userId, now),
    readSiteSignIn(deps),
  ]);
  return {
    factor_state: user.factor_state,
    factor_due_at: timeOrNull(user.factor_due_at),
    can_enrol: second_factor !== 'off' || user.factor_state !== 'none',
    is_required: user.factor_due_at !== null,
    totp:
      totp === undefined
        ? null
        : {
            totp_id: totp.totp_id,
            created_at: time(totp.confirmed_at ?? totp.created_at),
            last_used_at: timeOrNull(totp.last_used_at),
          },
    can_add_passkey: rpId !== null,
    passkeys: keys.map((row) => asPasskey({ ...row, wrap_version: null }, rpId)),
    recovery_codes:
      made === undefined
        ? null
        : { left, created_at: time(made.created_at), restored_at: timeOrNull(made.restored_at) },
    remembered,
    tokens,
  };
}

/** @throws AppError `conflict` where the site switched second factors off */
export async function demandMayEnrol(deps: Deps, { factorState }: Pick<Actor, 'factorState'>): Promise<void> {
  const { second_factor } = await readSiteSignIn(deps);
  if (second_factor === 'off' && factorState === 'none') {
    throw new AppError('conflict', { message: SERVER_TEXTS.factorsOff });
  }
}

/** @throws AppError `conflict` where the site switched second factors off */
export async function beginTotp({ deps, actor }: Call) {
  const { userId, email } = actor;
  await demandMayEnrol(deps, actor);
  const secret = Buffer.from(randomBytes(AUTHENTICATOR_BYTES));
  const [totp_id, now] = [deps.newId(), deps.clock.now()];
  const row = { totp_id, user_id: userId, secret, last_step: 0, created_at: now };
  await deps.db.transact((tx) => insertPendingTotp(tx, { ...row, confirmed_at: null, last_used_at: null }));
  const shown = authenticatorOf(secret, { site: deps.config.publicUrl, email });
  return { totp_id, ...shown, expires_at: time(now + PENDING_MS) };
}

interface Confirming {
  readonly totpId: string;
  readonly code: string;
  readonly endsTokens: boolean;
}

/** @throws AppError `not_found` if the secret has expired or was replaced; `validation`, `too_many_requests` */
export async function confirmTotp(context: Call, { totpId, code, endsTokens }: Confirming) {
  const { deps, actor } = context;
  const now = deps.clock.now();
  const pending = await findPendingTotp(deps.db.read, { totpId, userId: actor.userId });
  if (pending === undefined || now >= pending.created_at + PENDING_MS) throw new AppError('not_found');
  await countAttempt(deps, `factor:new:${actor.userId}`, ATTEMPT_LIMITS.newAuthenticator);
  const read = readFactorCode(code);
  const match = codesAround(pending.secret, now).find((one) => read !== null && sameText(one.code, read.code));
  if (match === undefined) throw refuse('code', SERVER_TEXTS.firstCodeWrong);
  const recovery_codes = await deps.db.transact(async (tx) => {
    const user = await demandOwnSession(tx, actor);
    if ((await findPendingTotp(tx, { totpId, userId: actor.userId })) === undefined) throw new AppError('not_found');
    await confirmPendingTotp(tx, pending, { step: match.step, now });
    return addedFactor(tx, context, user, { factor: 'totp', endsTokens });
  });
  return { factors: await readFactors(context), recovery_codes };
}

type FactorKind = 'totp' | 'passkey';

/** Call it in the transaction that stores a factor. Returns the codes that come with the first one, else null. */
export async function addedFactor(
  tx: Transact,
  context: Call,
  user: UserRow,
  { factor, endsTokens }: { readonly factor: FactorKind; readonly endsTokens: boolean },
): Promise<RecoveryCodes | null> {
  const { deps, actor, origin } = context;
  await endRemembered(tx, actor.userId);
  await recordEvent(tx, deps, { event_type: 'factor_added', actor, origin, details: { factor } });
  await giveNotice(tx, deps, 'factor added', { to: user, origin });
  return user.factor_state === 'set' ? null : becomeGuarded(tx, context, factor, endsTokens);
}

/** The account gets its first factor, and codes for its loss; sessions without it end. */
async function becomeGuarded(
  tx: Transact,
  context: Call,
  factor: FactorKind,
  endsTokens: boolean,
): Promise<RecoveryCodes> {
  const { userId, sessionId } = context.actor;
  const codes = await makeCodes(tx, context);
  await writeFactorState(tx, userId, 'set');
  await raiseSession(tx, sessionId, factor);
  await deleteOtherSessions(tx, userId, sessionId);
  await tx.deleteFrom('sign_in_tickets').where('user_id', '=', userId).execute();
  if (endsTokens) await deleteTokens(tx, userId);
  return codes;
}

/** @throws AppError `not_found`; `conflict` for the last factor under a policy that asks for one */
export async function removeTotp(context: Call, totpId: string): Promise<undefined> {
  const { deps, actor } = context;
  await deps.db.transact(async (tx) => {
    const user = await demandOwnSession(tx, actor);
    if (!(await deleteTotp(tx, { totpId, userId: actor.userId }))) throw new AppError('not_found');
    await removedFactor(tx, context, user, 'totp');
  });
  return undefined;
}

/**
 * Call it in the transaction that deleted a factor. Other sessions end; after the last factor that works on this host
 * the password alone signs in. @throws AppError `conflict` for that one under a policy that asks for one
 */
export async function removedFactor(tx: Transact, context: Call, user: UserRow, factor: FactorKind): Promise<void> {
  const { deps, actor, origin } = context;
  const { userId, sessionId } = actor;
  const { rpId } = deps.config;
  const isLast = (await findTotp(tx, userId)) === undefined && (await listSecurityKeys(tx, userId, rpId)).length === 0;
  if (isLast && user.factor_due_at !== null) throw new AppError('conflict', { message: SERVER_TEXTS.factorRequired });
  await endRemembered(tx, userId);
  await deleteOtherSessions(tx, userId, sessionId);
  if (isLast) await becomeUnguarded(tx, userId);
  await recordEvent(tx, deps, { event_type: 'factor_removed', actor, origin, details: { factor } });
  await giveNotice(tx, deps, isLast ? 'factor removed' : 'one factor removed', { to: user, origin });
}

async function becomeUnguarded(tx: Transact, userId: string): Promise<void> {
  await deleteFactors(tx, userId);
  await writeFactorState(tx, userId, 'none');
  await dropFactorOfSessions(tx, userId, ['totp', 'recovery', 'remembered']);
  // A passkey that signs in is still the second factor of its own sessions.
  const except = (await hasSignInPasskey(tx, userId)) ? 'passkey' : undefined;
  await dropFactorOfSessions(tx, userId, ['passkey'], except);
}

/** @throws AppError `conflict` without a factor */
export async function renewRecoveryCodes(context: Call): Promise<RecoveryCodes> {
  const { deps, actor, origin } = context;
  return deps.db.transact(async (tx) => {
    const user = await demandOwnSession(tx, actor);
    demandFactor(user);
    await recordEvent(tx, deps, { event_type: 'recovery_codes_made', actor, origin });
    await giveNotice(tx, deps, 'recovery codes made', { to: user, origin });
    return makeCodes(tx, context);
  });
}

/** @throws AppError `conflict` */
export function demandFactor({ factor_state }: Pick<UserRow, 'factor_state'>): void {
  if (factor_state !== 'set') throw new AppError('conflict', { message: SERVER_TEXTS.factorFirst });
}

async function makeCodes(tx: Transact, { deps, actor }: Call): Promise<RecoveryCodes> {
  const now = deps.clock.now();
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const rows = codes.map((code) => recoveryCodeRow(actor.userId, code, { created_at: now, expires_at: null }));
  await replaceRecoveryCodes(tx, actor.userId, rows);
  return { codes: codes.map(showRecoveryCode), created_at: time(now) };
}

export const newRecoveryCode = (): string => recoveryCodeOf(randomBytes(RECOVERY_CODE_BYTES));

export const recoveryCodeRow = (
  user_id: string,
  code: string,
  times: { readonly created_at: number; readonly expires_at: number | null },
) => ({ user_id, code_hash: sha256(Buffer.from(code)), ...times, used_at: null, restored_at: null });

export async function accountOf({ deps, actor }: Call): Promise<UserRow> {
  const user = await findUser(deps.db, actor.userId);
  if (user === undefined) throw new AppError('unauthenticated');
  return user;
}
