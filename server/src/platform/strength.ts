/**
 * How easily a password is guessed. One estimate takes up to half a second, so a thread makes it; it is started by sites that ask for it and then
 * stays. Nobody has more than two estimates under way.
 */
import type { Worker } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import { startThread } from './thread.ts';

export interface StrengthQuestion {
  readonly password: string;
  /** They count as guessed. */
  readonly words: readonly string[];
}

/** The estimator's time grows with the square of the length: only so many characters are judged. */
const LONGEST = 72;
const [WAITING_EACH, WAITING_ALL] = [2, 20];
const RETRY_SECONDS = 2;
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 } as const;

interface Waiting {
  readonly person: string;
  answer(score: number): void;
  fail(error: Error): void;
}

let thread: Worker | null = null;
/** In the order in which the thread was asked. */
const waiting: Waiting[] = [];

/**
 * The score of zxcvbn, 0 to 4, as in the web client. `about`: name and e-mail of the person, which count as guessed.
 * @throws AppError `unavailable` when too many estimates wait, of this person or of all
 */
export async function passwordScore(password: string, about: readonly string[]): Promise<number> {
  const person = about.join('\n');
  const own = waiting.filter((one) => one.person === person).length;
  if (own >= WAITING_EACH || waiting.length >= WAITING_ALL) {
    throw new AppError('unavailable', { retryAfter: RETRY_SECONDS });
  }
  const words = about.flatMap((text) => text.split(/[\s@.]+/)).filter((word) => word.length > 2);
  const question: StrengthQuestion = { password: password.slice(0, LONGEST), words };
  return new Promise((resolve, reject) => {
    waiting.push({ person, answer: resolve, fail: reject });
    thread ??= start();
    // A command waits for its answer; an idle thread keeps no process alive.
    thread.ref();
    thread.postMessage(question);
  });
}

function start(): Worker {
  const started = startThread('strength-worker', import.meta.url, { resourceLimits: HEAP });
  const end = (error: Error) => {
    if (thread !== started) return;
    thread = null;
    for (const one of waiting.splice(0)) one.fail(error);
  };
  started.on('message', (score: number) => {
    waiting.shift()?.answer(score);
    if (waiting.length === 0) started.unref();
  });
  started.once('error', end);
  started.once('exit', () => end(new Error('The thread that estimates passwords ended')));
  return started;
}
