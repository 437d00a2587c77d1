/** L0 (docs/spec/crypto.md §21): a person's RSA key in an encrypted PEM file. */
import { type Bytes, decodeBase64, encodeHex, utf8 } from '../bytes.ts';
import { DER, type DerElement, readDer, readSequence, readUnsigned } from '../der.ts';
import { CryptoError } from '../errors.ts';
import { derivePbkdf2, openCbc } from './open-legacy-value.ts';

const { subtle } = crypto;
const RSA = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;
const SECRET_BYTES = 64;

declare const legacyPrivateKey: unique symbol;
export interface LegacyPrivateKey {
  readonly [legacyPrivateKey]: true;
}

const PBES2 = '2a864886f70d01050d';
const PBKDF2 = '2a864886f70d01050c';
const CIPHER_KEY_BYTES: Readonly<Record<string, number>> = {
  '60864801650304012a': 32,
  '608648016503040102': 16,
};
const HASHES: Readonly<Record<string, 'SHA-1' | 'SHA-256'>> = {
  '2a864886f70d0207': 'SHA-1',
  '2a864886f70d0209': 'SHA-256',
};
const MAX_ITERATIONS = 2_000_000;
const LONGEST_PEM = 16_384;
const PEM = /^\s*-----BEGIN ENCRYPTED PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END ENCRYPTED PRIVATE KEY-----\s*$/;

/**
 * PBES2: PBKDF2 with HMAC-SHA-1 or -SHA-256, AES-128-CBC or AES-256-CBC; 2048 to 4096 bit.
 * @throws CryptoError `legacy`, also for a wrong master password
 */
export async function openLegacyPrivateKey(pem: string, masterPassword: string): Promise<LegacyPrivateKey> {
  const { salt, iterations, hash, keyBytes, initializationVector, ciphertext } = readEncryptedKey(pem);
  const key = await derivePbkdf2(hash, utf8(masterPassword), salt, iterations, keyBytes);
  const pkcs8 = await openCbc(key, initializationVector, ciphertext);
  key.fill(0);
  try {
    const opened = await subtle.importKey('pkcs8', pkcs8, RSA, false, ['decrypt']);
    const { modulusLength } = opened.algorithm as unknown as { modulusLength: number };
    if (modulusLength < 2048 || modulusLength > 4096) throw new CryptoError('legacy');
    return opened as unknown as LegacyPrivateKey;
  } catch {
    throw new CryptoError('legacy');
  } finally {
    pkcs8.fill(0);
  }
}

/** The 64 bytes of a group's password. @throws CryptoError `legacy` */
export async function unwrapLegacySecret(privateKey: LegacyPrivateKey, wrapped: Bytes): Promise<Bytes> {
  try {
    const secret = new Uint8Array(await subtle.decrypt(RSA, privateKey as unknown as CryptoKey, wrapped));
    if (secret.length === SECRET_BYTES) return secret;
  } catch {}
  throw new CryptoError('legacy');
}

interface EncryptedKey {
  readonly salt: Bytes;
  readonly iterations: number;
  readonly hash: 'SHA-1' | 'SHA-256';
  readonly keyBytes: number;
  readonly initializationVector: Bytes;
  readonly ciphertext: Bytes;
}

/** EncryptedPrivateKeyInfo (RFC 8018, appendix A). */
function readEncryptedKey(pem: string): EncryptedKey {
  const body = pem.length <= LONGEST_PEM ? PEM.exec(pem)?.[1] : undefined;
  if (body === undefined) throw new CryptoError('legacy');
  const [scheme, ciphertext] = sequence(readDer(decodeText(body))?.[0]);
  const [schemeId, parameters] = sequence(scheme);
  const [derivation, cipher] = sequence(parameters);
  const [derivationId, derivationParameters] = sequence(derivation);
  const [cipherId, vector] = sequence(cipher);
  const [salt, count, ...options] = sequence(derivationParameters);
  const keyBytes = CIPHER_KEY_BYTES[oid(cipherId)];
  const isKnown = oid(schemeId) === PBES2 && oid(derivationId) === PBKDF2 && keyBytes !== undefined;
  if (!isKnown) throw new CryptoError('legacy');
  return {
    salt: octets(salt),
    iterations: countOf(count),
    hash: hashOf(options, keyBytes),
    keyBytes,
    initializationVector: octets(vector),
    ciphertext: octets(ciphertext),
  };
}

function decodeText(body: string): Bytes {
  try {
    return decodeBase64(body.replaceAll(/\s+/g, ''));
  } catch {
    throw new CryptoError('legacy');
  }
}

/** Both optional; the default prf is HMAC-SHA-1. */
function hashOf(options: readonly DerElement[], keyBytes: number): 'SHA-1' | 'SHA-256' {
  const length = readUnsigned(options[0]);
  const rest = length === null ? options : options.slice(1);
  if (rest.length > 1 || (length !== null && (length.length !== 1 || length[0] !== keyBytes))) {
    throw new CryptoError('legacy');
  }
  if (rest.length === 0) return 'SHA-1';
  const hash = HASHES[oid(sequence(rest[0])[0])];
  if (hash === undefined) throw new CryptoError('legacy');
  return hash;
}

/** Limits the work before deriving. */
function countOf(element: DerElement | undefined): number {
  const bytes = readUnsigned(element);
  const count = bytes === null || bytes.length > 4 ? 0 : bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  if (count < 1 || count > MAX_ITERATIONS) throw new CryptoError('legacy');
  return count;
}

function sequence(element: DerElement | undefined): DerElement[] {
  const inner = readSequence(element);
  if (inner === null) throw new CryptoError('legacy');
  return inner;
}

function octets(element: DerElement | undefined): Bytes {
  if (element?.tag !== DER.octets) throw new CryptoError('legacy');
  return element.content.slice();
}

function oid(element: DerElement | undefined): string {
  return element?.tag === DER.oid ? encodeHex(element.content) : '';
}
