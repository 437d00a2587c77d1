/** From the bytes of a KDBX file to its XML: keys, blocks, ciphers and the inner header. */
import { type Bytes, concat, encodeBase64, sameBytes, wipe } from '../../../crypto/bytes.ts';
import {
  type KeyStream,
  type StreamCipher,
  aesCbcDecrypt,
  aesCbcDecryptStart,
  aesRounds,
  digest,
  hmacSha256,
  keyStream,
} from '../../../crypto/exchange/file-ciphers.ts';
import { chunkReader, gunzip, type ChunkReader } from '../chunk-reader.ts';
import { EXCHANGE_LIMITS as LIMITS, ExchangeError } from '../exchange-error.ts';
import type { Given, ReadOptions } from '../formats.ts';
import { byteReader, damaged, viewOf } from './byte-reader.ts';
import { compositeKey } from './composite-key.ts';
import { type KdbxHeader, type KdbxKdf, STREAMS, readHeader } from './header.ts';

export interface OpenedKdbx {
  /** Read to the end. @throws ExchangeError above a limit */
  readonly xml: AsyncIterable<Uint8Array>;
  /** Opens protected values, in the order of the document. */
  readonly inner: KeyStream;
  /** Attachments by number; of 4.x. */
  readonly pool: readonly Bytes[];
  /** Of 3.1, where the XML has the digest of the header. */
  readonly headerHash: string | null;
}

type OpenOptions = Pick<ReadOptions, 'argon2' | 'signal' | 'onProgress'>;

const wrong = () => new ExchangeError('wrong_password', 'The password or the key file is wrong.');

/** @throws ExchangeError; the signal's reason */
export async function openKdbx(file: Bytes, given: Given, options: OpenOptions): Promise<OpenedKdbx> {
  const header = readHeader(file);
  const body = file.subarray(header.bytes.length);
  const isWhole = header.major === 3 || sameBytes(body.subarray(0, 32), await digest('SHA-256', header.bytes));
  if (!isWhole) throw damaged();
  const composite = await compositeKey(given);
  const transformed = await transform(composite, header.kdf, options);
  const key = await digest('SHA-256', header.masterSeed, transformed);
  const content =
    header.inner === null
      ? await contentOf4(header, transformed, key, body, options.signal)
      : await contentOf3(header, header.inner.startBytes, key, body, options.signal);
  wipe(composite, transformed, key);
  const attachments = { bytes: 0 };
  const reader = chunkReader(unpacked(header, content, attachments));
  const { cipher, streamKey, pool } =
    header.inner === null
      ? await readInnerHeader(reader, attachments, options.signal)
      : { cipher: header.inner.cipher, streamKey: header.inner.key, pool: [] };
  const headerHash = header.major === 3 ? encodeBase64(await digest('SHA-256', header.bytes)) : null;
  return { xml: limited(reader.rest()), inner: await innerStream(cipher, streamKey), pool, headerHash };
}

async function transform(composite: Bytes, kdf: KdbxKdf, { argon2, signal, onProgress }: OpenOptions): Promise<Bytes> {
  signal?.throwIfAborted();
  if (kdf.type === 'AES')
    return aesRounds(kdf.seed, composite, kdf.rounds, (done) => {
      signal?.throwIfAborted();
      onProgress?.(done / kdf.rounds, 1);
    });
  const { type, salt, memoryKib, iterations, parallelism } = kdf;
  const key = await argon2({ type, password: composite, salt, memoryKib, iterations, parallelism, length: 32 });
  signal?.throwIfAborted();
  return key;
}

const HEADER_BLOCK = 2n ** 64n - 1n;

function u64(value: bigint): Bytes {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigUint64(0, value, true);
  return bytes;
}

/** Key of each block of 4.x by its number; the header has the last number there is. */
export async function blockKeys(masterSeed: Bytes, transformed: Bytes) {
  const base = await digest('SHA-512', masterSeed, transformed, Uint8Array.of(1));
  const keyOf = (index: bigint) => digest('SHA-512', u64(index), base);
  return {
    header: async (header: Bytes) => hmacSha256(await keyOf(HEADER_BLOCK), header),
    /** @param length u32 */
    block: async (index: number, length: Bytes, data: Bytes) =>
      hmacSha256(await keyOf(BigInt(index)), u64(BigInt(index)), length, data),
  };
}

