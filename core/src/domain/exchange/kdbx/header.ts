/** The unencrypted beginning of a KDBX file. Versions 3.x have fields with u16 lengths, 4.x with u32. */
import { type Bytes, encodeHex } from '../../../crypto/bytes.ts';
import type { StreamCipher } from '../../../crypto/exchange/file-ciphers.ts';
import { ExchangeError } from '../exchange-error.ts';
import { type ByteReader, byteReader, damaged, viewOf } from './byte-reader.ts';

export interface KdbxHeader {
  readonly major: 3 | 4;
  /** All of it, as digests cover it. */
  readonly bytes: Bytes;
  readonly cipher: 'AES' | 'ChaCha20';
  readonly isCompressed: boolean;
  readonly masterSeed: Bytes;
  readonly iv: Bytes;
  readonly kdf: KdbxKdf;
  /** Of 3.x; 4.x has it inside the encrypted content. */
  readonly inner: { readonly cipher: StreamCipher; readonly key: Bytes; readonly startBytes: Bytes } | null;
}

export type KdbxKdf =
  | { readonly type: 'AES'; readonly seed: Bytes; readonly rounds: number }
  | {
      readonly type: 'argon2d' | 'argon2id';
      readonly salt: Bytes;
      readonly memoryKib: number;
      readonly iterations: number;
      readonly parallelism: number;
    };

export const FIELD = {
  end: 0,
  cipher: 2,
  compression: 3,
  masterSeed: 4,
  transformSeed: 5,
  rounds: 6,
  iv: 7,
  streamKey: 8,
  startBytes: 9,
  stream: 10,
  kdf: 11,
} as const;
const KNOWN: ReadonlySet<number> = new Set(Object.values(FIELD));

export const SIGNATURE = [0x03, 0xd9, 0xa2, 0x9a, 0x67, 0xfb, 0x4b, 0xb5] as const;
const KEEPASS_1 = 0x65;

/** True for KDBX. @throws ExchangeError for KeePass 1 */
export function isKdbx(head: Uint8Array): boolean {
  const isKeepass = SIGNATURE.every((byte, at) => at === 4 || head[at] === byte);
  if (isKeepass && head[4] === KEEPASS_1)
    throw new ExchangeError(
      'unsupported',
      'KeePass 1 files (.kdb) cannot be read. Open it in KeePass 2 or KeePassXC and save it as .kdbx.',
    );
  // 0x66 is that of the pre-releases of KeePass 2.
  return isKeepass && (head[4] === SIGNATURE[4] || head[4] === 0x66);
}

export const CIPHERS = {
  AES: '31c1f2e6bf714350be5805216afc5aff',
  ChaCha20: 'd6038a2b8b6f4cb5a524339a31dbb59a',
} as const;
const TWOFISH = 'ad68f29f576f4bb9a36ad47af965346c';
const IV_BYTES = { AES: 16, ChaCha20: 12 } as const;

export const STREAMS: Readonly<Record<number, StreamCipher>> = { 2: 'Salsa20', 3: 'ChaCha20' };

/** @throws ExchangeError */
export function readHeader(file: Bytes): KdbxHeader {
  const reader = byteReader(file);
  reader.take(SIGNATURE.length);
  reader.u16();
  const major = reader.u16();
  if ((major !== 3 && major !== 4) || file[4] !== SIGNATURE[4])
    throw new ExchangeError(
      'unsupported',
      'This version of KDBX cannot be read. Save the file as KDBX 4 in your program.',
    );
  const fields = readFields(reader, () => (major === 3 ? reader.u16() : reader.u32()));
  const field = (id: number, length?: number): Bytes => {
    const value = fields.get(id);
    if (value === undefined || (length !== undefined && value.length !== length)) throw damaged();
    return value;
  };
  const u32 = (id: number) => viewOf(field(id, 4)).getUint32(0, true);
  const compression = u32(FIELD.compression);
  if (compression > 1) throw damaged();
  const cipher = cipherOf(encodeHex(field(FIELD.cipher, 16)));
  const old = () => {
    const stream = STREAMS[u32(FIELD.stream)];
    if (stream === undefined) throw damaged();
    return { cipher: stream, key: field(FIELD.streamKey), startBytes: field(FIELD.startBytes, 32) };
  };
  return {
    major,
    bytes: file.slice(0, reader.at()),
    cipher,
    isCompressed: compression === 1,
    masterSeed: field(FIELD.masterSeed, 32),
    iv: field(FIELD.iv, IV_BYTES[cipher]),
    kdf:
      major === 3
        ? bounded({ type: 'AES', seed: field(FIELD.transformSeed, 32), rounds: u64(field(FIELD.rounds, 8)) })
        : bounded(kdfOf(field(FIELD.kdf))),
    inner: major === 3 ? old() : null,
  };
}

