import { expect, test } from 'vitest';
import { originOf } from './guard.tsx';

test.each([
  [{ from: '/entryGroup/7?x=1#y' }, '/entryGroup/7?x=1#y'],
  [{ from: '/' }, '/'],
  [null, '/'],
  [{}, '/'],
  [{ from: 7 }, '/'],
  [{ from: '//evil.example/x' }, '/'],
  [{ from: '/\\evil.example' }, '/'],
  [{ from: 'https://evil.example' }, '/'],
  [{ from: '/identity/logout' }, '/'],
])('%j leads back to %s', (state, path) => {
  expect(originOf(state)).toBe(path);
});
