/** The code with which an authenticator app hands its accounts to another phone: protobuf in an address. */
import { Secret } from 'otpauth';
import type { Bytes } from '../../crypto/bytes.ts';
import type { TotpAlgorithm } from '../fields/field-kinds.ts';
import { fromBase64, otpField, readOtpText } from './one-time-password.ts';
import type { TreeField } from './tree.ts';
import type { TreeBuilder } from './tree-builder.ts';

const PREFIX = /^\s*otpauth-migration:\/\//i;

export const isMigration = (text: string): boolean => PREFIX.test(text);

/** One field, or one for each account of a transfer code. @param place 'Group / Title' */
export function otpFields(tree: TreeBuilder, text: string, place: string): TreeField[] {
  const accounts = isMigration(text) ? readMigration(text) : null;
  return accounts === null
    ? [otpField(tree, readOtpText(text), text, place)]
    : accounts.map((account) => fieldOf(tree, account, place));
}

interface Account {
  readonly secret: Bytes;
  readonly name: string;
  readonly issuer: string;
  readonly algorithm: number;
  readonly digits: number;
  readonly type: number;
  readonly counter: number;
}

/** Numbers of the enumerations of the app; 0 is its default. */
const ALGORITHMS: Readonly<Record<number, TotpAlgorithm>> = { 0: 'sha1', 1: 'sha1', 2: 'sha256', 3: 'sha512' };
const SIX_DIGITS = [0, 1];
const BY_TIME = [0, 2];

function fieldOf(tree: TreeBuilder, account: Account, place: string): TreeField {
  const { name, issuer } = account;
  const title = issuer === '' || name.startsWith(`${issuer}:`) ? name : `${issuer}: ${name}`;
  const algorithm = ALGORITHMS[account.algorithm];
  const secret = base32(account.secret);
  const isShown = algorithm !== undefined && SIX_DIGITS.includes(account.digits) && BY_TIME.includes(account.type);
  const read = isShown && secret !== '' ? { secret, algorithm, period: 30 } : null;
  const field = otpField(tree, read, read === null ? asAddress(account, secret) : '', place);
  return {
    ...field,
    revisions: field.revisions.map(({ content, at }) => ({
      content: { ...content, title: title.trim() || content.title },
      at,
    })),
  };
}

const base32 = (bytes: Bytes): string => new Secret({ buffer: bytes.slice().buffer }).base32;

/** What cannot be shown is kept as the address that other programs read. */
function asAddress({ name, issuer, algorithm, digits, type, counter }: Account, secret: string): string {
  const query = new URLSearchParams({
    secret,
    ...(issuer === '' ? {} : { issuer }),
    algorithm: { 2: 'SHA256', 3: 'SHA512', 4: 'MD5' }[algorithm] ?? 'SHA1',
    digits: digits === 2 ? '8' : '6',
    ...(type === 1 ? { counter: String(counter) } : {}),
  });
  return `otpauth://${type === 1 ? 'hotp' : 'totp'}/${encodeURIComponent(name)}?${query}`;
}

const ACCOUNTS = 1000;

/** Null for a text that is damaged. */
export function readMigration(text: string): Account[] | null {
  const data = /[?&]data=([^&\s]+)/.exec(text)?.[1];
  try {
    const accounts: Account[] = [];
    for (const { number, bytes } of members(fromBase64(plainBase64(decodeURIComponent(data ?? ''))))) {
      if (number !== 1 || bytes === null) continue;
      if (accounts.length === ACCOUNTS) return null;
      accounts.push(accountOf(bytes));
    }
    return accounts.length === 0 ? null : accounts;
  } catch {
    return null;
  }
}

const plainBase64 = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/').replaceAll(' ', '+');

function accountOf(message: Bytes): Account {
  const found = { secret: new Uint8Array(0), name: '', issuer: '', algorithm: 0, digits: 0, type: 0, counter: 0 };
  const texts = new TextDecoder('utf-8', { fatal: true });
  for (const { number, bytes, value } of members(message)) {
    if (number === 1 && bytes !== null) found.secret = bytes;
    else if (number === 2 && bytes !== null) found.name = texts.decode(bytes);
    else if (number === 3 && bytes !== null) found.issuer = texts.decode(bytes);
    else if (number === 4) found.algorithm = value;
    else if (number === 5) found.digits = value;
    else if (number === 6) found.type = value;
    else if (number === 7) found.counter = value;
  }
  return found;
}

interface Member {
  readonly number: number;
  /** Of a text, bytes or a message; null for a number. */
  readonly bytes: Bytes | null;
  readonly value: number;
}

/** Members of a protobuf message, as far as this one uses them. @throws RangeError if it is damaged */
function* members(message: Bytes): Generator<Member> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at];
      if (byte === undefined) throw new RangeError('cut');
      at += 1;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('number');
  };
  const take = (length: number): Bytes => {
    if (length > message.length - at) throw new RangeError('cut');
    at += length;
    return message.slice(at - length, at);
  };
  while (at < message.length) {
    const key = varint();
    const number = Math.floor(key / 8);
    if (key % 8 === 0) yield { number, bytes: null, value: varint() };
    else if (key % 8 === 2) yield { number, bytes: take(varint()), value: 0 };
    else if (key % 8 === 1) take(8);
    else if (key % 8 === 5) take(4);
    else throw new RangeError('type');
  }
}
