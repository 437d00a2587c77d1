/**
 * Synchronous on Node, a promise with WebCrypto (ADR 2): promises take a quarter of the time of bulk sealing.
 */

export type MaybePromise<T> = T | Promise<T>;

/** Synchronous if the value is ready. */
export const andThen = <T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(then) : then(value);

export const bothThen = <A, B, R>(
  one: MaybePromise<A>,
  other: MaybePromise<B>,
  then: (one: A, other: B) => MaybePromise<R>,
): MaybePromise<R> =>
  one instanceof Promise || other instanceof Promise
    ? Promise.all([one, other]).then(([a, b]) => then(a, b))
    : then(one, other);

/** `last` runs once, after success or failure. */
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
