/** The sealed content of a revision: value and metadata, padded (docs/spec/crypto.md §10). */
import { type Bytes, decodeBase64, decodeHex, encodeBase64, encodeHex, utf8 } from '../../crypto/bytes.ts';
import { CryptoError } from '../../crypto/errors.ts';
import type { SiteRules } from '../sites/site-rules.ts';
import { pad, unpad } from './padding.ts';
import { FIELD_TYPES, type FieldType, TOTP_ALGORITHMS, type TotpAlgorithm } from './field-kinds.ts';

const MAX_VALUE_BYTES = 1_048_576;

/** TOTP values are upper-case base32 without padding. */
export type FieldContent =
  | { readonly type: 'password'; readonly title: string; readonly login: string; readonly value: Bytes }
  /** `sites` of a link only, sealed beside the payload; absent: those of its value. */
  | { readonly type: 'link' | 'note'; readonly title: string; readonly value: Bytes; readonly sites?: SiteRules }
  | { readonly type: 'TOTP'; readonly title: string; readonly value: Bytes; readonly totp: TotpParameters }
  | { readonly type: 'file'; readonly title: string; readonly file: FileSecret };

export interface TotpParameters {
  readonly algorithm: TotpAlgorithm;
  readonly period: number;
}

export interface FileSecret {
  readonly name: string;
  readonly mime: string;
  readonly size: number;
  readonly sha256: Bytes;
  readonly key: Bytes;
}

export function wipeContent(content: FieldContent): void {
  if (content.type === 'file') content.file.key.fill(0);
  else content.value.fill(0);
}

/** The caller wipes it. @throws CryptoError `payload` for a value above 1 MiB */
export function encodePayload(content: FieldContent): Bytes {
  const json = utf8(JSON.stringify(payloadOf(content)));
  try {
    return pad(json);
  } finally {
    json.fill(0);
  }
}

function valueText(value: Bytes): string {
  if (value.length > MAX_VALUE_BYTES) throw new CryptoError('payload');
  return encodeBase64(value);
}

function payloadOf(content: FieldContent) {
  const { type, title } = content;
  switch (type) {
    case 'password':
      return { v: 1, type, title, login: content.login, value_base64: valueText(content.value) };
    case 'link':
    case 'note':
      return { v: 1, type, title, value_base64: valueText(content.value) };
    case 'TOTP': {
      const { algorithm, period } = content.totp;
      return {
        v: 1,
        type,
        title,
        value_base64: valueText(content.value),
        totp: { alg: algorithm, period, digits: 6 },
      };
    }
    case 'file': {
      const { name, mime, size, sha256, key } = content.file;
      return {
        v: 1,
        type,
        title,
        file: { name, mime, size, sha256: encodeHex(sha256), key_base64: encodeBase64(key) },
      };
    }
  }
}

/** Ignores unknown members. @throws CryptoError `padding`, `payload` */
export function decodePayload(padded: Bytes, type: FieldType): FieldContent {
  const json = unpad(padded);
  let raw: Record<string, unknown>;
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json)) as Record<
      string,
      unknown
    >;
  } catch {
    throw new CryptoError('payload');
  } finally {
    json.fill(0);
  }
  return readContent(asObject(raw), type);
}

function readContent(raw: Record<string, unknown>, type: FieldType): FieldContent {
  if (raw['v'] !== 1 || raw['type'] !== type || !FIELD_TYPES.includes(type)) throw new CryptoError('payload');
  const title = textOf(raw['title']);
  switch (type) {
    case 'password':
      return { type, title, login: textOf(raw['login']), value: valueOf(raw['value_base64']) };
    case 'link':
    case 'note':
      return { type, title, value: valueOf(raw['value_base64']) };
    case 'TOTP':
      return { type, title, value: valueOf(raw['value_base64']), totp: totpOf(asObject(raw['totp'])) };
    case 'file':
      return { type, title, file: fileOf(asObject(raw['file'])) };
  }
}

function asObject(raw: unknown): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new CryptoError('payload');
  return raw as Record<string, unknown>;
}

function textOf(raw: unknown): string {
  if (typeof raw !== 'string') throw new CryptoError('payload');
  return raw;
}

function valueOf(raw: unknown): Bytes {
  const value = payloadBytes(() => decodeBase64(textOf(raw)));
  if (value.length > MAX_VALUE_BYTES) throw new CryptoError('payload');
  return value;
}

function totpOf(raw: Record<string, unknown>): TotpParameters {
  const { alg, period, digits } = raw;
  const algorithm = TOTP_ALGORITHMS.find((name) => name === alg);
  const isShaped =
    algorithm !== undefined && Number.isSafeInteger(period) && Number(period) >= 1 && Number(period) <= 10_000;
  if (!isShaped || digits !== 6) throw new CryptoError('payload');
  return { algorithm, period: Number(period) };
}

function fileOf(raw: Record<string, unknown>): FileSecret {
  const { name, mime, size, sha256, key_base64 } = raw;
  const digest = payloadBytes(() => decodeHex(textOf(sha256)));
  const key = payloadBytes(() => decodeBase64(textOf(key_base64)));
  const isShaped = Number.isSafeInteger(size) && Number(size) >= 0 && digest.length === 32 && key.length === 32;
  if (!isShaped) throw new CryptoError('payload');
  return { name: textOf(name), mime: textOf(mime), size: Number(size), sha256: digest, key };
}

function payloadBytes(decode: () => Bytes): Bytes {
  try {
    return decode();
  } catch {
    throw new CryptoError('payload');
  }
}
