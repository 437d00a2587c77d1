/**
 * The loading states of the docs/spec/product.md §4 as one table over what a query knows and does. 'failed' is ours: nothing may load for ever.
 * `required loading` → `loading` → `loaded`, and `updating` while something is shown that is being fetched again.
 */

export type Loading = 'required loading' | 'loading' | 'loaded' | 'updating' | 'failed';

type Known = 'nothing' | 'content' | 'failure';
type Activity = 'idle' | 'fetching' | 'paused';

export const LOADING: Readonly<Record<Known, Readonly<Record<Activity, Loading>>>> = {
  nothing: { idle: 'required loading', fetching: 'loading', paused: 'loading' },
  content: { idle: 'loaded', fetching: 'updating', paused: 'updating' },
  failure: { idle: 'failed', fetching: 'loading', paused: 'loading' },
};

/** What a query (TanStack) tells of itself. */
interface Watched {
  readonly data: unknown;
  readonly error: unknown;
  readonly fetchStatus: Activity;
}

/** A failed update of something that is shown stays 'loaded': the failure is told beside it. */
export function loadingOf({ data, error, fetchStatus }: Watched): Loading {
  const known: Known = data !== undefined ? 'content' : error === null || error === undefined ? 'nothing' : 'failure';
  return LOADING[known][fetchStatus];
}
