/** A recovery key as text: Crockford's base32 with a check symbol (docs/spec/crypto.md §6). */
import { type Bytes } from '../../../crypto/bytes.ts';

export const RECOVERY_KEY_BYTES = 20;

const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The check symbol is the value modulo 37, so it needs five more symbols. */
const CHECK_SYMBOLS = `${SYMBOLS}*~$=U`;
const BITS = 5;
const GROUP = 4;
const LENGTH = (RECOVERY_KEY_BYTES * 8) / BITS;
const GROUPS = LENGTH / GROUP;

/** Prefix of the text in the QR code. */
const PREFIX = 'PBRK:';

export interface WrittenRecoveryKey {
  /** Eight groups of four symbols. */
  readonly groups: readonly string[];
  readonly check: string;
}

/** @param key 20 bytes */
export function writeRecoveryKey(key: Bytes): WrittenRecoveryKey {
  let value = key.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  const check = symbolAt(CHECK_SYMBOLS, value % 37n);
  let text = '';
  for (let at = 0; at < LENGTH; at += 1) {
    text = symbolAt(SYMBOLS, value & 31n) + text;
    value >>= BigInt(BITS);
  }
  const groups = Array.from({ length: GROUPS }, (_, at) => text.slice(at * GROUP, (at + 1) * GROUP));
  return { groups, check };
}

/** The recovery key with hyphens, for people to read. */
export const textOfRecoveryKey = ({ groups, check }: WrittenRecoveryKey): string => [...groups, check].join('-');

/** The text of the QR code. */
export const qrTextOfRecoveryKey = ({ groups, check }: WrittenRecoveryKey): string =>
  `${PREFIX.toLowerCase()}${groups.join('')}${check}`;

/** Reads what a person typed, pasted or scanned. Null: incomplete, or with a typing error. */
export function readRecoveryKey(typed: string): Bytes | null {
  const text = withoutPrefix(foldRecoveryText(typed));
  if (text.length !== LENGTH + 1) return null;
  let value = 0n;
  for (const symbol of text.slice(0, LENGTH)) {
    const bits = SYMBOLS.indexOf(symbol);
    if (bits < 0) return null;
    value = (value << BigInt(BITS)) | BigInt(bits);
  }
  if (CHECK_SYMBOLS.indexOf(text.slice(LENGTH)) !== Number(value % 37n)) return null;
  const key = new Uint8Array(RECOVERY_KEY_BYTES);
  for (let at = RECOVERY_KEY_BYTES - 1; at >= 0; at -= 1) {
    key[at] = Number(value & 255n);
    value >>= 8n;
  }
  return key;
}

/** Upper case without spaces and hyphens; letters that look like digits become digits. */
export const foldRecoveryText = (typed: string): string =>
  typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0');

const withoutPrefix = (text: string) => (text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text);

const symbolAt = (symbols: string, at: bigint): string => symbols.charAt(Number(at));
