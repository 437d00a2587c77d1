/**
 * When a shown TOTP code changes (docs/spec/product.md §4): when the countdown ends, with a delay
 * of 500 ms at the 30 and 59 second marks, that is where the clock reaches second 30 and where
 * second 59 ends. During the delay the ring is empty and the old code dimmed.
 */

const REFRESH_DELAY_MS = 500;
/** At this number of seconds the ring turns to a warning. */
export const LAST_SECONDS = 5;

export interface TotpMoment {
  /** The time whose code is shown, in Unix milliseconds. */
  readonly codeAt: number;
  /** Whole seconds until the countdown ends; 0 while refreshing. */
  readonly secondsLeft: number;
  /** True during the delay, while the old code is shown. */
  readonly isRefreshing: boolean;
  /** Milliseconds until the next change. */
  readonly next: number;
}

/** @param period seconds */
export function totpMoment(now: number, period: number): TotpMoment {
  const periodMs = period * 1000;
  const sinceTurn = now % periodMs;
  const turn = now - sinceTurn;
  if (sinceTurn < REFRESH_DELAY_MS && isMark(turn)) {
    return { codeAt: turn - 1, secondsLeft: 0, isRefreshing: true, next: REFRESH_DELAY_MS - sinceTurn };
  }
  const secondsLeft = Math.ceil((periodMs - sinceTurn) / 1000);
  return { codeAt: now, secondsLeft, isRefreshing: false, next: 1000 - (now % 1000) };
}

function isMark(turn: number): boolean {
  const second = Math.floor(turn / 1000) % 60;
  return second === 30 || second === 0;
}
