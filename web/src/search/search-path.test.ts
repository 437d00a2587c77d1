import { describe, expect, test } from 'vitest';
import { readSearchPath, searchAddress } from './search-path.ts';

describe('search address', () => {
  test.each([
    [{ query: 'ledger' }, '/entrySearch/ledger'],
    [{ query: '  two words ' }, '/entrySearch/two%20words'],
    [{ query: 'a/b?c#d%' }, '/entrySearch/a%2Fb%3Fc%23d%25'],
    [{ query: 'x', page: 1, perPage: 20 }, '/entrySearch/x'],
    [{ query: 'x', page: 3, perPage: 50 }, '/entrySearch/x?page=3&perPage=50'],
  ])('%j', (path, address) => {
    expect(searchAddress(path)).toBe(address);
  });

  test.each(['', ' ', '\t\n'])('ignores blank text %j', (query) => {
    expect(searchAddress({ query })).toBeNull();
  });

  test.each([
    ['', { page: 1, perPage: 20 }],
    ['page=2&perPage=50', { page: 2, perPage: 50 }],
    ['page=0&perPage=0', { page: 1, perPage: 20 }],
    ['page=-1&perPage=x', { page: 1, perPage: 20 }],
    ['page=1.5&perPage=1e9', { page: 1, perPage: 20 }],
    ['perPage=5000', { page: 1, perPage: 100 }],
  ])('reads ?%s', (tail, numbers) => {
    expect(readSearchPath('q', new URLSearchParams(tail))).toEqual({ query: 'q', ...numbers });
  });
});
