/**
 * Questions about a signer's key and the last use of the account. One at a time; operations that need the
 * same
 * answer share it.
 */
import { KeyringError } from '@passwordbroker/client/keyring/keyring-error';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';

type TrustQuestion =
  | { readonly kind: 'signer'; readonly groupId: string }
  | { readonly kind: 'last-use'; readonly groupId: null };

export interface TrustQuestions {
  /** The same object until it changes. */
  readonly view: () => TrustQuestion | null;
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Null if no question belongs to the failure; else resolves with the decision.
   * Rejects with MasterPasswordCancelled on Cancel.
   */
  readonly ask: (failure: unknown) => Promise<void> | null;
  /** The waiting operations try again. */
  readonly decided: () => void;
  /** Rejects them with MasterPasswordCancelled. */
  readonly cancel: () => void;
}

export function createTrustQuestions(): TrustQuestions {
  let open: {
    readonly question: TrustQuestion;
    readonly promise: Promise<void>;
    settle(failure?: unknown): void;
  } | null = null;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const end = (failure?: unknown) => {
    const ended = open;
    open = null;
    tell();
    ended?.settle(failure);
  };
  return {
    view: () => open?.question ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ask(failure) {
      const question = questionOf(failure);
      if (question === null) return null;
      if (open !== null) return open.promise;
      let settle: (failure?: unknown) => void = () => undefined;
      const promise = new Promise<void>((resolve, reject) => {
        settle = (reason) => (reason === undefined ? resolve() : reject(reason));
      });
      open = { question, promise, settle };
      tell();
      return promise;
    },
    decided: () => end(),
    cancel: () => end(new MasterPasswordCancelled()),
  };
}

/** A list without a key proof cannot be confirmed by a question. */
function questionOf(failure: unknown): TrustQuestion | null {
  if (!(failure instanceof KeyringError)) return null;
  const { groupId } = failure;
  if (failure.code === 'last_use') return { kind: 'last-use', groupId: null };
  if (failure.code !== 'group_unconfirmed' || failure.detail === 'no-proof' || groupId === undefined) return null;
  return { kind: 'signer', groupId };
}
