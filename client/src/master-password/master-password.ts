/**
 * Runs actions that need the master password (docs/spec/product.md §4): opens the modal while locked, retries
 * after a wrong password, drops the action on close. Never keeps the text (docs/spec/decisions.md K4).
 */
import { wrongMasterPassword, AppError } from '@passwordbroker/core/contract/problem';
import { isLocked, KeyringError } from '../keyring/keyring-error.ts';
import { MASTER_PASSWORD_TEXTS as TEXTS } from '../texts/master-password.ts';
import { afterEvent, isClickable, type MasterPasswordEvent, type MasterPasswordState } from './states.ts';
import type { AskPasskey } from '../keyring/passkey-answer.ts';
import type { Session } from '../session/session.ts';

/** Thrown when the person closes the prompt; callers show nothing. */
export class MasterPasswordCancelled extends Error {
  override readonly name = 'MasterPasswordCancelled';
  constructor() {
    super('The entry of the master password was cancelled');
  }
}

export interface Lock {
  isOpen(): boolean;
  /** @throws KeyringError 'wrong_master_password'; other errors say nothing about the password */
  unlock(by: string | AskPasskey): Promise<void>;
  lock(): void;
  onLocked(listener: () => void): () => void;
  onOpened?(listener: () => void): () => void;
}

export interface MasterPasswordView {
  readonly state: MasterPasswordState;
  readonly modal: Modal | null;
}

interface Modal {
  /** Starts with a verb: 'show the value of “Root account”'. Null: the icon opened the modal. */
  readonly action: string | null;
  readonly problem: string | null;
  readonly isTrying: boolean;
}

