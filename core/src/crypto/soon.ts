/** Answers that are there at once on one platform and later on the other: a promise for each of ten thousands would cost a quarter of their time. */

export type Soon<T> = T | Promise<T>;

/** Goes on with the answer: now when it is there, otherwise when it is. */
export const whenThere = <T, R>(answer: Soon<T>, then: (answer: T) => Soon<R>): Soon<R> =>
  answer instanceof Promise ? answer.then(then) : then(answer);
