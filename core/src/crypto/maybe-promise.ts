/**
 * Values that are ready at once on Node and later with WebCrypto (ADR 2): promises would take a quarter of
 * the time of bulk sealing.
 */

export type MaybePromise<T> = T | Promise<T>;

/** Calls `then` with the value, synchronously if it is ready. */
export const andThen = <T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(then) : then(value);

/** Like `andThen`, with two values. */
export const bothThen = <A, B, R>(
  one: MaybePromise<A>,
  other: MaybePromise<B>,
  then: (one: A, other: B) => MaybePromise<R>,
): MaybePromise<R> =>
  one instanceof Promise || other instanceof Promise
    ? Promise.all([one, other]).then(([a, b]) => then(a, b))
    : then(one, other);

/** Calls `last` once, after success or failure. */
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
