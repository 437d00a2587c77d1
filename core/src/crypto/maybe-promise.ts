/**
 * Values that are ready at once with the primitives of Node and later with WebCrypto (ADR 2). A
 * promise for each of ten thousand seals would take a quarter of their time.
 */

export type MaybePromise<T> = T | Promise<T>;

/** Calls `then` with the value: now if it is ready, otherwise when it is. */
export const andThen = <T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(then) : then(value);

/** Calls `then` with both values. */
export const bothThen = <A, B, R>(
  one: MaybePromise<A>,
  other: MaybePromise<B>,
  then: (one: A, other: B) => MaybePromise<R>,
): MaybePromise<R> =>
  one instanceof Promise || other instanceof Promise
    ? Promise.all([one, other]).then(([a, b]) => then(a, b))
    : then(one, other);

/** Calls `last` once after the work, whether it succeeded or failed. */
export function andFinally<T>(work: () => MaybePromise<T>, last: () => void): MaybePromise<T> {
  let isPending = false;
  try {
    const value = work();
    isPending = value instanceof Promise;
    return value instanceof Promise ? value.finally(last) : value;
  } finally {
    if (!isPending) last();
  }
}
