/** Time-based one-time passwords (RFC 6238; docs/spec/decisions.md H10). */
import { Secret, TOTP, URI } from 'otpauth';
import { TOTP_ALGORITHMS, type TotpAlgorithm } from './field-kinds.ts';
import { LIMITS } from '../limits.ts';

export interface ParsedTotp {
  readonly secret: string;
  readonly algorithm?: TotpAlgorithm;
  readonly period?: number;
}

const BASE32 = /^[A-Z2-7]+$/;
/** Lengths of an incomplete base32 group (RFC 4648 §6). */
const TAILS = new Set([0, 2, 4, 5, 7]);

function normaliseSecret(text: string): string | null {
  const secret = text.replaceAll(/[\s-]/g, '').replace(/=+$/, '').toUpperCase();
  return BASE32.test(secret) && TAILS.has(secret.length % 8) ? secret : null;
}

/** Base32 of any case, or an `otpauth://totp/` address of six-digit codes; null for anything else. */
export function parseTotpSecret(text: string): ParsedTotp | null {
  const trimmed = text.trim();
  if (!/^otpauth:/i.test(trimmed)) {
    const secret = normaliseSecret(trimmed);
    return secret === null ? null : { secret };
  }
  try {
    const parsed = URI.parse(trimmed);
    if (!(parsed instanceof TOTP)) return null;
    const algorithm = TOTP_ALGORITHMS.find((name) => name === parsed.algorithm.toLowerCase().replace('-', ''));
    const secret = normaliseSecret(parsed.secret.base32);
    // docs/spec/product.md §9: only six digits, no Steam codes.
    if (parsed.digits !== 6 || /[?&]encoder=(?!totp(?:&|$))/i.test(trimmed)) return null;
    if (secret === null || algorithm === undefined || !isPeriod(parsed.period)) return null;
    return { secret, algorithm, period: parsed.period };
  } catch {
    return null;
  }
}

export const isPeriod = (period: number) =>
  Number.isSafeInteger(period) && period >= LIMITS.totpPeriodMin && period <= LIMITS.totpPeriodMax;

/** @param now Unix ms */
export function totpCode(
  totp: { readonly secret: string; readonly algorithm: TotpAlgorithm; readonly period: number },
  now: number,
): { code: string; secondsLeft: number } {
  const { secret, algorithm, period } = totp;
  const generator = new TOTP({ secret: Secret.fromBase32(secret), algorithm, period, digits: 6 });
  return { code: generator.generate({ timestamp: now }), secondsLeft: period - (Math.floor(now / 1000) % period) };
}
