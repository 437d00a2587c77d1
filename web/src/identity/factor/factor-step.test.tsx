/** Which ways the second step offers, and what it says where security keys cannot be used. */
import { act, cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { FactorAsked } from '@passwordbroker/core/contract/account/factors';
import { AppError } from '@passwordbroker/core/contract/problem';
import { servers } from '../../page/page.ts';
import { FactorStep } from './factor-step.tsx';

const ASKED: FactorAsked = {
  ticket: 'pbl_s',
  expires_at: '2026-03-01T09:35:30.000Z',
  methods: ['passkey', 'recovery'],
  passkeys: { usable: 1, elsewhere: [] },
  recovery_codes_left: 10,
  can_remember: false,
  remember_days: 0,
};

function show(asked: Partial<FactorAsked>): void {
  const details = { ...ASKED, ...asked };
  const refusal = new AppError('second_factor_required', { details });
  render(
    <MemoryRouter>
      <FactorStep asked={refusal} onBack={() => undefined} />
    </MemoryRouter>,
  );
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const keyButton = () => screen.queryByRole('button', { name: 'Use your security key or passkey' });
const press = (name: string) => act(() => screen.getByRole('button', { name }).click());

test('a browser without passkeys is not offered the security key', () => {
  show({});
  expect(keyButton()).toBeNull();
  expect(screen.queryByRole('button', { name: 'Another way' })).toBeNull();
  screen.getByLabelText('Recovery code');
});

test('the security key is offered first, and the recovery code as another way', () => {
  vi.stubGlobal('PublicKeyCredential', () => undefined);
  show({});
  expect(keyButton()).not.toBeNull();
  press('Another way');
  press('Use a recovery code');
  screen.getByLabelText('Recovery code');
});

test('after a move to another host it names the former one', () => {
  show({ methods: ['totp', 'recovery'], passkeys: { usable: 0, elsewhere: ['old.example'] } });
  screen.getByText('Your passkeys belong to old.example. Use your authenticator app or a recovery code.');
});

test('at another server it names the host where the security keys work', () => {
  vi.spyOn(servers, 'chosen').mockReturnValue('https://vault.example');
  show({ methods: ['recovery'], passkeys: { usable: 0, elsewhere: ['vault.example'] } });
  screen.getByText('Your passkeys belong to vault.example. Sign in at vault.example itself, or use a recovery code.');
});
