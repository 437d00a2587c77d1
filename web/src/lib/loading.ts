/** docs/spec/product.md §4; 'failed' is added, so that nothing loads for ever. */
import { useEffect, useState } from 'react';

export type Loading = 'required loading' | 'loading' | 'loaded' | 'updating' | 'failed';

type Known = 'nothing' | 'content' | 'failure';
type Activity = 'idle' | 'fetching' | 'paused';

export const LOADING: Readonly<Record<Known, Readonly<Record<Activity, Loading>>>> = {
  nothing: { idle: 'required loading', fetching: 'loading', paused: 'loading' },
  content: { idle: 'loaded', fetching: 'updating', paused: 'updating' },
  failure: { idle: 'failed', fetching: 'loading', paused: 'loading' },
};

interface Watched {
  readonly data: unknown;
  readonly error: unknown;
  readonly fetchStatus: Activity;
}

/** A failed update of shown data stays 'loaded'. */
export function loadingOf({ data, error, fetchStatus }: Watched): Loading {
  const known: Known = data !== undefined ? 'content' : error === null || error === undefined ? 'nothing' : 'failure';
  return LOADING[known][fetchStatus];
}

/** The text once it has not changed for `afterMs`; blank text at once. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return text === '' ? '' : settled;
}
