import { AppError } from '@passwordbroker/core/contract/problem';
import { NetworkError } from './exchange.ts';

/** No answer, or a proxy's (502): local data may be used instead. */
export const isAway = (failure: unknown): boolean =>
  failure instanceof NetworkError || (failure instanceof AppError && failure.code === 'unavailable');
