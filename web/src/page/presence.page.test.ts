import { beforeAll, beforeEach, expect, test } from 'vitest';
import { watchPresence } from './vault.ts';

const seen: string[] = [];

beforeAll(() => {
  watchPresence({ onActivity: () => seen.push('activity'), onReturn: () => seen.push('return') });
});
beforeEach(() => {
  seen.length = 0;
});

function shown(state: DocumentVisibilityState) {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

test('keys and pointers count as activity, at most once a second', () => {
  for (let times = 0; times < 1000; times += 1) window.dispatchEvent(new Event('keydown'));
  window.dispatchEvent(new Event('pointermove'));
  expect(seen).toEqual(['activity']);
});

test('returning to the page is no activity', () => {
  window.dispatchEvent(new Event('focus'));
  window.dispatchEvent(new Event('pageshow'));
  document.dispatchEvent(new Event('resume'));
  shown('visible');
  expect(seen).toEqual(['return', 'return', 'return', 'return']);
});

test('hiding the page is no activity', () => {
  shown('hidden');
  expect(seen).toEqual([]);
});