/** Each block is authenticated before anything is decrypted. */
async function contentOf4(
  header: KdbxHeader,
  transformed: Bytes,
  key: Bytes,
  body: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Bytes> {
  const reader = byteReader(body);
  // The digest of the header.
  reader.take(32);
  const keys = await blockKeys(header.masterSeed, transformed);
  if (!sameBytes(reader.take(32), await keys.header(header.bytes))) throw wrong();
  const blocks: Bytes[] = [];
  for (let index = 0; ; index += 1) {
    signal?.throwIfAborted();
    const mac = reader.take(32);
    const length = reader.take(4);
    const data = reader.take(viewOf(length).getUint32(0, true));
    if (!sameBytes(mac, await keys.block(index, length, data))) throw damaged();
    if (data.length === 0) break;
    blocks.push(data);
  }
  return decrypt(header, key, concat(...blocks));
}

async function decrypt({ cipher, iv }: KdbxHeader, key: Bytes, sealed: Bytes): Promise<Bytes> {
  if (cipher === 'ChaCha20') return keyStream(cipher, key, iv)(sealed);
  const plain = await aesCbcDecrypt(key, iv, sealed);
  if (plain === null) throw damaged();
  return plain;
}

/** The digests of the blocks are inside of the encryption. */
async function contentOf3(
  header: KdbxHeader,
  start: Bytes,
  key: Bytes,
  body: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Bytes> {
  const sealed = new Uint8Array(body);
  const first = sealed.slice(0, start.length);
  if (first.length < start.length) throw ExchangeError.unreadable('it is cut off');
  // Its padding is at the end, so the password is tried at the beginning.
  const opened =
    header.cipher === 'AES' ? await aesCbcDecryptStart(key, header.iv, first) : await decrypt(header, key, first);
  if (opened === null || !sameBytes(opened, start)) throw wrong();
  const reader = byteReader(await decrypt(header, key, sealed));
  reader.take(start.length);
  const blocks: Bytes[] = [];
  for (let index = 0; ; index += 1) {
    signal?.throwIfAborted();
    if (reader.u32() !== index) throw damaged();
    const hash = reader.take(32);
    const data = reader.take(reader.u32());
    if (data.length === 0) return concat(...blocks);
    if (!sameBytes(hash, await digest('SHA-256', data))) throw damaged();
    blocks.push(data);
  }
}

/** Texts and attachments. */
const UNPACKED = LIMITS.unpackedText + LIMITS.files;

/** Attachments may be as repetitive as they are: they have limits of their own. */
interface Attachments {
  /** Read so far. */
  bytes: number;
}

async function* unpacked(
  { isCompressed }: KdbxHeader,
  content: Bytes,
  attachments: Attachments,
): AsyncGenerator<Uint8Array> {
  if (!isCompressed) {
    yield* pieces(content);
    return;
  }
  const most = Math.max(LIMITS.ratioFrom, content.length * LIMITS.ratio);
  try {
    yield* gunzip(new Blob([content]).stream(), (bytes) => {
      if (bytes > UNPACKED) throw ExchangeError.unpacksToMoreThan(UNPACKED);
      if (bytes - attachments.bytes > most) throw ExchangeError.unreadable('it unpacks to an implausible size');
    });
  } catch (error) {
    throw error instanceof ExchangeError ? error : damaged();
  }
}

const PIECE = 256 * 1024;

function* pieces(bytes: Bytes): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

async function* limited(xml: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of xml) {
    bytes += piece.length;
    if (bytes > LIMITS.unpackedText) throw ExchangeError.unpacksToMoreThan(LIMITS.unpackedText);
    yield piece;
  }
}

export const INNER = { end: 0, stream: 1, key: 2, binary: 3 } as const;

/** The flag of a binary says whether to protect it in memory. */
async function readInnerHeader(reader: ChunkReader, attachments: Attachments, signal: AbortSignal | undefined) {
  let cipher: StreamCipher | undefined;
  let streamKey: Bytes | undefined;
  const pool: Bytes[] = [];
  for (;;) {
    signal?.throwIfAborted();
    const head = await reader.take(5);
    const [id] = head;
    const length = viewOf(head).getUint32(1, true);
    if (length > LIMITS.file + 1) throw ExchangeError.unreadable('an attachment is too large');
    if (id === INNER.binary) {
      if ((attachments.bytes += length) > LIMITS.files)
        throw ExchangeError.unreadable('the attachments together are too large');
      if (pool.length === LIMITS.pool) throw ExchangeError.unreadable('it has too many files');
    }
    const value = await reader.take(length);
    if (id === INNER.end) break;
    if (id === INNER.stream && cipher === undefined && length === 4) cipher = STREAMS[viewOf(value).getUint32(0, true)];
    else if (id === INNER.key && streamKey === undefined) streamKey = value;
    else if (id === INNER.binary && length > 0) pool.push(value.subarray(1));
    else throw damaged();
  }
  if (cipher === undefined || streamKey === undefined) throw damaged();
  return { cipher, streamKey, pool };
}

const SALSA_NONCE = Uint8Array.of(0xe8, 0x30, 0x09, 0x4b, 0x97, 0x20, 0x5d, 0x2a);

/** Protected values. */
export async function innerStream(cipher: StreamCipher, key: Bytes): Promise<KeyStream> {
  if (cipher === 'Salsa20') return keyStream(cipher, await digest('SHA-256', key), SALSA_NONCE);
  const both = await digest('SHA-512', key);
  return keyStream(cipher, both.slice(0, 32), both.slice(32, 44));
}
