/**
 * Acts that need the account password of the last ten minutes (docs/spec/api.md §1.4): refused, the dialog asks for it, and the act runs again.
 * Several acts at once share one dialog; closing it drops all of them.
 */
import { AppError } from '@passwordbroker/core/contract/problem';

/** The person closed the dialog, or is not signed in any more: the act is dropped, and nothing is said about it. */
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
  /** How the last question ended; another object each time. */
  let last: { readonly isConfirmed: boolean } | null = null;
  const listeners = new Set<() => void>();

  const put = (next: Question | null) => {
    question = next;
    for (const listener of listeners) listener();
  };

  /** Runs an act that may need a fresh sign-in. @throws ConfirmationCancelled; otherwise what the act throws */
  async function run<T>(act: () => Promise<T>): Promise<T> {
    for (;;) {
      const before = last;
      try {
        return await act();
      } catch (failure) {
        if (!(failure instanceof AppError) || failure.code !== 'reauth_required') throw failure;
      }
      if (last !== before) {
        // The question was asked for another act, and answered while this one was on its way.
        if (last?.isConfirmed === true) continue;
        throw new ConfirmationCancelled();
      }
      if (question === null) put(ask());
      await question?.answered;
    }
  }

  return {
    /** Whether the dialog is open. */
    isAsking: () => question !== null,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    run,

    /** As `run`; null when the person closed the dialog. @throws what the act throws */
    async tryRun<T extends object>(act: () => Promise<T>): Promise<T | null> {
      try {
        return await run(act);
      } catch (failure) {
        if (failure instanceof ConfirmationCancelled) return null;
        throw failure;
      }
    },

    /** Told by the dialog: the server took the password. */
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
