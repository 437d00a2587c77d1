/** The policy that asks for second factors, kept in the rows of accounts, so that no request reads it. */
import type { SignInSettings } from '@passwordbroker/core/contract/site/site';
import type { Transact } from '../../db/database.ts';
import { DAY } from '../../http/auth/session.ts';
import { readSiteSignIn } from '../../platform/site-settings-repository.ts';

type Policy = Pick<SignInSettings, 'second_factor' | 'second_factor_grace_days'>;

const RANKS = { off: 0, optional: 0, admins: 1, all: 2 } as const satisfies Record<Policy['second_factor'], number>;

export const isStricter = (to: Policy['second_factor'], from: Policy['second_factor']): boolean =>
  RANKS[to] > RANKS[from];

/**
 * Gives accounts that the policy begins to cover a date, and takes it from those that it covers no more. A date
 * that runs stays. @param userId absent: of everybody
 */
export async function applyFactorPolicy(tx: Transact, policy: Policy, now: number, userId?: string): Promise<void> {
  const { second_factor, second_factor_grace_days } = policy;
  const due = now + second_factor_grace_days * DAY;
  const some = tx.updateTable('users');
  const accounts = userId === undefined ? some : some.where('user_id', '=', userId);
  const isCovered = second_factor === 'all' ? [0, 1] : second_factor === 'admins' ? [1] : [];
  const isFree = [0, 1].filter((admin) => !isCovered.includes(admin));
  if (isFree.length > 0) {
    await accounts
      .set({ factor_due_at: null })
      .where('factor_due_at', 'is not', null)
      .where('is_admin', 'in', isFree as (0 | 1)[])
      .execute();
  }
  if (isCovered.length > 0) {
    await accounts
      .set({ factor_due_at: due })
      .where('factor_due_at', 'is', null)
      .where('is_admin', 'in', isCovered as (0 | 1)[])
      .execute();
  }
}

/** After a change of a site role. */
export async function updateFactorDue(tx: Transact, userId: string, now: number): Promise<void> {
  await applyFactorPolicy(tx, await readSiteSignIn({ db: { read: tx } }), now, userId);
}

/** The date of a new account, which has no grace; null if the policy does not cover it. */
export async function factorDueOfNew(tx: Transact, isAdmin: boolean, now: number): Promise<number | null> {
  const { second_factor } = await readSiteSignIn({ db: { read: tx } });
  return RANKS[second_factor] >= (isAdmin ? RANKS.admins : RANKS.all) ? now : null;
}
