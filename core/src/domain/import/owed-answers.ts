/** Requests to another thread that wait for their responses, by id. */

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (failure: unknown) => void;
}

export interface OwedAnswers<Answer> {
  /** Sends a request with a new id and waits for its response. Rejects at once after `failAll`. */
  ask(order: (id: number) => void): Promise<Answer>;
  /** Unknown request ids are ignored, here and in `fail`. */
  answer(id: number, answer: Answer): void;
  fail(id: number, failure: unknown): void;
  /** Rejects all waiting and later requests, because the other thread has ended. */
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
