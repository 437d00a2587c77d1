import { afterEach, expect, test } from 'vitest';
import { closeToasts, openToasts, toast, toastStore } from './toast.ts';

const texts = () => toastStore.current().map(({ text }) => text);
afterEach(() => {
  closeToasts();
  openToasts();
});

test('the last four notices stay, the newest at the end', () => {
  for (const text of ['a', 'b', 'c', 'd', 'e']) toast(text);
  expect(texts()).toEqual(['b', 'c', 'd', 'e']);
});

test('closing removes all notices, and notices while closed are not shown to the next person', () => {
  toast('before');
  closeToasts();
  toast('late');
  expect(texts()).toEqual([]);
  openToasts();
  expect(texts()).toEqual([]);
  toast('after');
  expect(texts()).toEqual(['after']);
});
