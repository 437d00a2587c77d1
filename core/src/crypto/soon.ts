/** Answers that are there at once on one platform and later on the other: a promise for each of ten thousands would cost a quarter of their time. */

export type Soon<T> = T | Promise<T>;

/** Goes on with the answer: now when it is there, otherwise when it is. */
export const whenThere = <T, R>(answer: Soon<T>, then: (answer: T) => Soon<R>): Soon<R> =>
  answer instanceof Promise ? answer.then(then) : then(answer);

/** Goes on with two answers. */
export const whenBoth = <A, B, R>(one: Soon<A>, other: Soon<B>, then: (one: A, other: B) => Soon<R>): Soon<R> =>
  one instanceof Promise || other instanceof Promise
    ? Promise.all([one, other]).then(([a, b]) => then(a, b))
    : then(one, other);

/** Does the work, and the last thing when it is over, however it ended. */
export function withLast<T>(work: () => Soon<T>, last: () => void): Soon<T> {
  let isLater = false;
  try {
    const answer = work();
    isLater = answer instanceof Promise;
    return answer instanceof Promise ? answer.finally(last) : answer;
  } finally {
    if (!isLater) last();
  }
}
