/** Lets a site admin help a person who lost all second factors. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { showRecoveryCode } from '@passwordbroker/core/domain/factors/factor-codes';
import { findAccountInTransaction } from '../../accounts/account-repository.ts';
import { demandSiteAdmin } from '../../accounts/change-account.ts';
import { recordEvent } from '../../audit/audit-log.ts';
import { endCredentials } from '../../http/auth/session-repository.ts';
import type { Deps, Operator } from '../../http/context.ts';
import { giveNotice, noticeToSiteAdmins } from '../../mail/outbox-repository.ts';
import { deletePasskeysOf, hasSignInPasskey, listSecurityKeysAnywhere } from '../../passkeys/passkey-repository.ts';
import { SERVER_TEXTS } from '../../platform/texts.ts';
import { findUser } from '../../users/user-repository.ts';
import { releaseAccount } from '../account-password.ts';
import { listLinks } from '../sso/link-repository.ts';
import { newRecoveryCode, recoveryCodeRow } from './enrol.ts';
import {
  countRecoveryCodes,
  deleteFactors,
  findTotp,
  replaceRecoveryCodes,
  writeFactorState,
} from './factor-repository.ts';

const CODE_LIVES_MS = 72 * 3600_000;

/** @throws AppError `not_found` */
export async function factorsOf({ db, clock }: Deps, userId: string) {
  const user = await findUser(db, userId);
  if (user === undefined) throw new AppError('not_found');
  return {
    factor_state: user.factor_state,
    factor_due_at: user.factor_due_at === null ? null : new Date(user.factor_due_at).toISOString(),
    totp: (await findTotp(db.read, userId)) !== undefined,
    passkeys: (await listSecurityKeysAnywhere(db.read, userId)).length,
    recovery_codes_left: await countRecoveryCodes(db.read, userId, clock.now()),
  };
}

/**
 * Replaces all factors by one code, which the admin hands over: so the account never has the password alone.
 * Passkeys go too: they were lost with the device. @throws AppError `not_found`; `no_factors`; `conflict` for oneself, and
 * for an account that nothing could be asked of before the code
 */
export async function resetFactors(
  deps: Deps,
  by: Operator,
  userId: string,
): Promise<{ readonly recovery_code: string; readonly expires_at: string }> {
  const code = newRecoveryCode();
  const now = deps.clock.now();
  const expires_at = now + CODE_LIVES_MS;
  await deps.db.transact(async (tx) => {
    await demandSiteAdmin(tx, by.actor);
    const user = await findAccountInTransaction(tx, userId);
    if (user === undefined) throw new AppError('not_found');
    if (userId === by.actor?.userId) throw new AppError('conflict', { message: SERVER_TEXTS.notOwnFactors });
    if (user.factor_state === 'none' && !(await hasSignInPasskey(tx, userId))) throw new AppError('no_factors');
    const hasFirstProof = user.has_password === 1 || (await listLinks(tx, userId)).length > 0;
    if (!hasFirstProof) throw new AppError('conflict', { message: SERVER_TEXTS.passwordFirst });
    await deleteFactors(tx, userId);
    await deletePasskeysOf(tx, userId);
    await endCredentials(tx, userId);
    await releaseAccount(tx, user.email);
    await writeFactorState(tx, userId, 'reset');
    await replaceRecoveryCodes(tx, userId, [recoveryCodeRow(userId, code, { created_at: now, expires_at })]);
    await recordEvent(tx, deps, { event_type: 'factor_reset', ...by, target_type: 'user', target_id: userId });
    const told = { origin: by.origin, by: by.actor };
    await giveNotice(tx, deps, 'factors reset', { to: user, ...told });
    const except = [userId, ...(by.actor === null ? [] : [by.actor.userId])];
    await noticeToSiteAdmins(tx, deps, 'factors of a user reset', { about: user.name, ...told }, except);
  });
  return { recovery_code: showRecoveryCode(code), expires_at: new Date(expires_at).toISOString() };
}
