/** One-time passwords in the spellings of KeePass and its plug-ins (decision H7). */
import { Secret } from 'otpauth';
import { decodeHex } from '../../crypto/bytes.ts';
import type { TotpAlgorithm } from '../field-kinds.ts';
import { isPeriod, parseTotpSecret } from '../totp.ts';

export interface ReadTotp {
  readonly secret: string;
  readonly algorithm: TotpAlgorithm;
  readonly period: number;
}

/** Strings by key. */
export type Strings = ReadonlyMap<string, string>;

interface Spelling {
  /** The keys that belong to it: none of them becomes a field of its own when it could be read. */
  readonly keys: readonly string[];
  read(strings: Strings): ReadTotp | null;
}

const totp = (secret: string | undefined, algorithm: TotpAlgorithm | undefined, period: number): ReadTotp | null => {
  const parsed = secret === undefined ? null : parseTotpSecret(secret);
  return parsed === null || !isPeriod(period)
    ? null
    : { secret: parsed.secret, algorithm: algorithm ?? 'sha1', period };
};

const ALGORITHMS: Readonly<Record<string, TotpAlgorithm>> = {
  '': 'sha1',
  'HMAC-SHA-1': 'sha1',
  'HMAC-SHA-256': 'sha256',
  'HMAC-SHA-512': 'sha512',
  SHA1: 'sha1',
  SHA256: 'sha256',
  SHA512: 'sha512',
};

const hexToBase32 = (hex: string) => base32Of(() => new Uint8Array(decodeHex(hex.replaceAll(/\s/g, ''))));
const base64ToBase32 = (text: string) =>
  base32Of(() => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
const textToBase32 = (text: string) => base32Of(() => new TextEncoder().encode(text));

function base32Of(bytes: () => Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return new Secret({ buffer: bytes().buffer }).base32;
  } catch {
    return undefined;
  }
}

/** `otp`: an address (KeePassXC), or `key=…&step=…` (KeeOtp). */
const otpString: Spelling = {
  keys: ['otp'],
  read(strings) {
    const text = strings.get('otp')?.trim() ?? '';
    if (/^otpauth:/i.test(text)) {
      const parsed = parseTotpSecret(text);
      return parsed === null ? null : { algorithm: 'sha1', period: 30, ...parsed };
    }
    const query = new URLSearchParams(text);
    const hash = (query.get('otpHashMode') ?? '').toUpperCase();
    return totp(query.get('key') ?? undefined, ALGORITHMS[hash], Number(query.get('step') ?? 30));
  },
};

/** `TimeOtp-*`: KeePass 2.47 and later. */
const timeOtp: Spelling = {
  keys: [
    'TimeOtp-Secret',
    'TimeOtp-Secret-Hex',
    'TimeOtp-Secret-Base32',
    'TimeOtp-Secret-Base64',
    'TimeOtp-Period',
    'TimeOtp-Algorithm',
    'TimeOtp-Length',
  ],
  read(strings) {
    const given = (key: string, convert: (text: string) => string | undefined) => {
      const text = strings.get(key)?.trim();
      return text === undefined || text === '' ? undefined : convert(text);
    };
    const secret =
      given('TimeOtp-Secret-Base32', (text) => text) ??
      given('TimeOtp-Secret-Hex', hexToBase32) ??
      given('TimeOtp-Secret-Base64', base64ToBase32) ??
      given('TimeOtp-Secret', textToBase32);
    const period = Number(strings.get('TimeOtp-Period')?.trim() || 30);
    const algorithm = ALGORITHMS[strings.get('TimeOtp-Algorithm')?.trim().toUpperCase() ?? ''];
    return algorithm === undefined ? null : totp(secret, algorithm, period);
  },
};

/** `TOTP Seed` with `TOTP Settings` such as `30;6` (KeeTrayTOTP). */
const seedAndSettings: Spelling = {
  keys: ['TOTP Seed', 'TOTP Settings'],
  read(strings) {
    const [period = '30'] = (strings.get('TOTP Settings') ?? '30').split(';');
    return totp(strings.get('TOTP Seed'), undefined, Number(period));
  },
};

const SPELLINGS = [otpString, timeOtp, seedAndSettings] as const;

/** The one-time password of an entry, and the keys that it used up; null when none can be read (its strings are then kept as they are). */
export function readOneTimePassword(
  strings: Strings,
): { readonly totp: ReadTotp; readonly keys: readonly string[] } | null {
  for (const spelling of SPELLINGS) {
    if (!spelling.keys.some((key) => (strings.get(key) ?? '') !== '')) continue;
    const read = spelling.read(strings);
    if (read !== null) return { totp: read, keys: spelling.keys };
  }
  return null;
}