/** Unknown ids are passed over. */
function readFields(reader: ByteReader, lengthOf: () => number): Map<number, Bytes> {
  const fields = new Map<number, Bytes>();
  for (;;) {
    const id = reader.u8();
    const value = reader.take(lengthOf());
    if (id === FIELD.end) return fields;
    if (!KNOWN.has(id)) continue;
    if (fields.has(id)) throw damaged();
    fields.set(id, value);
  }
}

function cipherOf(uuid: string): KdbxHeader['cipher'] {
  if (uuid === CIPHERS.AES) return 'AES';
  if (uuid === CIPHERS.ChaCha20) return 'ChaCha20';
  const name = uuid === TWOFISH ? 'Twofish' : 'an unknown cipher';
  throw new ExchangeError(
    'unsupported',
    `The file uses ${name}. Change its encryption to AES or ChaCha20 in your program and save it.`,
  );
}

/** KeePass and KeePassXC have one each for AES-KDF. */
const KDFS: Readonly<Record<string, KdbxKdf['type']>> = {
  c9d9f39a628a4460bf740d08c18a4fea: 'AES',
  '7c02bb8279a74ac0927d114a00648238': 'AES',
  ef636ddf8c29444b91f7a9a403e30a0c: 'argon2d',
  '9e298b1956db4773b23dfc3ec6f0a1e6': 'argon2id',
};
export const ARGON2ID = '9e298b1956db4773b23dfc3ec6f0a1e6';
const ARGON2_VERSION = 0x13;

function kdfOf(dictionary: Bytes): KdbxKdf {
  const values = readDictionary(dictionary);
  const value = (key: string): Bytes => {
    const found = values.get(key);
    if (found === undefined) throw damaged();
    return found;
  };
  const type = KDFS[encodeHex(value('$UUID'))];
  if (type === undefined)
    throw new ExchangeError(
      'unsupported',
      'The file uses an unknown key derivation. Change it to Argon2 in your program and save it.',
    );
  if (type === 'AES') return { type, seed: value('S'), rounds: u64(value('R')) };
  // A secret or further data of a key provider.
  if (values.has('K') || values.has('A')) throw needsMore();
  if (viewOf(value('V')).getUint32(0, true) !== ARGON2_VERSION)
    throw new ExchangeError(
      'unsupported',
      'The file uses an old version of Argon2. Change its key derivation in your program and save it.',
    );
  const memoryKib = Math.floor(u64(value('M')) / 1024);
  return { type, salt: value('S'), memoryKib, iterations: u64(value('I')), parallelism: u32Of(value('P')) };
}

/** Hardware keys and key providers. */
export const needsMore = (): ExchangeError =>
  new ExchangeError(
    'unsupported',
    'This file needs more than a password and a key file. Remove that in your program for a copy, and import the copy.',
  );

const GIB_IN_KIB = 1024 * 1024;
const MOST = { rounds: 500_000_000, memoryKib: GIB_IN_KIB, memoryPasses: 16 * GIB_IN_KIB, parallelism: 16 } as const;

/** Refused before anything is allocated. @throws ExchangeError */
function bounded(kdf: KdbxKdf): KdbxKdf {
  if (kdf.type === 'AES') {
    if (kdf.seed.length !== 32) throw damaged();
    if (kdf.rounds > MOST.rounds) throw ExchangeError.tooMuchWork();
    return kdf;
  }
  const { salt, memoryKib, iterations, parallelism } = kdf;
  if (iterations < 1 || parallelism < 1 || memoryKib < 8 * parallelism || salt.length < 8) throw damaged();
  const isTooMuch =
    memoryKib > MOST.memoryKib || memoryKib * iterations > MOST.memoryPasses || parallelism > MOST.parallelism;
  if (isTooMuch) throw ExchangeError.tooMuchWork();
  return kdf;
}

const BYTES_OF_TYPE: Readonly<Record<number, number>> = { 0x04: 4, 0x05: 8, 0x08: 1, 0x0c: 4, 0x0d: 8 };

/** Type, length and key, length and value; type 0 ends. */
function readDictionary(bytes: Bytes): Map<string, Bytes> {
  const reader = byteReader(bytes);
  // Other minor versions may be read.
  if (reader.u16() >> 8 !== 1) throw damaged();
  const values = new Map<string, Bytes>();
  for (;;) {
    const type = reader.u8();
    if (type === 0) return values;
    const key = new TextDecoder().decode(reader.take(reader.u32()));
    const value = reader.take(reader.u32());
    if (values.has(key) || (BYTES_OF_TYPE[type] ?? value.length) !== value.length) throw damaged();
    values.set(key, value);
  }
}

/** Above 2^53 inexact; the limits are far below. */
function u64(bytes: Bytes): number {
  if (bytes.length !== 8) throw damaged();
  return Number(viewOf(bytes).getBigUint64(0, true));
}

function u32Of(bytes: Bytes): number {
  if (bytes.length !== 4) throw damaged();
  return viewOf(bytes).getUint32(0, true);
}
