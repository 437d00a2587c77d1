import { describe, expect, test } from 'vitest';
import { AppError, wrongMasterPassword } from '@passwordbroker/core/contract/problem';
import { KeyringError } from '../keyring/keyring-error.ts';
import { createMasterPassword, MasterPasswordCancelled, type Lock } from './master-password.ts';

const RIGHT = 'correct horse';

/** A lock with one right password; `failure` simulates a broken connection. */
function lockOf() {
  let isOpen = false;
  const listeners = new Set<() => void>();
  const state: { failure: Error | null; tried: unknown[] } = { failure: null, tried: [] };
  const lock: Lock = {
    isOpen: () => isOpen,
    async unlock(masterPassword) {
      state.tried.push(masterPassword);
      await Promise.resolve();
      if (state.failure !== null) throw state.failure;
      if (masterPassword !== RIGHT) throw new KeyringError({ code: 'wrong_master_password' });
      isOpen = true;
    },
    lock() {
      isOpen = false;
      for (const listener of listeners) listener();
    },
    onLocked(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { lock, state };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('an action that needs the master password', () => {
  test('waits for the modal that names it, and runs once the keys are open', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    const done = masterPassword.use(() => Promise.resolve('shown'), { label: 'show the value of “Root account”' });
    await settle();
    expect(masterPassword.view()).toEqual({
      state: 'in-entry',
      modal: { action: 'show the value of “Root account”', problem: null, isTrying: false },
    });
    const remembering = masterPassword.remember(RIGHT);
    expect(masterPassword.view().state).toBe('entered');
    await remembering;
    expect(masterPassword.view()).toEqual({ state: 'validated', modal: null });
    expect(await done).toBe('shown');
  });

  test('runs without the modal while the keys are open', async () => {
    const { lock, state } = lockOf();
    const masterPassword = createMasterPassword(lock);
    await masterPassword.enter(RIGHT);
    expect(await masterPassword.use(() => Promise.resolve(1), { label: 'copy' })).toBe(1);
    expect(state.tried).toEqual([RIGHT]);
    expect(masterPassword.view().modal).toBeNull();
  });

  test('waits for an unlock that is running, and asks only if it fails', async () => {
    const { lock, state } = lockOf();
    const masterPassword = createMasterPassword(lock);
    const entering = masterPassword.enter(RIGHT);
    const done = masterPassword.use(() => Promise.resolve('saved'), { label: 'add the entry' });
    expect(await done).toBe('saved');
    await entering;
    expect([masterPassword.view(), state.tried]).toEqual([{ state: 'validated', modal: null }, [RIGHT]]);

    lock.lock();
    state.failure = new Error('Network Error');
    const failing = masterPassword.enter(RIGHT);
    const asked = masterPassword.use(() => Promise.resolve('saved'), { label: 'add the entry' });
    await expect(failing).rejects.toThrow('Network Error');
    await settle();
    expect(masterPassword.view().modal?.action).toBe('add the entry');
    state.failure = null;
    await masterPassword.remember(RIGHT);
    expect(await asked).toBe('saved');
  });

  test('after a wrong password the modal stays with an error, and the action runs after the right one', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    const done = masterPassword.use(() => Promise.resolve('shown'), { label: 'show' });
    await settle();
    await masterPassword.remember('wrong');
    expect(masterPassword.view()).toEqual({
      state: 'incorrect',
      modal: { action: 'show', problem: 'MasterPassword is invalid', isTrying: false },
    });
    await masterPassword.remember(RIGHT);
    expect(await done).toBe('shown');
    expect(masterPassword.view().state).toBe('validated');
  });

  test.each([
    ['by the server', wrongMasterPassword()],
    ['by an older server', new AppError('validation', { message: 'Unable to read key' })],
  ])('refused as wrong %s although the keys are open: locks, asks again, and runs again', async (_, refusal) => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    await masterPassword.enter(RIGHT);
    let runs = 0;
    const done = masterPassword.use(
      () => {
        runs += 1;
        return runs === 1 ? Promise.reject(refusal) : Promise.resolve('imported');
      },
      { label: 'import' },
    );
    await settle();
    expect(lock.isOpen()).toBe(false);
    expect(masterPassword.view()).toMatchObject({
      state: 'incorrect',
      modal: { action: 'import', problem: 'MasterPassword is invalid' },
    });
    await masterPassword.remember(RIGHT);
    expect(await done).toBe('imported');
    expect(runs).toBe(2);
  });

  test('closing the modal cancels every waiting action; none runs later', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    let runs = 0;
    const action = () => {
      runs += 1;
      return Promise.resolve();
    };
    const both = [masterPassword.use(action, { label: 'show' }), masterPassword.use(action, { label: 'copy' })];
    const ended = Promise.allSettled(both);
    await settle();
    masterPassword.close();
    expect(
      (await ended).map((end) => end.status === 'rejected' && end.reason instanceof MasterPasswordCancelled),
    ).toEqual([true, true]);
    expect(masterPassword.view()).toEqual({ state: 'not entered', modal: null });
    await masterPassword.enter(RIGHT);
    await settle();
    expect(runs).toBe(0);
  });

  test('two actions at once share one modal, and both run', async () => {
    const { lock, state } = lockOf();
    const masterPassword = createMasterPassword(lock);
    const both = Promise.all([
      masterPassword.use(() => Promise.resolve(1), { label: 'show' }),
      masterPassword.use(() => Promise.resolve(2), { label: 'copy' }),
    ]);
    await settle();
    expect(masterPassword.view().modal?.action).toBe('show');
    await masterPassword.remember(RIGHT);
    expect(await both).toEqual([1, 2]);
    expect(state.tried).toEqual([RIGHT]);
  });

  test('a connection error is shown in the modal and does not mark the password as incorrect', async () => {
    const { lock, state } = lockOf();
    const masterPassword = createMasterPassword(lock);
    const done = masterPassword.use(() => Promise.resolve('shown'), { label: 'show' });
    await settle();
    state.failure = new Error('Failed to fetch');
    await masterPassword.remember(RIGHT);
    expect(masterPassword.view()).toEqual({
      state: 'in-entry',
      modal: { action: 'show', problem: 'Failed to fetch', isTrying: false },
    });
    state.failure = null;
    await masterPassword.remember(RIGHT);
    expect(await done).toBe('shown');
  });

  test('a damaged value is not a wrong password: the error is thrown, and the keys stay open', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    await masterPassword.enter(RIGHT);
    const damaged = new KeyringError({ code: 'integrity', detail: 'tag' });
    await expect(masterPassword.use(() => Promise.reject(damaged), { label: 'show' })).rejects.toBe(damaged);
    expect(masterPassword.view()).toEqual({ state: 'validated', modal: null });
  });

  test('locked during the action: asks again and runs again', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    await masterPassword.enter(RIGHT);
    let runs = 0;
    const done = masterPassword.use(
      () => {
        runs += 1;
        if (runs > 1) return Promise.resolve('shown');
        lock.lock();
        return Promise.reject(new KeyringError({ code: 'locked' }));
      },
      { label: 'show' },
    );
    await settle();
    expect(masterPassword.view()).toMatchObject({ state: 'in-entry', modal: { action: 'show', problem: null } });
    await masterPassword.remember(RIGHT);
    expect(await done).toBe('shown');
  });

  test('a password typed into a form is tried first; a wrong one opens the modal', async () => {
    const { lock, state } = lockOf();
    const masterPassword = createMasterPassword(lock);
    const done = masterPassword.use(() => Promise.resolve('imported'), { label: 'import', typed: 'wrong' });
    await settle();
    expect(masterPassword.view()).toMatchObject({
      state: 'incorrect',
      modal: { action: 'import', problem: 'MasterPassword is invalid' },
    });
    await masterPassword.remember(RIGHT);
    expect(await done).toBe('imported');
    expect(state.tried).toEqual(['wrong', RIGHT]);
  });
});

