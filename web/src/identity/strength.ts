/** Asks the estimator's worker. Whoever needs an answer has to see to those passwords of which nobody could tell (`judge-passwords.ts`). */
import { startStrengthWorker } from '../workers/page-workers.ts';
import type { StrengthQuestion } from './strength-worker.ts';

const PATIENCE_MS = 10_000;

/** Scores from 0 (guessed at once) to 4 (hardly), in the order asked; null where nobody could tell. */
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

/** null: this browser starts no worker here. */
function startWorker(): Worker | null {
  try {
    return startStrengthWorker();
  } catch {
    return null;
  }
}
