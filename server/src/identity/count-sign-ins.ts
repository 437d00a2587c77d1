import { AppError } from '@passwordbroker/core/contract/problem';
import type { Deps } from '../http/context.ts';
import type { Metrics } from '../platform/metrics.ts';

type Method = Parameters<Metrics['signIn']>[0]['method'];

/** Counts how a sign-in ends. An answer without a user only confirms, or offers a link. */
export async function counted<T extends object>(
  { metrics }: Pick<Deps, 'metrics'>,
  method: Method,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await work();
    metrics.signIn({ method, result: 'user' in answer ? 'succeeded' : 'confirmed' });
    return answer;
  } catch (error) {
    metrics.signIn({ method, result: error instanceof AppError ? error.code : 'internal' });
    throw error;
  }
}
