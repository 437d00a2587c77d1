/** Whether a failure leaves open what the server would have said: then what is kept in this browser stands in for it. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { NetworkError } from './exchange.ts';

/** No answer, or that of something in front of the server: a proxy's 502 says no more than silence. */
export const isAway = (failure: unknown): boolean =>
  failure instanceof NetworkError || (failure instanceof AppError && failure.code === 'unavailable');
