/** Asks the estimator's worker. An estimator that cannot be loaded warns of nothing: it is advice, not a gate. */
import { trustedWorker } from '../lib/trusted-worker.ts';
import type { StrengthQuestion } from './strength-worker.ts';
import strengthWorkerUrl from './strength-worker.ts?worker&url';

const PATIENCE_MS = 10_000;

/** Scores from 0 (guessed at once) to 4 (hardly), in the order asked; null where nobody could tell. */
export async function estimateStrengths(question: StrengthQuestion): Promise<readonly (number | null)[]> {
  const worker = trustedWorker(strengthWorkerUrl, 'strength');
  const nobodyKnows = question.passwords.map(() => null);
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data);
      worker.onerror = () => resolve(nobodyKnows);
      setTimeout(() => resolve(nobodyKnows), PATIENCE_MS);
      worker.postMessage(question);
    });
  } finally {
    worker.terminate();
  }
}
