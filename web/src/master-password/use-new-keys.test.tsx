/** New keys and a change of the master password: nothing begins before the rules of the site are known (docs/spec/decisions.md K8). */
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import type { AskPolicy } from '../identity/passwords/judge-passwords.ts';
import { createMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { useChange } from './change-dialog.tsx';
import { MasterPasswordContext } from './use-master-password.ts';
import { useNewKeys } from './new-keys-dialog.tsx';
import { NetworkError } from '@passwordbroker/client/transport/exchange';

const CHOSEN = { next: 'lantern moss 7', confirmation: 'lantern moss 7' };
const CASES: [string, AskPolicy, string][] = [
  ['the server does not send its rules', () => Promise.reject(new NetworkError('Network Error')), 'password rules'],
  ['strict, and unknown strength', () => Promise.resolve({ password_policy: 'strict' }), 'easy to guess'],
];

describe('new keys', () => {
  test.each(CASES)('%s: shows a message and creates no keys', async (_, ask, words) => {
    const made: string[] = [];
    const make = (password: string) => Promise.resolve(void made.push(password));
    const { result } = renderHook(() => useNewKeys(ask, make));
    act(() => result.current.set(CHOSEN));
    await act(() => result.current.submit());
    expect([result.current.state, made]).toEqual(['validation_returned_errors', []]);
    expect(result.current.refusals).toEqual([expect.stringContaining(words)]);
  });
});

describe('a change', () => {
  test.each(CASES)('%s: shows a message and keeps the old password', async (_, ask, words) => {
    const asked: unknown[] = [];
    const masterPassword = createMasterPassword({
      isOpen: () => false,
      unlock: (password) => Promise.resolve(void asked.push(password)),
      lock: () => undefined,
      onLocked: () => () => undefined,
    });
    const wrapper = ({ children }: { readonly children: ReactNode }) => (
      <MasterPasswordContext value={masterPassword}>{children}</MasterPasswordContext>
    );
    const ended: string[] = [];
    const { result } = renderHook(() => useChange(ask, () => void ended.push('changed')), { wrapper });
    act(() => result.current.set({ old: 'old one', ...CHOSEN }));
    await act(() => result.current.submit());
    expect([result.current.state, asked, ended]).toEqual(['validation_returned_errors', [], []]);
    expect(result.current.refusals).toEqual([expect.stringContaining(words)]);
  });
});
