import { expect, test } from 'vitest';
import { keptOrigin, originOf } from './guard.tsx';
import { wayBack } from './way-back.ts';

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

test('a page that is loaded anew without its state finds what the tab keeps; a state says more', () => {
  wayBack.keep('/entryGroup/7');
  expect(originOf(keptOrigin(null))).toBe('/entryGroup/7');
  expect(originOf(keptOrigin({ from: '/trash' }))).toBe('/trash');
  wayBack.keep('//evil.example/x');
  expect(originOf(keptOrigin(null))).toBe('/');
  wayBack.forget();
  expect(originOf(keptOrigin(null))).toBe('/');
});
