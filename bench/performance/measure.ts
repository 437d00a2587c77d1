/** Measurements, their limits and goals. */

export interface Measure {
  /** Name in the table and in the budget. */
  readonly what: string;
  /** For the table: `1,234 a second`. */
  readonly value: string;
  /** What the machine achieves in the same run: `7,601 durable commits a second`. */
  readonly limit: string;
  /** The value divided by the limit; null without a limit. */
  readonly ratio: number | null;
  /** Whether a higher ratio is better. */
  readonly isMoreBetter: boolean;
  /** Null if there is no goal. */
  readonly goal: Goal | null;
}

export interface Goal {
  readonly text: string;
  readonly holds: boolean;
  /** Times and rates are also compared with the reference machine. */
  readonly ms?: { readonly value: number; readonly most: number };
  readonly aSecond?: { readonly value: number; readonly least: number };
}

interface Parts {
  readonly goal?: Goal;
}

/** A rate, beside the rate that the machine allows. */
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

/** Milliseconds, beside those of the unavoidable part. */
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

/** Memory, or bytes on the wire. */
export function size(what: string, value: number, unit: 'MB' | 'kB', { goal }: Parts = {}): Measure {
  return { what, value: `${number(value)} ${unit}`, limit: '', ratio: null, isMoreBetter: false, goal: goal ?? null };
}

/** Three significant digits, with thousands separators. */
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
export const atLeastASecond = (value: number, least: number): Goal => ({
  text: `at least ${number(least)} a second`,
  holds: value >= least,
  aSecond: { value, least },
});
export const atLeast = (ratio: number, least: number) => ({ text: `at least ${least} of it`, holds: ratio >= least });
export const atMost = (ratio: number, most: number) => ({ text: `at most ${most} times`, holds: ratio <= most });
