import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { createMasterPassword } from '@passwordbroker/client/master-password/master-password';
import { MasterPasswordContext } from '../../master-password/use-master-password.ts';
import { oneLock } from '@passwordbroker/client/testing/one-lock';
import type { Revealed } from '@passwordbroker/client/vault/vault';
import { remaskAfter, useSecret } from './use-secret.ts';

const REMASK_MS = 30_000;
const MINUTE = 60_000;

const OPENED: Revealed = {
  type: 'password',
  title: 'Root',
  login: 'ada',
  text: 's3cr3t',
  totp: null,
  file: null,
  disagreements: [],
};

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function rendered(reveal: () => Promise<Revealed> = () => Promise.resolve(OPENED), isCode = false) {
  const masterPassword = createMasterPassword(oneLock());
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <MasterPasswordContext value={masterPassword}>{children}</MasterPasswordContext>
  );
  const seen = { reveals: 0 };
  const counted = () => {
    seen.reveals += 1;
    return reveal();
  };
  const { result, rerender } = renderHook(({ rev }) => useSecret(counted, 'show', rev, () => isCode), {
    wrapper,
    initialProps: { rev: 1 },
  });
  return { secret: () => result.current, masterPassword, seen, rerender };
}

describe('a revealed value', () => {
  test('is shown, hidden, and shown again without a request', async () => {
    const { secret, seen } = rendered();
    await act(() => secret().show());
    expect(secret().shown).toEqual(OPENED);
    act(() => secret().hide());
    expect(secret().shown).toBeNull();
    await act(() => secret().show());
    expect(secret().shown).toEqual(OPENED);
    expect(seen.reveals).toBe(1);
  });

  test('is forgotten after 30 seconds, and then fetched again', async () => {
    const { secret, seen } = rendered();
    await act(() => secret().show());
    act(() => void vi.advanceTimersByTime(REMASK_MS - 1));
    expect(secret().shown).not.toBeNull();
    act(() => void vi.advanceTimersByTime(1));
    expect(secret().shown).toBeNull();
    await act(() => secret().show());
    expect(seen.reveals).toBe(2);
  });

  test.each([15, 60, 120, 300])('is forgotten after the %d seconds chosen in this browser', async (seconds) => {
    remaskAfter.set(seconds);
    const { secret } = rendered();
    await act(() => secret().show());
    act(() => void vi.advanceTimersByTime(seconds * 1000 - 1));
    expect(secret().shown).not.toBeNull();
    act(() => void vi.advanceTimersByTime(1));
    expect(secret().shown).toBeNull();
  });

  test.each(['', '0', '14', '15.5', '600', 'never'])('an invalid choice (%j) means 30 seconds', (kept) => {
    localStorage.setItem('passwordbroker.remask-seconds', kept);
    expect(remaskAfter.get()).toBe(30);
  });

  test('as a TOTP code is kept for 5 minutes, and forgotten on lock', async () => {
    const { secret, masterPassword } = rendered(undefined, true);
    await act(() => secret().show());
    act(() => void vi.advanceTimersByTime(5 * MINUTE - 1));
    expect(secret().shown).toEqual(OPENED);
    act(() => void vi.advanceTimersByTime(1));
    expect([secret().shown, secret().opened]).toEqual([null, null]);
    await act(() => secret().show());
    act(() => void vi.advanceTimersByTime(2 * MINUTE));
    act(() => masterPassword.lock());
    expect([secret().shown, secret().opened]).toEqual([null, null]);
  });

  test('of a code that is only copied, or hidden again, is forgotten after the usual time', async () => {
    const { secret } = rendered(undefined, true);
    await act(() => secret().take('copy'));
    act(() => void vi.advanceTimersByTime(REMASK_MS));
    expect(secret().opened).toBeNull();
    await act(() => secret().show());
    act(() => void vi.advanceTimersByTime(2 * MINUTE));
    act(() => secret().hide());
    act(() => void vi.advanceTimersByTime(REMASK_MS));
    expect(secret().opened).toBeNull();
  });

  test('copied first and shown later, stays for 30 seconds from Show; hiding it adds no time', async () => {
    const { secret, seen } = rendered();
    await act(() => secret().take('copy'));
    act(() => void vi.advanceTimersByTime(REMASK_MS - 2000));
    await act(() => secret().show());
    act(() => void vi.advanceTimersByTime(REMASK_MS - 1000));
    expect(secret().shown).not.toBeNull();
    act(() => secret().hide());
    expect(secret().opened).not.toBeNull();
    act(() => void vi.advanceTimersByTime(1000));
    expect(secret().opened).toBeNull();
    expect(seen.reveals).toBe(1);
  });

  test.each<[string, (world: ReturnType<typeof rendered>) => void]>([
    ['lock', ({ masterPassword }) => masterPassword.lock()],
    [
      'a hidden tab',
      () => {
        vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
        document.dispatchEvent(new Event('visibilitychange'));
      },
    ],
  ])('disappears on %s, also from memory', async (_, happen) => {
    const world = rendered();
    await act(() => world.secret().show());
    act(() => happen(world));
    vi.restoreAllMocks();
    expect(world.secret().shown).toBeNull();
    await act(() => world.masterPassword.enter('x'));
    await act(() => world.secret().show());
    expect(world.seen.reveals).toBe(2);
  });

  test('is not kept if it arrives while the tab is hidden', async () => {
    const { secret, seen } = rendered();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await act(() => secret().show());
    vi.restoreAllMocks();
    expect([secret().shown, secret().opened, secret().isOpening]).toEqual([null, null, false]);
    await act(() => secret().show());
    expect(seen.reveals).toBe(2);
  });

  test('is dropped with the next revision, so that a former value is never shown as the current one', async () => {
    const { secret, seen, rerender } = rendered();
    await act(() => secret().show());
    rerender({ rev: 2 });
    expect(secret().shown).toBeNull();
    await act(() => secret().show());
    expect(seen.reveals).toBe(2);
  });

  test('fetched for a copy is not shown', async () => {
    const { secret } = rendered();
    let taken: Revealed | null = null;
    await act(async () => {
      taken = await secret().take('copy');
    });
    expect(taken).toEqual(OPENED);
    expect(secret().shown).toBeNull();
  });

  test('that is damaged is reported, and nothing is shown', async () => {
    const { secret } = rendered(() => Promise.reject(new KeyringError({ code: 'integrity', detail: 'tag' })));
    await act(() => secret().show());
    expect(secret().shown).toBeNull();
    expect(secret().problem).toContain('damaged');
  });

  test('a closed prompt shows no error', async () => {
    const { secret, masterPassword } = rendered();
    act(() => masterPassword.lock());
    await act(async () => {
      const showing = secret().show();
      await Promise.resolve();
      masterPassword.close();
      await showing;
    });
    expect([secret().shown, secret().problem, secret().isOpening]).toEqual([null, null, false]);
  });
});