export interface UseOptions {
  readonly label: string;
  /** From the action's own form: tried before the modal opens. */
  readonly typed?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MasterPasswordHooks {
  /** Called with a right master password; must not store it. */
  readonly onEntered?: (masterPassword: string) => void;
  /**
   * Asks the person about a failure; then the action runs again. Null: no question. Rejects with
   * MasterPasswordCancelled.
   */
  readonly ask?: (failure: unknown) => Promise<void> | null;
}

export function createMasterPassword(lock: Lock, { onEntered, ask }: MasterPasswordHooks = {}) {
  let view: MasterPasswordView = { state: lock.isOpen() ? 'validated' : 'not entered', modal: null };
  let entry: Deferred | null = null;
  /** The unlock that is running: an action waits for it instead of asking. Never rejects. */
  let trying: Promise<unknown> | null = null;
  /** Counts sign-outs; an action that began before one is cancelled. */
  let signOuts = 0;
  const listeners = new Set<() => void>();

  const show = (next: Partial<MasterPasswordView>) => {
    view = { ...view, ...next };
    for (const listener of listeners) listener();
  };
  const after = (event: MasterPasswordEvent) => afterEvent(view.state, event);

  lock.onLocked(() => show({ state: after('locked') }));
  lock.onOpened?.(() => show({ state: 'validated' }));

  function openModal(action: string | null, problem: string | null): Promise<void> {
    if (entry === null) {
      const started = deferred();
      // If nothing waits, a close is no error.
      started.promise.catch(() => undefined);
      entry = started;
    }
    show({
      state: problem === null && view.state !== 'incorrect' ? after('opened') : view.state,
      modal: { action: view.modal?.action ?? action, problem, isTrying: false },
    });
    return entry.promise;
  }

  function endEntry(failure?: unknown) {
    const ended = entry;
    entry = null;
    if (failure === undefined) ended?.resolve();
    else ended?.reject(failure);
  }

  /** @throws AppError 'master_password_invalid'; other errors unchanged */
  async function enter(typed: string): Promise<void> {
    await tryToUnlock(typed);
    onEntered?.(typed);
  }

  async function tryToUnlock(by: string | AskPasskey): Promise<void> {
    show({ state: after('remembered') });
    const began = signOuts;
    const unlocking = lock.unlock(by);
    const settled = unlocking.catch(() => undefined);
    trying = settled;
    try {
      await unlocking;
      show({ state: after('accepted') });
    } catch (failure) {
      if (began !== signOuts) throw new MasterPasswordCancelled();
      if (!isWrongMasterPassword(failure)) {
        show({ state: after('not tried') });
        throw failure;
      }
      show({ state: after('refused') });
      throw wrongMasterPassword();
    } finally {
      if (trying === settled) trying = null;
    }
  }

  return {
    view: () => view,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isRemembered: () => lock.isOpen(),

    /** @throws MasterPasswordCancelled; what the action throws */
    async use<T>(action: () => Promise<T>, { label, typed, signal }: UseOptions): Promise<T> {
      const began = signOuts;
      let first = typed;
      const checkStillWanted = () => {
        if (began !== signOuts) throw new MasterPasswordCancelled();
        signal?.throwIfAborted();
      };
      for (;;) {
        try {
          if (!lock.isOpen() && trying !== null) {
            await trying;
            checkStillWanted();
          }
          if (!lock.isOpen()) {
            if (first === undefined) await openModal(label, null);
            else await enter(first);
            checkStillWanted();
          }
          first = undefined;
          const done = await action();
          if (began !== signOuts) throw new MasterPasswordCancelled();
          return done;
        } catch (failure) {
          first = undefined;
          checkStillWanted();
          if (isWrongMasterPassword(failure)) {
            // A typing error must not lock the other tabs.
            if (lock.isOpen()) lock.lock();
            show({ state: 'incorrect' });
            await openModal(label, TEXTS.invalid);
          } else if (!isLocked(failure)) {
            const asked = ask?.(failure) ?? null;
            if (asked === null) throw failure;
            await asked;
            checkStillWanted();
          }
        }
      }
    },

    /** For a form with its own input; does not open the modal. */
    enter,

    open: () => {
      if (isClickable(view.state) && view.modal === null) void openModal(null, null);
    },

    async remember(typed: string): Promise<void> {
      if (view.modal === null || view.modal.isTrying) return;
      if (typed === '') {
        show({ modal: { ...view.modal, problem: TEXTS.missing } });
        return;
      }
      show({ modal: { ...view.modal, problem: null, isTrying: true } });
      try {
        await enter(typed);
        show({ modal: null });
        endEntry();
      } catch (failure) {
        if (view.modal === null) return;
        const isWrong = isWrongMasterPassword(failure);
        if (!isWrong) show({ state: after('opened') });
        show({ modal: { ...view.modal, problem: isWrong ? TEXTS.invalid : textOf(failure), isTrying: false } });
      }
    },

    /** Instead of the master password; a failure says nothing about that one. */
    async usePasskey(ask: AskPasskey): Promise<void> {
      if (view.modal === null || view.modal.isTrying) return;
      const before = view.state;
      show({ modal: { ...view.modal, problem: null, isTrying: true } });
      try {
        await tryToUnlock(ask);
        show({ modal: null });
        endEntry();
      } catch (failure) {
        if (view.modal === null) return;
        show({ state: before, modal: { ...view.modal, problem: textOf(failure), isTrying: false } });
      }
    },

    /** The keys were opened without the master password: the waiting actions go on. */
    openedOtherwise: () => {
      show({ modal: null });
      endEntry();
    },

    /** Drops the waiting actions. */
    close: () => {
      show({ state: after('closed'), modal: null });
      endEntry(new MasterPasswordCancelled());
    },

    lock: () => lock.lock(),

    /** The next person must see nothing of this one. */
    forget: () => {
      signOuts += 1;
      show({ state: 'not entered', modal: null });
      endEntry(new MasterPasswordCancelled());
    },
  };
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(failure: unknown): void;
}

function deferred(): Deferred {
  let settle: Omit<Deferred, 'promise'> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, resolve: () => settle?.resolve(), reject: (failure) => settle?.reject(failure) };
}

export type MasterPassword = ReturnType<typeof createMasterPassword>;

/** 'Unable to read key' is the text of older servers. */
export function isWrongMasterPassword(failure: unknown): boolean {
  if (failure instanceof KeyringError) return failure.code === 'wrong_master_password';
  if (!(failure instanceof AppError)) return false;
  return failure.code === 'master_password_invalid' || failure.message === 'Unable to read key';
}

const textOf = (failure: unknown) => (failure instanceof Error ? failure.message : String(failure));

export function forgetWithSession(
  masterPassword: Pick<MasterPassword, 'forget'>,
  session: Pick<Session, 'subscribe' | 'view'>,
): void {
  session.subscribe(() => {
    if (session.view().user === null) masterPassword.forget();
  });
}