describe('when the session ends', () => {
  test('waiting actions are cancelled, and the next person sees nothing of them', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    let runs = 0;
    const waiting = masterPassword.use(() => Promise.resolve((runs += 1)), {
      label: 'show the value of “Root account”',
    });
    const ended = expect(waiting).rejects.toBeInstanceOf(MasterPasswordCancelled);
    await settle();
    masterPassword.forget();
    await ended;
    expect(masterPassword.view()).toEqual({ state: 'not entered', modal: null });
    await masterPassword.enter(RIGHT);
    await settle();
    expect(runs).toBe(0);
  });

  test('the state of a wrong password is reset', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    masterPassword.open();
    await masterPassword.remember('wrong');
    masterPassword.close();
    expect(masterPassword.view().state).toBe('incorrect');
    masterPassword.forget();
    expect(masterPassword.view()).toEqual({ state: 'not entered', modal: null });
  });

  test.each([
    ['fails because the keys were locked', () => Promise.reject(new KeyringError({ code: 'locked' }))],
    ['is refused as wrong', () => Promise.reject(wrongMasterPassword())],
    ['succeeds', () => Promise.resolve('done')],
  ])('a running action that %s ends as cancelled, without a question or a message', async (_, end) => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    await masterPassword.enter(RIGHT);
    let go = () => undefined as void;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const running = masterPassword.use<unknown>(() => gate.then(end), { label: 'copy' });
    lock.lock();
    masterPassword.forget();
    go();
    await expect(running).rejects.toBeInstanceOf(MasterPasswordCancelled);
    expect(masterPassword.view()).toEqual({ state: 'not entered', modal: null });
  });

  test('a password that is being tried ends as cancelled and changes no state', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    const tried = masterPassword.use(() => Promise.resolve(1), { label: 'import', typed: 'wrong' });
    const ended = expect(tried).rejects.toBeInstanceOf(MasterPasswordCancelled);
    masterPassword.forget();
    await ended;
    expect(masterPassword.view()).toEqual({ state: 'not entered', modal: null });
  });
});

