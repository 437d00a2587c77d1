/** What a measurement tells, and what it is held against. */

export interface Measure {
  /** Name in the table and in the budget. */
  readonly what: string;
  /** As it is printed: `1,234 a second`. */
  readonly value: string;
  /** What the same machine allows in the same run: `7,601 durable commits a second`. */
  readonly limit: string;
  /** The value as a share of the limit, or a multiple of it; null where there is none. */
  readonly ratio: number | null;
  /** Whether a higher ratio is a better one. */
  readonly isMoreBetter: boolean;
  /** What is asked for; null where nothing is. */
  readonly goal: Goal | null;
}

export interface Goal {
  readonly text: string;
  readonly holds: boolean;
  /** Of a time: it is longer on a slower machine. */
  readonly ms?: { readonly value: number; readonly most: number };
}

interface Parts {
  readonly goal?: Goal;
}

/** Something counted in a second, beside as many as the machine can do of the least part of it. */
export function rate(
  what: string,
  aSecond: number,
  limit: { readonly text: string; readonly aSecond: number },
  { goal }: Parts = {},
): Measure {
  return {
    what,
    value: `${number(aSecond)} a second`,
    limit: `${number(limit.aSecond)} ${limit.text} a second`,
    ratio: aSecond / limit.aSecond,
    isMoreBetter: true,
    goal: goal ?? null,
  };
}

/** A time in milliseconds, beside that of the least part of it. */
export function time(
  what: string,
  ms: number,
  limit: { readonly text: string; readonly ms: number } | null,
  { goal }: Parts = {},
): Measure {
  return {
    what,
    value: `${number(ms)} ms`,
    limit: limit === null ? '' : `${number(limit.ms)} ms ${limit.text}`,
    ratio: limit === null ? null : ms / limit.ms,
    isMoreBetter: false,
    goal: goal ?? null,
  };
}

/** A size, of memory or on the wire. */
export function size(what: string, value: number, unit: 'MB' | 'kB', { goal }: Parts = {}): Measure {
  return { what, value: `${number(value)} ${unit}`, limit: '', ratio: null, isMoreBetter: false, goal: goal ?? null };
}

/** Three significant digits, thousands apart. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const under = (value: number, most: number, unit: 'ms' | 'MB' | 'kB'): Goal => ({
  text: `under ${number(most)} ${unit}`.replace(/\.0+ /, ' '),
  holds: value < most,
  ...(unit === 'ms' ? { ms: { value, most } } : {}),
});
export const atLeast = (ratio: number, least: number) => ({ text: `at least ${least} of it`, holds: ratio >= least });
export const atMost = (ratio: number, most: number) => ({ text: `at most ${most} times`, holds: ratio <= most });
