/**
 * Questions that an act of the person waits for: whose key signed the group, and whether the account was last used as
 * the server shows. One at a time; acts that need the same answer wait for it together.
 */
import { KeyringError } from '../keyring/keyring-error.ts';
import { EntryCancelled } from '../master-password/master-password.ts';

type TrustQuestion =
  { readonly kind: 'signer'; readonly groupId: string } | { readonly kind: 'last-use'; readonly groupId: null };

export interface TrustQuestions {
  /** Null: nothing is asked. The same object until it changes. */
  readonly view: () => TrustQuestion | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** @returns null when the failure asks nothing; otherwise settles with the decision. Rejects with EntryCancelled */
  readonly ask: (failure: unknown) => Promise<void> | null;
  /** The decision was taken: what waits is tried again. */
  readonly decided: () => void;
  /** The person decided nothing: what waits is dropped. */
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
    cancel: () => end(new EntryCancelled()),
  };
}

/** A group without a key proof is not confirmed by a question: its failure is told. */
function questionOf(failure: unknown): TrustQuestion | null {
  if (!(failure instanceof KeyringError)) return null;
  const { groupId } = failure;
  if (failure.code === 'last_use') return { kind: 'last-use', groupId: null };
  if (failure.code !== 'group_unconfirmed' || failure.detail === 'no-proof' || groupId === undefined) return null;
  return { kind: 'signer', groupId };
}

export const trustQuestions = createTrustQuestions();
