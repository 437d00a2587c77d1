import { FIELD_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import type { TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import { parseTotpSecret, totpCode } from '@passwordbroker/core/domain/fields/totp';
import type { Revealed } from '@passwordbroker/client/vault/vault';

const REFRESH_DELAY_MS = 500;
export const LAST_SECONDS = 5;

interface TotpMoment {
  /** The time whose code is shown, in Unix milliseconds. */
  readonly codeAt: number;
  /** Whole seconds until the countdown ends; 0 while refreshing. */
  readonly secondsLeft: number;
  /** True during the delay, while the old code is shown. */
  readonly isRefreshing: boolean;
  /** Milliseconds until the next change. */
  readonly next: number;
}

/**
 * When a shown TOTP code changes: at the end of the countdown, with a delay of 500 ms at the
 * 30 and 59 second marks (docs/spec/product.md §4).
 * @param period seconds
 */
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

/** The usual lifetime of a code. */
const MOST_MS = 30_000;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS: readonly (readonly [number, string])[] = [
  [2 * DAY, 'day'],
  [2 * HOUR, 'hour'],
  [2 * MINUTE, 'minute'],
];
const SIZES: Readonly<Record<string, number>> = { day: DAY, hour: HOUR, minute: MINUTE };

/** In the largest unit with at least two, rounded. */
export function differenceText(milliseconds: number): string {
  const unit = UNITS.find(([least]) => milliseconds >= least)?.[1] ?? 'second';
  return `${Math.round(milliseconds / (SIZES[unit] ?? 1000))} ${unit}s`;
}

interface Known {
  /** Milliseconds that the device is ahead of the server. */
  readonly difference: number;
  /** Milliseconds of the device's clock. */
  readonly now: number;
  /** When the local copy was made, in Unix seconds of the server; null if online. */
  readonly copyOf: number | null;
}

/** Hint that TOTP codes are wrong (docs/spec/threats.md M34); null if the clock is not known to be wrong. */
export function clockHint({ difference, now, copyOf }: Known): string | null {
  if (Math.abs(difference) > MOST_MS) return TEXTS.clockOff(differenceText(Math.abs(difference)), difference > 0);
  const behind = copyOf === null ? 0 : copyOf * 1000 - now;
  return behind > MOST_MS ? TEXTS.clockBehindCopy(differenceText(behind)) : null;
}

export interface PresentTotp {
  readonly secret: string;
  readonly algorithm: TotpAlgorithm;
  /** Seconds. */
  readonly period: number;
}

/** Parameters of a revealed TOTP; null if the sealed text is not a valid secret. */
export function presentTotp({ text, totp }: Revealed): PresentTotp | null {
  const parsed = parseTotpSecret(text);
  return parsed === null || totp === null ? null : { secret: parsed.secret, ...totp };
}

/** The code at `now`, or the sealed text if it is not a valid secret. */
export function presentCode(revealed: Revealed, now = Date.now()): string {
  const totp = presentTotp(revealed);
  return totp === null ? revealed.text : totpCode(totp, now).code;
}
