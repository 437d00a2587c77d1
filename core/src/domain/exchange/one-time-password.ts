/** One-time passwords as other programs write them. */
import { Secret } from 'otpauth';
import { type Bytes, decodeBase64, decodeHex, utf8 } from '../../crypto/bytes.ts';
import type { TotpAlgorithm } from '../fields/field-kinds.ts';
import { isPeriod, parseTotpSecret } from '../fields/totp.ts';
import type { TreeField } from './tree.ts';
import { passwordField, type TreeBuilder } from './tree-builder.ts';

export interface ReadTotp {
  readonly secret: string;
  readonly algorithm: TotpAlgorithm;
  readonly period: number;
}

export interface WrittenTotp {
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

/** Null unless it is a time-based code of six digits. */
export function totpOf(written: WrittenTotp): ReadTotp | null {
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
export const fromHex: ToBytes = (text) => decodeHex(text.replaceAll(/\s/g, ''));
export const fromBase64: ToBytes = (text) => {
  const bare = text.replaceAll(/[\s=]/g, '');
  return decodeBase64(bare.padEnd(Math.ceil(bare.length / 4) * 4, '='));
};

export function base32Of(text: string, toBytes: ToBytes): string | null {
  try {
    const bytes = toBytes(text.trim());
    return bytes.length === 0 ? null : new Secret({ buffer: bytes.buffer }).base32;
  } catch {
    return null;
  }
}

/** Base32, `otpauth://totp/`, or `key=…&step=…` (KeeOtp); null unless it is a time-based code of six digits. */
export function readOtpText(written: string): ReadTotp | null {
  const text = written.trim();
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
}

function keeOtpSecret(key: string | null, encoding: string): string | null {
  if (key === null || encoding === 'base32') return key;
  const toBytes = { hex: fromHex, base64: fromBase64, utf8 }[encoding];
  return toBytes === undefined ? null : base32Of(key, toBytes);
}

const KEPT_AS_TEXT = 'One-time password (kept as text)';
/** A remark. */
export const NO_CODE = ['one-time password', 'not a time-based code of six digits, so it is kept as text'] as const;

/**
 * A field that shows codes, or one that keeps the whole text and is said to be left as it is.
 * @param read what `readOtpText` or `totpOf` made of it
 */
export function otpField(tree: TreeBuilder, read: ReadTotp | null, text: string, place: string): TreeField {
  if (read === null) {
    tree.leaveOut(...NO_CODE, place);
    return passwordField(KEPT_AS_TEXT, '', text);
  }
  const { secret: value, algorithm, period } = read;
  const content = { type: 'TOTP', title: 'One-time password', value, algorithm, period } as const;
  return { type: 'TOTP', revisions: [{ content, at: null }] };
}
