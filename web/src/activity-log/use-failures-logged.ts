import { useEffect, useRef } from 'react';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { activityLog } from './activity-log.ts';

/** Logs failures of suggestions, once for consecutive failures (docs/spec/product.md §8). */
export function useFailuresLogged(failure: Error | null, isSuccess: boolean, textOf: (reason: string) => string) {
  const isFailing = useRef(false);
  useEffect(() => {
    if (isSuccess) isFailing.current = false;
    if (failure === null || isFailing.current) return;
    isFailing.current = true;
    activityLog.add(textOf(reasonOf(failure)), { isFailure: true });
  }, [failure, isSuccess, textOf]);
}
