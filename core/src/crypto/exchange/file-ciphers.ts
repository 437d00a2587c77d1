/** Ciphers and digests of files of other programs. They never protect values of this product. */
import { chacha20 } from '@noble/ciphers/chacha.js';
import { salsa20 } from '@noble/ciphers/salsa.js';
import { type Bytes, concat, wipe } from '../bytes.ts';

const { subtle } = crypto;
const BLOCK = 16;

export const digest = async (hash: 'SHA-256' | 'SHA-512', ...parts: readonly Uint8Array[]): Promise<Bytes> =>
  new Uint8Array(await subtle.digest(hash, concat(...parts)));

export async function hmacSha256(key: Bytes, ...parts: readonly Uint8Array[]): Promise<Bytes> {
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', imported, concat(...parts)));
}

/** 32 bytes. The caller has checked the number of rounds. */
export async function pbkdf2Sha256(password: Bytes, salt: Bytes, iterations: number): Promise<Bytes> {
  const imported = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
  return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, imported, 256));
}

const aesKey = (key: Bytes) => subtle.importKey('raw', key, 'AES-CBC', false, ['encrypt', 'decrypt']);

/** AES-CBC with PKCS#7 padding. */
export async function aesCbcEncrypt(key: Bytes, iv: Bytes, plaintext: Bytes): Promise<Bytes> {
  return new Uint8Array(await subtle.encrypt({ name: 'AES-CBC', iv }, await aesKey(key), plaintext));
}

/** Null if the length or the padding is wrong. */
export async function aesCbcDecrypt(key: Bytes, iv: Bytes, ciphertext: Bytes): Promise<Bytes | null> {
  try {
    return new Uint8Array(await subtle.decrypt({ name: 'AES-CBC', iv }, await aesKey(key), ciphertext));
  } catch {
    return null;
  }
}

/** The first blocks of a longer ciphertext. WebCrypto wants padding: an encrypted block of it is appended. */
export async function aesCbcDecryptStart(key: Bytes, iv: Bytes, blocks: Bytes): Promise<Bytes | null> {
  const padding = await aesCbcEncrypt(key, blocks.slice(-BLOCK), new Uint8Array(0));
  return aesCbcDecrypt(key, iv, concat(blocks, padding));
}

/** A call of WebCrypto costs about as much as a thousand rounds; its buffer has one MiB. */
const ROUNDS_A_CALL = 65_536;

/**
 * AES-KDF of KeePass: `rounds` encryptions of both halves, then SHA-256.
 * CBC over zeros encrypts the block before again; the last block is padding.
 * @param data 32 bytes. @param onRound gets the rounds done, may throw
 */
export async function aesRounds(
  seed: Bytes,
  data: Bytes,
  rounds: number,
  onRound: (done: number) => void,
): Promise<Bytes> {
  const key = await aesKey(seed);
  const zeros = new Uint8Array(BLOCK * Math.min(rounds, ROUNDS_A_CALL));
  let halves: Bytes[] = [data.slice(0, BLOCK), data.slice(BLOCK, 2 * BLOCK)];
  for (let done = 0; done < rounds;) {
    onRound(done);
    const bytes = BLOCK * Math.min(rounds - done, ROUNDS_A_CALL);
    halves = await Promise.all(
      halves.map(async (iv) => {
        const chain = await subtle.encrypt({ name: 'AES-CBC', iv }, key, zeros.subarray(0, bytes));
        return new Uint8Array(chain.slice(bytes - BLOCK, bytes));
      }),
    );
    done += bytes / BLOCK;
  }
  const key32 = await digest('SHA-256', ...halves);
  wipe(...halves);
  return key32;
}

export type StreamCipher = 'ChaCha20' | 'Salsa20';

/** Encrypts and decrypts; each call goes on where the last one ended. */
export type KeyStream = (bytes: Uint8Array) => Bytes;

const STREAM_BLOCK = 64;
const STREAM_BYTES = 1024 * STREAM_BLOCK;

/** @param key 32 bytes. @param nonce 12 bytes, for Salsa20 8 */
export function keyStream(cipher: StreamCipher, key: Bytes, nonce: Bytes): KeyStream {
  const next = cipher === 'ChaCha20' ? chacha20 : salsa20;
  const zeros = new Uint8Array(STREAM_BYTES);
  const stream = new Uint8Array(STREAM_BYTES);
  let block = 0;
  let at = STREAM_BYTES;
  return (bytes) => {
    const result = new Uint8Array(bytes.length);
    for (let done = 0; done < bytes.length;) {
      if (at === STREAM_BYTES) {
        next(key, nonce, zeros, stream, block);
        block += STREAM_BYTES / STREAM_BLOCK;
        at = 0;
      }
      const count = Math.min(bytes.length - done, STREAM_BYTES - at);
      for (let index = 0; index < count; index += 1)
        result[done + index] = (bytes[done + index] ?? 0) ^ (stream[at + index] ?? 0);
      done += count;
      at += count;
    }
    return result;
  };
}
