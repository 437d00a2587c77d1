/**
 * Retries operations that need the account password of the last ten minutes (docs/spec/api.md §1.4).
 * Concurrent ones share one dialog.
 */
import { AppError } from '@passwordbroker/core/contract/problem';

/** The operation is dropped silently. */
export class ConfirmationCancelled extends Error {
  override readonly name = 'ConfirmationCancelled';
  constructor() {
    super('The confirmation of the password was cancelled');
  }
}

interface Question {
  readonly answered: Promise<void>;
  readonly answer: () => void;
  readonly refuse: (failure: Error) => void;
}

function ask(): Question {
  let answer: Question['answer'] = () => undefined;
  let refuse: Question['refuse'] = () => undefined;
  const answered = new Promise<void>((resolve, reject) => {
    answer = resolve;
    refuse = reject;
  });
  return { answered, answer, refuse };
}

export function createFreshSignIn() {
  let question: Question | null = null;
  /** A new object for each question. */
  let last: { readonly isConfirmed: boolean } | null = null;
  const listeners = new Set<() => void>();

  const put = (next: Question | null) => {
    question = next;
    for (const listener of listeners) listener();
  };

  /** @throws ConfirmationCancelled; what the operation throws */
  async function run<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      const before = last;
      try {
        return await act();
      } catch (failure) {
        if (!(failure instanceof AppError) || failure.code !== 'reauth_required') throw failure;
      }
      if (last !== before) {
        // Another operation's question was answered while this one ran.
        if (last?.isConfirmed === true) continue;
        throw new ConfirmationCancelled();
      }
      if (question === null) put(ask());
      await question?.answered;
    }
  }

  return {
    isAsking: () => question !== null,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    run,

    /** Null if the person closed the dialog. */
    async tryRun<T extends object>(act: () => Promise<T>): Promise<T | null> {
      try {
        return await run(act);
      } catch (failure) {
        if (failure instanceof ConfirmationCancelled) return null;
        throw failure;
      }
    },

    confirmed: () => {
      const asked = question;
      last = { isConfirmed: true };
      put(null);
      asked?.answer();
    },

    cancel: () => {
      const asked = question;
      if (asked === null) return;
      last = { isConfirmed: false };
      put(null);
      asked.refuse(new ConfirmationCancelled());
    },
  };
}
