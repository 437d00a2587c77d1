import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { remaskAfter } from '../fields/value/use-secret.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { AppearanceSection, LockSection } from './browser-sections.tsx';
import { clearAfter } from '../lib/clipboard.ts';
import { formatTime } from '../lib/format.ts';
import { lockAfter } from '../page/vault.ts';

const TEXTS = ACCOUNT_TEXTS.lock;

beforeEach(() => localStorage.clear());
afterEach(cleanup);

const choices = (of = select()) => [...of.options].map((option) => option.textContent);
const select = () => screen.getByLabelText<HTMLSelectElement>(TEXTS.after);

test('offers one to sixty minutes and applies the choice at once', () => {
  render(<LockSection />);
  expect(choices()).toEqual(['1 minute', ...[2, 5, 10, 15, 30, 60].map((minutes) => `${minutes} minutes`)]);
  expect(select().value).toBe('10');
  fireEvent.change(select(), { target: { value: '30' } });
  expect([select().value, lockAfter.idleMs()]).toEqual(['30', 30 * 60_000]);
});

test("leaves out times beyond the site's limit and says so", () => {
  lockAfter.learn(7);
  render(<LockSection />);
  expect(choices()).toEqual(['1 minute', '2 minutes', '5 minutes', '7 minutes']);
  expect(select().value).toBe('7');
  screen.getByText(TEXTS.most(7));
});

test('offers the time after which a shown value is masked', () => {
  render(<LockSection />);
  const after = screen.getByLabelText<HTMLSelectElement>(TEXTS.remaskAfter);
  expect(choices(after)).toEqual(['15 seconds', '30 seconds', '1 minute', '2 minutes', '5 minutes']);
  expect(after.value).toBe('30');
  fireEvent.change(after, { target: { value: '120' } });
  expect([after.value, remaskAfter.get()]).toEqual(['120', 120]);
});

test('offers no later removal from the clipboard than after a minute', () => {
  render(<LockSection />);
  const after = screen.getByLabelText<HTMLSelectElement>(TEXTS.clearAfter);
  expect(choices(after)).toEqual(['10 seconds', '20 seconds', '30 seconds', '1 minute']);
  expect(after.value).toBe('60');
  fireEvent.change(after, { target: { value: '20' } });
  expect([after.value, clearAfter.get()]).toEqual(['20', 20]);
});

test('changes the height of rows and the format of dates at once', () => {
  render(<AppearanceSection />);
  fireEvent.click(screen.getByRole('radio', { name: 'Compact' }));
  expect(document.documentElement.dataset['density']).toBe('compact');
  expect(screen.getByText(/^Now: \d{4}\.\d\d\.\d\d \d\d:\d\d$/)).not.toBeNull();
  fireEvent.click(screen.getByRole('radio', { name: 'Browser language' }));
  const noon = new Date(2026, 10, 27, 12, 5);
  expect(formatTime(noon.toISOString())).toBe(noon.toLocaleString([], { dateStyle: 'short', timeStyle: 'short' }));
  expect(screen.queryByText(/^Now: \d{4}\./)).toBeNull();
});
