/** Reproducible randomness: the same seed gives the same walk (mulberry32). */
export interface Chance {
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number;
  /** One of these, at random. */
  of<T>(choices: readonly T[]): T;
  /** True once in so many times. */
  oneIn(times: number): boolean;
}

export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    of<T>(choices: readonly T[]): T {
      if (choices.length === 0) throw new Error('Nothing to choose from');
      return choices[below(choices.length)] as T;
    },
    oneIn: (times) => below(times) === 0,
  };
}
