/**
 * Sealed file bodies, `PBF1` (docs/spec/crypto.md §11): chunks of 64 KiB, each authenticated, the last one
 * marked.
 */
import { type Bytes, concat, sameBytes, utf8 } from './bytes.ts';
import { CryptoError } from './errors.ts';
import { deriveBytes } from './kdf.ts';
import { randomSalt } from './salt.ts';

export type ByteSource = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const { subtle } = crypto;
const MAGIC = utf8('PBF1');
const SALT = 32;
const TAG = 16;
export const CHUNK_BYTES = 65_536;
export const BODY_HEADER_BYTES = MAGIC.length + SALT;
export const FILE_KEY_BYTES = 32;

/** `36 + size + 16·n`, of a plain file. */
export function sealedBodySize(size: number): number {
  return BODY_HEADER_BYTES + size + TAG * Math.max(1, Math.ceil(size / CHUNK_BYTES));
}

export function hasBodyHeader(bytes: Uint8Array): boolean {
  return bytes.length >= BODY_HEADER_BYTES && MAGIC.every((byte, at) => bytes[at] === byte);
}

async function streamKey(fileKey: Bytes, salt: Bytes, fieldId: string, use: 'encrypt' | 'decrypt'): Promise<CryptoKey> {
  if (fileKey.length !== FILE_KEY_BYTES) throw new CryptoError('key_length');
  const bytes = await deriveBytes(fileKey, salt, ['pb1:file', fieldId], 32);
  const key = await subtle.importKey('raw', bytes, 'AES-GCM', false, [use]);
  bytes.fill(0);
  return key;
}

function nonceOf(index: number, final: boolean): Bytes {
  const nonce = new Uint8Array(12);
  // 11 bytes of big-endian counter.
  new DataView(nonce.buffer).setUint32(7, index);
  nonce[11] = final ? 1 : 0;
  return nonce;
}

/** Yields the header, then each sealed chunk. The salt is only for frozen vectors. */
export async function* sealStream(
  fileKey: Bytes,
  fieldId: string,
  source: ByteSource,
  salt: Bytes = randomSalt(SALT),
): AsyncGenerator<Bytes> {
  const key = await streamKey(fileKey, salt, fieldId, 'encrypt');
  yield concat(MAGIC, salt);
  let index = 0;
  for await (const { bytes, final } of rechunk(source, CHUNK_BYTES)) {
    yield new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv: nonceOf(index, final) }, key, bytes));
    index += 1;
  }
}

/**
 * Use no chunk before the stream has ended: only then is the file complete.
 * @throws CryptoError `file_header`, `file_chunk` with its index, `file_empty_final`
 */
export async function* openStream(fileKey: Bytes, fieldId: string, source: ByteSource): AsyncGenerator<Bytes> {
  let key: CryptoKey | null = null;
  let index = 0;
  for await (const { bytes, final } of rechunk(source, CHUNK_BYTES + TAG, BODY_HEADER_BYTES)) {
    if (key === null) {
      if (!hasBodyHeader(bytes)) throw new CryptoError('file_header');
      key = await streamKey(fileKey, bytes.slice(MAGIC.length), fieldId, 'decrypt');
      if (final) throw new CryptoError('file_chunk', 0);
      continue;
    }
    const chunk = await openChunk(key, bytes, index, final);
    if (chunk.length === 0 && index > 0) throw new CryptoError('file_empty_final');
    yield chunk;
    index += 1;
  }
}

async function openChunk(key: CryptoKey, sealed: Bytes, index: number, final: boolean): Promise<Bytes> {
  try {
    return new Uint8Array(await subtle.decrypt({ name: 'AES-GCM', iv: nonceOf(index, final) }, key, sealed));
  } catch {
    throw new CryptoError('file_chunk', index);
  }
}

export async function collect(source: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return concat(...pieces);
}

/** @throws CryptoError `file_mismatch` */
export function checkFile(plaintext: { size: number; sha256: Bytes }, expected: { size: number; sha256: Bytes }): void {
  if (plaintext.size !== expected.size || !sameBytes(plaintext.sha256, expected.sha256))
    throw new CryptoError('file_mismatch');
}

interface Chunk {
  /** Valid until the next request. */
  readonly bytes: Bytes;
  /** Only this one may be shorter, or empty. */
  readonly final: boolean;
}

/** Chunks of `length` bytes, the first of `first`. Copies each byte once. */
export async function* rechunk(source: ByteSource, length: number, first = length): AsyncGenerator<Chunk> {
  let chunk = new Uint8Array(first);
  let filled = 0;
  for await (const piece of source) {
    let at = 0;
    while (at < piece.length) {
      // More bytes must follow, because the last chunk is marked.
      if (filled === chunk.length) {
        yield { bytes: chunk, final: false };
        if (chunk.length !== length) chunk = new Uint8Array(length);
        filled = 0;
      }
      const part = piece.subarray(at, at + chunk.length - filled);
      chunk.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  yield { bytes: chunk.subarray(0, filled), final: true };
}
