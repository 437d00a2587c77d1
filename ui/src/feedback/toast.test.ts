import { afterEach, expect, test } from 'vitest';
import { closeToasts, openToasts, toast, toastStore } from './toast.ts';

const texts = () => toastStore.current().map(({ text }) => text);
afterEach(() => {
  closeToasts();
  openToasts();
});

test('the last four stay, the newest at the end', () => {
  for (const text of ['a', 'b', 'c', 'd', 'e']) toast(text);
  expect(texts()).toEqual(['b', 'c', 'd', 'e']);
});

test('closed they are gone, and what comes late is not shown to the next person', () => {
  toast('before');
  closeToasts();
  toast('late');
  expect(texts()).toEqual([]);
  openToasts();
  expect(texts()).toEqual([]);
  toast('after');
  expect(texts()).toEqual(['after']);
});
