/**
 * Checks every new password (docs/spec/decisions.md K8). Only this code can refuse a master password: the
 * server
 * never sees it. Nothing is sent without the site's rules, nor under `strict` without a score.
 */
import { AppError } from '@passwordbroker/core/contract/problem';
import {
  isShorterThan,
  STRICT_PASSWORD,
  type SignUpForm,
  type Strengths,
} from '@passwordbroker/core/domain/sign-up-rules';
import { PASSWORD_RULE_TEXTS as TEXTS } from '../../texts/identity/account.ts';
import { startStrengthWorker } from '../../workers/page-workers.ts';
import type { StrengthQuestion } from './strength-worker.ts';
import type { SiteRules } from './use-site-rules.ts';

type Rules = Pick<SiteRules, 'password_policy' | 'password_min_length' | 'password_min_score'>;
export type AskPolicy = () => Promise<Rules>;

interface Judgement<Finding> {
  /** 'warnings' may be continued; 'errors' block. */
  readonly event: 'clean' | 'warnings' | 'errors';
  readonly findings: readonly Finding[];
  /** A problem that belongs to no single field; only with 'errors'. */
  readonly problem: string | null;
}

/**
 * @param warningsOf findings for the scores in the order of the question; errors under `strict`
 * @param estimate returns null for a password that it could not score
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
  // A score below the site's minimum is treated as 0.
  const findings = warningsOf(scores.map((found) => (found !== null && found < score ? 0 : found)));
  if (question.passwords.some((password) => isShorterThan(password, length))) {
    return { event: 'errors', findings, problem: TEXTS.tooShort(length) };
  }
  if (scores.includes(null)) return { event: 'errors', findings, problem: TEXTS.strengthUnknown };
  return { event: findings.length === 0 ? 'clean' : 'errors', findings, problem: null };
}

/** Whether `strict` refuses this password. False under another policy or without a score. */
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

/** An older server does not send its limits. */
const demandsOf = ({ password_min_length, password_min_score }: Rules) => ({
  length: password_min_length ?? STRICT_PASSWORD.length,
  score: password_min_score ?? STRICT_PASSWORD.score,
});

const PATIENCE_MS = 10_000;

/**
 * Scores from 0 (guessed at once) to 4 (very hard), in the order of the question; null where the worker
 * failed.
 */
export async function estimateStrengths(question: StrengthQuestion): Promise<readonly (number | null)[]> {
  const nobodyKnows = question.passwords.map(() => null);
  const worker = startWorker();
  if (worker === null) return nobodyKnows;
  let patience: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data);
      worker.onerror = () => resolve(nobodyKnows);
      patience = setTimeout(() => resolve(nobodyKnows), PATIENCE_MS);
      worker.postMessage(question);
    });
  } finally {
    clearTimeout(patience);
    worker.terminate();
  }
}

/** Null if the browser cannot start the worker. */
function startWorker(): Worker | null {
  try {
    return startStrengthWorker();
  } catch {
    return null;
  }
}

export const questionOf = ({ password, masterPassword, name, email }: SignUpForm): StrengthQuestion => ({
  passwords: [password, masterPassword],
  about: [name, email],
});

export const strengthsOf = ([password = null, masterPassword = null]: readonly (number | null)[]): Strengths => ({
  password,
  masterPassword,
});

export const EMPTY_SIGN_UP: SignUpForm = {
  name: '',
  email: '',
  password: '',
  passwordConfirmation: '',
  masterPassword: '',
  masterPasswordConfirmation: '',
};
