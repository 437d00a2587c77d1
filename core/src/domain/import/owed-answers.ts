/** What a second thread of an import still owes the first: each order that went to it, until its answer is there. */

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (failure: unknown) => void;
}

export interface OwedAnswers<Answer> {
  /** Gives the order away under a number of its own. Fulfilled or rejected with what is said to that number; at once with the failure when all failed before. */
  ask(order: (id: number) => void): Promise<Answer>;
  /** A number that nobody waits for is passed over, like each of the following. */
  answer(id: number, answer: Answer): void;
  fail(id: number, failure: unknown): void;
  /** Whoever owed them is gone: nothing that waits will come, nor what is asked for later. */
  failAll(failure: unknown): void;
}

export function owedAnswers<Answer>(): OwedAnswers<Answer> {
  const waiting = new Map<number, Waiting<Answer>>();
  let lastId = 0;
  let gone: { readonly failure: unknown } | null = null;
  const taken = (id: number) => {
    const one = waiting.get(id);
    waiting.delete(id);
    return one;
  };
  return {
    ask: (order) =>
      new Promise((resolve, reject) => {
        if (gone !== null) return reject(gone.failure);
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        order(lastId);
      }),
    answer: (id, answer) => taken(id)?.resolve(answer),
    fail: (id, failure) => taken(id)?.reject(failure),
    failAll(failure) {
      gone = { failure };
      for (const one of waiting.values()) one.reject(failure);
      waiting.clear();
    },
  };
}
