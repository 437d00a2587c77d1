import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import { LOADING, loadingOf, type Loading } from './loading.ts';

const failure = new Error('no connection');

describe('loading (docs/spec/product.md §4)', () => {
  test.each<[unknown, Error | null, 'idle' | 'fetching' | 'paused', Loading]>([
    [undefined, null, 'idle', 'required loading'],
    [undefined, null, 'fetching', 'loading'],
    [['tree'], null, 'idle', 'loaded'],
    [['tree'], null, 'fetching', 'updating'],
    [['tree'], failure, 'idle', 'loaded'],
    [['tree'], failure, 'fetching', 'updating'],
    [undefined, failure, 'idle', 'failed'],
    [undefined, failure, 'fetching', 'loading'],
    [[], null, 'idle', 'loaded'],
    [null, null, 'idle', 'loaded'],
  ])('data %j, error %s, %s: %s', (data, error, fetchStatus, state) => {
    expect(loadingOf({ data, error, fetchStatus })).toBe(state);
  });

  test('the table is complete', () => {
    expect(Object.values(LOADING).flatMap((row) => Object.values(row))).toHaveLength(9);
  });

  test('a real query passes through the states, and a failure ends the overlay', async () => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    let answer: () => Promise<string> = () => Promise.reject(failure);
    const observer = new QueryObserver(client, { queryKey: ['tree'], queryFn: () => answer(), enabled: false });
    const seen: Loading[] = [loadingOf(observer.getCurrentResult())];
    const leave = observer.subscribe((result) => {
      const state = loadingOf(result);
      if (state !== seen.at(-1)) seen.push(state);
    });
    await observer.refetch();
    answer = () => Promise.resolve('tree');
    await observer.refetch();
    await observer.refetch();
    answer = () => Promise.reject(failure);
    await observer.refetch();
    leave();
    expect(seen).toEqual([
      'required loading',
      'loading',
      'failed',
      'loading',
      'loaded',
      'updating',
      'loaded',
      'updating',
      'loaded',
    ]);
  });
});
