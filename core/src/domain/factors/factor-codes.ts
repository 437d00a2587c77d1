/** Codes of second factors: of an authenticator app (RFC 6238) and recovery codes. */
import { HOTP, Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Length of the secret of an authenticator app. */
export const AUTHENTICATOR_BYTES = 20;
/** Length of a recovery code: 16 symbols of five bits. */
export const RECOVERY_CODE_BYTES = 10;
/** Number of recovery codes that the first factor comes with. */
export const RECOVERY_CODES = 10;

/** Crockford's base32: no I, L, O and U. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface ReadCode {
  readonly kind: 'totp' | 'recovery';
  readonly code: string;
}

/**
 * Reads what a person typed: six digits are a code of an authenticator app, 16 symbols a recovery code. Ignores case,
 * spaces and hyphens, and accepts digits of any script. Null for anything else.
 */
export function readFactorCode(text: string): ReadCode | null {
  const code = typed(text);
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code };
  const symbols = readSymbols(code, 16);
  return symbols === null ? null : { kind: 'recovery', code: symbols };
}

/** Reads so many symbols of a code that a person typed, as leniently. Null for anything else. */
export function readSymbols(text: string, length: number): string | null {
  const symbols = typed(text).replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  return symbols.length === length && [...symbols].every((symbol) => SYMBOLS.includes(symbol)) ? symbols : null;
}

const typed = (text: string): string =>
  [...text.normalize('NFKC').replaceAll(/[\s\p{Pd}]/gu, '')].map(asDigit).join('').toUpperCase();

/** In Unicode, decimal digits are in blocks of ten that begin at zero. */
function asDigit(symbol: string): string {
  if (!/\p{Nd}/u.test(symbol)) return symbol;
  const point = symbol.codePointAt(0) ?? 0;
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(point - zero);
}

/** The symbols of a code's bytes, as the server stores them (hashed). */
export function recoveryCodeOf(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => SYMBOLS[Number.parseInt(five, 2)]).join('');
}

/** In groups of four: `7K3M-Q2ZD-0VHX-9RTB`. */
export const showRecoveryCode = (code: string): string => (code.match(/.{4}/g) ?? []).join('-');

/**
 * The codes that are valid now, each with the number of its time step: the present step, the one before and the one
 * after.
 * @param now Unix ms
 */
export function codesAround(secret: Uint8Array, now: number): { readonly step: number; readonly code: string }[] {
  const present = Math.floor(now / STEP_MS);
  const shared = new Secret({ buffer: Uint8Array.from(secret).buffer });
  return [present, present - 1, present + 1].map((step) => ({
    step,
    code: HOTP.generate({ secret: shared, algorithm: 'SHA1', digits: DIGITS, counter: step }),
  }));
}

/** The secret in base32, and its `otpauth://` address for the QR code. @param site URL */
export function authenticatorOf(
  secret: Uint8Array,
  { site, email }: { readonly site: string; readonly email: string },
): { readonly secret: string; readonly uri: string } {
  const shared = new Secret({ buffer: Uint8Array.from(secret).buffer });
  // Apps overwrite an entry of the same issuer and name.
  const issuer = `PasswordBroker (${new URL(site).host})`;
  const address = new TOTP({ secret: shared, issuer, label: email, algorithm: 'SHA1', digits: DIGITS, period: 30 });
  return { secret: shared.base32, uri: address.toString() };
}
