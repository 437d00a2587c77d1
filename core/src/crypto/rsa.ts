/** RSA-OAEP with SHA-256, MGF1-SHA-256 and an empty label (docs/spec/crypto.md §7). */
import { type Bytes, encodeBase64, sameBytes } from './bytes.ts';
import { DER, readDer, readSequence, readUnsigned } from './der.ts';
import { CryptoError } from './errors.ts';

const { subtle } = crypto;
const ALGORITHM = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;
const BITS = 3072;
const ADMITTED_BITS = [3072, 4096];

export interface RsaKeyPair {
  readonly pkcs8: Bytes;
  readonly spki: Bytes;
}

/** 3072 bits, e = 65537, as DER. */
export async function createRsaKeyPair(): Promise<RsaKeyPair> {
  const pair = await subtle.generateKey(
    { ...ALGORITHM, modulusLength: BITS, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['encrypt', 'decrypt'],
  );
  return {
    pkcs8: new Uint8Array(await subtle.exportKey('pkcs8', pair.privateKey)),
    spki: new Uint8Array(await subtle.exportKey('spki', pair.publicKey)),
  };
}

/** Non-extractable. @throws CryptoError `public_key` */
export async function importRsaPrivateKey(pkcs8: Bytes): Promise<CryptoKey> {
  try {
    return await subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['decrypt']);
  } catch {
    throw new CryptoError('public_key');
  }
}

/** SPKI (DER) of a private key. @throws CryptoError `public_key` */
export async function rsaPublicKeyOf(pkcs8: Bytes): Promise<Bytes> {
  const octets = readSequence(readDer(pkcs8)?.[0])?.[2];
  const numbers = octets?.tag === DER.octets ? readSequence(readDer(octets.content)?.[0]) : null;
  const [n, e] = [readUnsigned(numbers?.[1]), readUnsigned(numbers?.[2])];
  if (!n || !e) throw new CryptoError('public_key');
  try {
    const jwk = { kty: 'RSA', n: encodeBase64Url(n), e: encodeBase64Url(e) };
    const publicKey = await subtle.importKey('jwk', jwk, ALGORITHM, true, ['encrypt']);
    return new Uint8Array(await subtle.exportKey('spki', publicKey));
  } catch {
    throw new CryptoError('public_key');
  }
}

/** Without padding. */
export const encodeBase64Url = (bytes: Bytes): string =>
  encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

export interface RsaPublicKey {
  readonly key: CryptoKey;
  readonly bits: number;
}

/** Requires 3072 or 4096 bits, e = 65537 and canonical encoding. @throws CryptoError `public_key` */
export async function importRsaPublicKey(spki: Bytes): Promise<RsaPublicKey> {
  // A 4096-bit SPKI has 550 bytes; do not parse a huge number.
  if (spki.length > 600) throw new CryptoError('public_key');
  let key: CryptoKey;
  try {
    key = await subtle.importKey('spki', spki, ALGORITHM, true, ['encrypt']);
  } catch {
    throw new CryptoError('public_key');
  }
  const { modulusLength, publicExponent } = key.algorithm as unknown as {
    modulusLength: number;
    publicExponent: Uint8Array;
  };
  const exponent = publicExponent.reduce((number, byte) => number * 256 + byte, 0);
  if (!ADMITTED_BITS.includes(modulusLength) || exponent !== 65_537) throw new CryptoError('public_key');
  if (!sameBytes(new Uint8Array(await subtle.exportKey('spki', key)), spki)) throw new CryptoError('public_key');
  return { key, bits: modulusLength };
}

export async function wrapFor(publicKey: RsaPublicKey, secret: Bytes): Promise<Bytes> {
  return new Uint8Array(await subtle.encrypt({ name: 'RSA-OAEP' }, publicKey.key, secret));
}

/** @throws CryptoError `grant` */
export async function unwrapWith(privateKey: CryptoKey, wrapped: Bytes): Promise<Bytes> {
  try {
    return new Uint8Array(await subtle.decrypt({ name: 'RSA-OAEP' }, privateKey, wrapped));
  } catch {
    throw new CryptoError('grant');
  }
}
