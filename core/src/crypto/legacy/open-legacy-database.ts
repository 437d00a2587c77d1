/**
 * L0 (docs/spec/crypto.md §21): read, never written. Only importers of old data may use this folder, so that
 * a server cannot select this format.
 */
import { decodeBase64, type Bytes, encodeHex, utf8 } from '../bytes.ts';
import { CryptoError } from '../errors.ts';
import { DER, type DerElement, readDer, readSequence, readUnsigned } from '../der.ts';

const { subtle } = crypto;

interface LegacyField {
  readonly field_id: string;
  readonly encrypted_value_base64: string;
  readonly initialization_vector_base64: string;
}

interface LegacyDatabase {
  readonly key: { readonly rsa_private_key_base64: string };
  readonly salt: { readonly salt_base64: string };
  readonly database: {
    readonly data: {
      readonly groups: readonly {
        readonly encrypted_aes_password_base64: string;
        readonly entries: readonly Readonly<
          Record<'passwords' | 'links' | 'notes' | 'files' | 'TOTPs', readonly LegacyField[]>
        >[];
      }[];
    };
  };
}

/** By field id. Neither values nor their fields are authenticated. @throws CryptoError `legacy`, `base64` */
export async function openLegacyDatabase(
  { key, salt, database }: LegacyDatabase,
  masterPassword: string,
): Promise<ReadonlyMap<string, string>> {
  const pem = new TextDecoder().decode(decodeBase64(key.rsa_private_key_base64));
  const privateKey = await openLegacyPrivateKey(pem, masterPassword);
  const siteSalt = decodeBase64(salt.salt_base64);
  const values = new Map<string, string>();
  for (const { encrypted_aes_password_base64, entries } of database.data.groups) {
    const groupPassword = await unwrapLegacySecret(privateKey, decodeBase64(encrypted_aes_password_base64));
    for (const { passwords, links, notes, files, TOTPs } of entries) {
      for (const field of [...passwords, ...links, ...notes, ...files, ...TOTPs]) {
        const ciphertext = decodeBase64(field.encrypted_value_base64);
        const initializationVector = decodeBase64(field.initialization_vector_base64);
        const value = await openLegacyValue({ groupPassword, siteSalt, initializationVector, ciphertext });
        values.set(field.field_id, textOf(value));
      }
    }
    groupPassword.fill(0);
  }
  return values;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CryptoError('legacy');
  }
}

const RSA = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;
const SECRET_BYTES = 64;

declare const legacyPrivateKey: unique symbol;
interface LegacyPrivateKey {
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
  } catch {
    // A wrong key and a wrong length have the error below.
  }
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

const SALT_BYTES = 32;
const ITERATIONS = 1000;
const KEY_BYTES = 16;
const IV_BYTES = 16;

interface LegacyValue {
  readonly groupPassword: Bytes;
  /** One for the whole site. */
  readonly siteSalt: Bytes;
  readonly initializationVector: Bytes;
  readonly ciphertext: Bytes;
}

/**
 * AES-128-CBC under PBKDF2-HMAC-SHA-1. Not authenticated: a changed value may open.
 * @throws CryptoError `legacy`
 */
export async function openLegacyValue(value: LegacyValue): Promise<Bytes> {
  const { groupPassword, siteSalt, initializationVector, ciphertext } = value;
  if (siteSalt.length !== SALT_BYTES) throw new CryptoError('legacy');
  const key = await derivePbkdf2('SHA-1', groupPassword, siteSalt, ITERATIONS, KEY_BYTES);
  try {
    return await openCbc(key, initializationVector, ciphertext);
  } finally {
    key.fill(0);
  }
}

/** PBKDF2 (RFC 8018). @param length in bytes. @throws CryptoError `legacy` */
export async function derivePbkdf2(
  hash: 'SHA-1' | 'SHA-256',
  password: Bytes,
  salt: Bytes,
  iterations: number,
  length: number,
): Promise<Bytes> {
  try {
    const key = await subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    return new Uint8Array(await subtle.deriveBits({ name: 'PBKDF2', hash, salt, iterations }, key, length * 8));
  } catch {
    throw new CryptoError('legacy');
  }
}

/** AES-CBC with PKCS#7. @param key 16 or 32 bytes. @throws CryptoError `legacy` */
export async function openCbc(key: Bytes, initializationVector: Bytes, ciphertext: Bytes): Promise<Bytes> {
  if (initializationVector.length !== IV_BYTES) throw new CryptoError('legacy');
  try {
    const aes = await subtle.importKey('raw', key, 'AES-CBC', false, ['decrypt']);
    return new Uint8Array(await subtle.decrypt({ name: 'AES-CBC', iv: initializationVector }, aes, ciphertext));
  } catch {
    throw new CryptoError('legacy');
  }
}
