/**
 * The one judgement of passwords that somebody chooses (decision K8): at sign-up, with an invitation, for another account, when the master password
 * is changed, and with new keys. The server never sees a master password, so what is not refused here is refused nowhere: without the rules of
 * the site nothing is sent, and under `strict` neither is a password whose strength nobody could tell.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { PASSWORD_RULE_TEXTS as TEXTS } from '../texts/password-rules.ts';
import { estimateStrengths } from './strength.ts';
import type { StrengthQuestion } from './strength-worker.ts';
import type { SiteRules } from './use-site-rules.ts';

/** Asks the server for its rules (`useSiteRules`). */
export type AskPolicy = () => Promise<Pick<SiteRules, 'password_policy'>>;

interface Judgement<Finding> {
  /** 'warnings' may be continued, 'errors' block. */
  readonly event: 'clean' | 'warnings' | 'errors';
  readonly findings: readonly Finding[];
  /** What concerns no single field, with what to do; only beside 'errors'. */
  readonly problem: string | null;
}

/**
 * @param warningsOf what deserves a second thought, by strengths in the order of the question; under `strict` these are errors
 * @param estimate answers null for a password of which nobody could tell
 */
export async function judgePasswords<Finding>(
  ask: AskPolicy,
  question: StrengthQuestion,
  warningsOf: (strengths: readonly (number | null)[]) => readonly Finding[],
  estimate: typeof estimateStrengths = estimateStrengths,
): Promise<Judgement<Finding>> {
  const [policy, strengths] = await Promise.all([
    ask().then(
      ({ password_policy }) => password_policy,
      (failure: unknown) => ({
        problem: failure instanceof AppError ? TEXTS.rulesRefused(failure.message) : TEXTS.rulesUnknown,
      }),
    ),
    estimate(question),
  ]);
  const findings = warningsOf(strengths);
  if (typeof policy === 'object') return { event: 'errors', findings: [], problem: policy.problem };
  if (policy === 'strict' && strengths.includes(null)) {
    return { event: 'errors', findings, problem: TEXTS.strengthUnknown };
  }
  if (findings.length === 0) return { event: 'clean', findings, problem: null };
  return { event: policy === 'strict' ? 'errors' : 'warnings', findings, problem: null };
}
