import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { remaskAfter } from '../fields/value/use-secret.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { LockSection } from './account-page.tsx';
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