test('a wrong password does not open the modal after its action was aborted', async () => {
  const { lock } = lockOf();
  const masterPassword = createMasterPassword(lock);
  const stop = new AbortController();
  const options = { label: 'import', typed: 'wrong', signal: stop.signal };
  const tried = masterPassword.use(() => Promise.resolve(1), options);
  const ended = expect(tried).rejects.toMatchObject({ name: 'AbortError' });
  stop.abort();
  await ended;
  expect(masterPassword.view().modal).toBeNull();
});

test('a wrong password without open keys does not lock other tabs', async () => {
  const { lock } = lockOf();
  let locks = 0;
  lock.onLocked(() => (locks += 1));
  const masterPassword = createMasterPassword(lock);
  const done = masterPassword.use(() => Promise.resolve(1), { label: 'import', typed: 'wrong' });
  await settle();
  expect(locks).toBe(0);
  await masterPassword.remember(RIGHT);
  await done;
});

describe('the modal without a waiting action', () => {
  test('opened and closed by the icon returns to not entered, without an error', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    masterPassword.open();
    expect(masterPassword.view()).toEqual({
      state: 'in-entry',
      modal: { action: null, problem: null, isTrying: false },
    });
    masterPassword.close();
    await settle();
    expect(masterPassword.view()).toEqual({ state: 'not entered', modal: null });
  });

  test('an empty password is refused without a try', async () => {
    const { lock, state } = lockOf();
    const masterPassword = createMasterPassword(lock);
    masterPassword.open();
    await masterPassword.remember('');
    expect(masterPassword.view().modal?.problem).toBe('MasterPassword is missing');
    expect(state.tried).toEqual([]);
  });

  test('locking elsewhere resets validated to not entered', async () => {
    const { lock } = lockOf();
    const masterPassword = createMasterPassword(lock);
    await masterPassword.enter(RIGHT);
    lock.lock();
    expect(masterPassword.view().state).toBe('not entered');
  });
});
