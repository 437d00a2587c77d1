/**
 * The rule for every action that needs the master password (docs/spec/product.md §4, architecture 'One click'): locked → the modal opens and the
 * action waits; refused → the value is cleared, the state is incorrect, the modal reopens, the action runs again after re-entry; closed →
 * the pending action is dropped. What is remembered is the opened keyring, never the text (docs/spec/decisions.md K4).
 */
import { wrongMasterPassword, AppError } from '@passwordbroker/core/contract/problem';
import { isLocked, KeyringError } from '../keyring/keyring-error.ts';
import { MASTER_PASSWORD_TEXTS as TEXTS } from '../texts/master-password.ts';
import { afterEvent, isClickable, type MasterPasswordEvent, type MasterPasswordState } from './states.ts';

/** The person closed the modal, or is not signed in any more: whatever waited for it is dropped, and nothing is said about it. */
export class EntryCancelled extends Error {
  override readonly name = 'EntryCancelled';
  constructor() {
    super('The entry of the master password was cancelled');
  }
}

/** What is needed of the keyring: whether it is open, and how to open and lock it. */
export interface Lock {
  isOpen(): boolean;
  /** @throws KeyringError 'wrong_master_password'; anything else says nothing about the password */
  unlock(masterPassword: string): Promise<void>;
  lock(): void;
  onLocked(listener: () => void): () => void;
  /** It may be opened elsewhere: by whoever begins with the local copy. */
  onOpened?(listener: () => void): () => void;
}

export interface MasterPasswordView {
  readonly state: MasterPasswordState;
  /** null: the modal is closed. */
  readonly modal: Modal | null;
}

interface Modal {
  /** What waits, beginning with a verb: 'show the value of “Root account”'; null when the icon opened it. */
  readonly action: string | null;
  readonly problem: string | null;
  readonly isTrying: boolean;
}

export interface UseOptions {
  readonly label: string;
  /** Typed into the action's own form: tried before the modal is asked. */
  readonly typed?: string | undefined;
  /** Of an action that can be given up: once it is, nobody is asked for anything, and its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

export interface MasterPasswordHooks {
  /** Called with a master password that opened the keyring; must not store it. */
  readonly onEntered?: (masterPassword: string) => void;
  /** Asks what a failure is about: the action runs again after the decision. Null: it asks nothing. Rejects with EntryCancelled. */
  readonly ask?: (failure: unknown) => Promise<void> | null;
}

export function createMasterPassword(lock: Lock, { onEntered, ask }: MasterPasswordHooks = {}) {
  let view: MasterPasswordView = { state: lock.isOpen() ? 'validated' : 'not entered', modal: null };
  let entry: Deferred | null = null;
  /** Counts the persons: what one began is not gone on with for the next. */
  let persons = 0;
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
      // Opened by the icon, nothing waits: a close is no failure.
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

  /** @throws AppError 'master_password_invalid'; other failures as they are, without a word about the password */
  async function enter(typed: string): Promise<void> {
    show({ state: after('remembered') });
    const person = persons;
    try {
      await lock.unlock(typed);
      show({ state: after('accepted') });
      onEntered?.(typed);
    } catch (failure) {
      if (person !== persons) throw new EntryCancelled();
      if (!isWrongMasterPassword(failure)) {
        show({ state: after('not tried') });
        throw failure;
      }
      show({ state: after('refused') });
      throw wrongMasterPassword();
    }
  }

  return {
    view: () => view,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isRemembered: () => lock.isOpen(),

    /** @throws EntryCancelled when the person closes the modal; otherwise what the action throws */
    async use<T>(action: () => Promise<T>, { label, typed, signal }: UseOptions): Promise<T> {
      const person = persons;
      let first = typed;
      const checkStillWanted = () => {
        if (person !== persons) throw new EntryCancelled();
        signal?.throwIfAborted();
      };
      for (;;) {
        try {
          if (!lock.isOpen()) {
            if (first === undefined) await openModal(label, null);
            else await enter(first);
            checkStillWanted();
          }
          first = undefined;
          const done = await action();
          if (person !== persons) throw new EntryCancelled();
          return done;
        } catch (failure) {
          first = undefined;
          checkStillWanted();
          if (isWrongMasterPassword(failure)) {
            // Only what is open: a typing error here is no reason to lock the other tabs.
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

    /** For a form with its own input: opens the keyring or throws, and leaves the modal alone. */
    enter,

    /** The icon in the header; does nothing where it is not clickable. */
    open: () => {
      if (isClickable(view.state) && view.modal === null) void openModal(null, null);
    },

    /** 'Remember' and Enter in the modal. */
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

    /** Closing without remembering: whatever waited is dropped. */
    close: () => {
      show({ state: after('closed'), modal: null });
      endEntry(new EntryCancelled());
    },

    lock: () => lock.lock(),

    /** The session is over: nothing of this person, neither what waits nor how it stood, is met by the next one. */
    forget: () => {
      persons += 1;
      show({ state: 'not entered', modal: null });
      endEntry(new EntryCancelled());
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

/** From the worker or, for the server's own calls, from an answer ('Unable to read key' is the older server's text). */
export function isWrongMasterPassword(failure: unknown): boolean {
  if (failure instanceof KeyringError) return failure.code === 'wrong_master_password';
  if (!(failure instanceof AppError)) return false;
  return failure.code === 'master_password_invalid' || failure.message === 'Unable to read key';
}

const textOf = (failure: unknown) => (failure instanceof Error ? failure.message : String(failure));
