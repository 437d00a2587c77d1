import { expect, test } from 'vitest';
import { keptOrigin, originOf, pendingNavigation } from './guard.tsx';

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

test('a page reloaded without its state uses the path kept by the tab, but a state has precedence', () => {
  pendingNavigation.keep('/entryGroup/7');
  expect(originOf(keptOrigin(null))).toBe('/entryGroup/7');
  expect(originOf(keptOrigin({ from: '/trash' }))).toBe('/trash');
  pendingNavigation.keep('//evil.example/x');
  expect(originOf(keptOrigin(null))).toBe('/');
  pendingNavigation.forget();
  expect(originOf(keptOrigin(null))).toBe('/');
});
