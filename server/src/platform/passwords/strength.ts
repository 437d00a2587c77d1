import type { Worker } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import { startThread } from '../thread.ts';

export interface StrengthQuestion {
  readonly password: string;
  /** Count as guessed. */
  readonly words: readonly string[];
}

/** Estimation time is quadratic in the length. */
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
/** In the order of the requests. */
const waiting: Waiting[] = [];

/**
 * The zxcvbn score, 0 to 4, from a worker thread, as it takes up to half a second.
 * @param about name and e-mail of the person, which count as guessed
 * @throws AppError `unavailable` if too many are queued
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
    // A pending estimate keeps the process alive; an idle thread does not.
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
