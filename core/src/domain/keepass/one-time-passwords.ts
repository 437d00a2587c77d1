/** Spellings of KeePass and its plug-ins (docs/spec/decisions.md H7). */
import { Secret } from 'otpauth';
import { type Bytes, decodeBase64, decodeHex, utf8 } from '../../crypto/bytes.ts';
import type { TotpAlgorithm } from '../fields/field-kinds.ts';
import { isPeriod, parseTotpSecret } from '../fields/totp.ts';

export interface ReadTotp {
  readonly secret: string;
  readonly algorithm: TotpAlgorithm;
  readonly period: number;
}

export type Strings = ReadonlyMap<string, string>;

export interface FoundTotp {
  readonly totp: ReadTotp;
  readonly keys: readonly string[];
}

interface Spelling {
  readonly keys: readonly string[];
  /** Null unless it is a time-based code of six digits. */
  read(strings: Strings): ReadTotp | null;
}

interface Written {
  readonly secret: string | null;
  readonly algorithm?: string | null | undefined;
  readonly period?: string | null | undefined;
  readonly digits?: string | null | undefined;
}

const ALGORITHMS: Readonly<Record<string, TotpAlgorithm>> = {
  'HMAC-SHA-1': 'sha1',
  'HMAC-SHA-256': 'sha256',
  'HMAC-SHA-512': 'sha512',
  SHA1: 'sha1',
  SHA256: 'sha256',
  SHA512: 'sha512',
};

function totpOf(written: Written): ReadTotp | null {
  const parsed = written.secret === null ? null : parseTotpSecret(written.secret);
  const algorithm = ALGORITHMS[given(written.algorithm, 'SHA1').toUpperCase()];
  const period = Number(given(written.period, '30'));
  const isShown = algorithm !== undefined && isPeriod(period) && given(written.digits, '6') === '6';
  return parsed !== null && isShown ? { secret: parsed.secret, algorithm, period } : null;
}

function given(text: string | null | undefined, otherwise: string): string {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? otherwise : trimmed;
}

type ToBytes = (text: string) => Bytes;
const fromHex: ToBytes = (text) => decodeHex(text.replaceAll(/\s/g, ''));
const fromBase64: ToBytes = (text) => {
  const bare = text.replaceAll(/[\s=]/g, '');
  return decodeBase64(bare.padEnd(Math.ceil(bare.length / 4) * 4, '='));
};

function base32Of(text: string, toBytes: ToBytes): string | null {
  try {
    const bytes = toBytes(text.trim());
    return bytes.length === 0 ? null : new Secret({ buffer: bytes.buffer }).base32;
  } catch {
    return null;
  }
}

/** `otp`: an address (KeePassXC), or `key=…&step=…` (KeeOtp). */
const OTP_STRING: Spelling = {
  keys: ['otp'],
  read(strings) {
    const text = strings.get('otp')?.trim() ?? '';
    const parsed = parseTotpSecret(text);
    if (parsed !== null) return { algorithm: 'sha1', period: 30, ...parsed };
    // `URLSearchParams` turns plus signs into spaces.
    const query = new URLSearchParams(text.replaceAll('+', '%2B'));
    if (given(query.get('type'), 'totp').toLowerCase() !== 'totp') return null;
    return totpOf({
      secret: keeOtpSecret(query.get('key'), given(query.get('encoding'), 'base32').toLowerCase()),
      algorithm: query.get('otpHashMode'),
      period: query.get('step'),
      digits: query.get('size'),
    });
  },
};

function keeOtpSecret(key: string | null, encoding: string): string | null {
  if (key === null || encoding === 'base32') return key;
  const toBytes = { hex: fromHex, base64: fromBase64, utf8 }[encoding];
  return toBytes === undefined ? null : base32Of(key, toBytes);
}

/** `TimeOtp-*`: KeePass 2.47 and later. */
const TIME_OTP_SECRETS: Readonly<Record<string, (text: string) => string | null>> = {
  'TimeOtp-Secret-Base32': (text) => text,
  'TimeOtp-Secret-Hex': (text) => base32Of(text, fromHex),
  'TimeOtp-Secret-Base64': (text) => base32Of(text, fromBase64),
  'TimeOtp-Secret': (text) => base32Of(text, utf8),
};
const TIME_OTP: Spelling = {
  keys: [...Object.keys(TIME_OTP_SECRETS), 'TimeOtp-Period', 'TimeOtp-Algorithm', 'TimeOtp-Length'],
  read(strings) {
    for (const [key, convert] of Object.entries(TIME_OTP_SECRETS)) {
      const text = strings.get(key) ?? '';
      if (text.trim() === '') continue;
      return totpOf({
        secret: convert(text),
        algorithm: strings.get('TimeOtp-Algorithm'),
        period: strings.get('TimeOtp-Period'),
        digits: strings.get('TimeOtp-Length'),
      });
    }
    return null;
  },
};

/** `TOTP Seed` with `TOTP Settings` such as `30;6` (KeeTrayTOTP). */
const SEED_AND_SETTINGS: Spelling = {
  keys: ['TOTP Seed', 'TOTP Settings'],
  read(strings) {
    const [period, digits] = (strings.get('TOTP Settings') ?? '').split(';');
    return totpOf({ secret: strings.get('TOTP Seed') ?? null, period, digits });
  },
};

const SPELLINGS = [OTP_STRING, TIME_OTP, SEED_AND_SETTINGS] as const;

export interface FoundTotps {
  readonly found: readonly FoundTotp[];
  readonly unread: number;
}

/** Equal ones in several spellings count once. */
export function readOneTimePasswords(strings: Strings): FoundTotps {
  const found = new Map<string, FoundTotp>();
  let unread = 0;
  for (const spelling of SPELLINGS) {
    const { keys } = spelling;
    const present = keys.filter((key) => (strings.get(key) ?? '').trim() !== '');
    if (present.length === 0) continue;
    const totp = spelling.read(strings);
    if (totp === null) {
      unread += 1;
      continue;
    }
    const same = `${totp.secret} ${totp.algorithm} ${totp.period}`;
    found.set(same, { totp, keys: [...(found.get(same)?.keys ?? []), ...keys] });
  }
  return { found: [...found.values()], unread };
}
