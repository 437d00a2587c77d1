/**
 * The one judgement of passwords that somebody chooses (docs/spec/decisions.md K8): at sign-up, with an invitation, for another account, when the master password
 * is changed, and with new keys. The server never sees a master password, so what is not refused here is refused nowhere: without the rules of
 * the site nothing is sent, and under `strict` neither is a password whose strength nobody could tell.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import { isShorterThan, STRICT_PASSWORD } from '@passwordbroker/core/domain/sign-up-rules';
import { PASSWORD_RULE_TEXTS as TEXTS } from '../texts/password-rules.ts';
import { estimateStrengths } from './strength.ts';
import type { StrengthQuestion } from './strength-worker.ts';
import type { SiteRules } from './use-site-rules.ts';

/** Asks the server for its rules (`useSiteRules`). */
type Rules = Pick<SiteRules, 'password_policy' | 'password_min_length' | 'password_min_score'>;
export type AskPolicy = () => Promise<Rules>;

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
  const [rules, scores] = await Promise.all([
    ask().catch((failure: unknown) => ({
      problem: failure instanceof AppError ? TEXTS.rulesRefused(failure.message) : TEXTS.rulesUnknown,
    })),
    estimate(question),
  ]);
  if ('problem' in rules) return { event: 'errors', findings: [], problem: rules.problem };
  if (rules.password_policy !== 'strict') {
    const findings = warningsOf(scores);
    return { event: findings.length === 0 ? 'clean' : 'warnings', findings, problem: null };
  }
  const { length, score } = demandsOf(rules);
  // A score below the site's minimum is shown as the weakest.
  const findings = warningsOf(scores.map((found) => (found !== null && found < score ? 0 : found)));
  if (question.passwords.some((password) => isShorterThan(password, length))) {
    return { event: 'errors', findings, problem: TEXTS.tooShort(length) };
  }
  if (scores.includes(null)) return { event: 'errors', findings, problem: TEXTS.strengthUnknown };
  return { event: findings.length === 0 ? 'clean' : 'errors', findings, problem: null };
}

/**
 * Whether the policy `strict` of the site refuses this password; false under another policy or
 * without a score.
 */
export async function isWeakHere(
  ask: AskPolicy,
  password: string,
  about: readonly string[],
  estimate: typeof estimateStrengths = estimateStrengths,
): Promise<boolean> {
  const rules = await ask();
  if (rules.password_policy !== 'strict') return false;
  const { length, score } = demandsOf(rules);
  if (isShorterThan(password, length)) return true;
  const [found = null] = await estimate({ passwords: [password], about });
  return found !== null && found < score;
}

/** An older server does not send its limits: the defaults apply. */
const demandsOf = ({ password_min_length, password_min_score }: Rules) => ({
  length: password_min_length ?? STRICT_PASSWORD.length,
  score: password_min_score ?? STRICT_PASSWORD.score,
});
