/** Ed25519 (RFC 8032) by WebCrypto or @noble/curves (docs/spec/crypto.md §7). */
import { type Bytes, concat, decodeBase64, decodeHex, encodeHex, sameBytes } from './bytes.ts';
import { CryptoError } from './errors.ts';

const { subtle } = crypto;
const NAME = 'Ed25519';
const PKCS8_PREFIX = decodeHex('302e020100300506032b657004220420');

/** Survives a structured clone. */
export interface SigningKey {
  readonly native: CryptoKey | null;
  /** Only if the browser has no Ed25519. */
  readonly seed: Bytes | null;
}

let nativeSupport: Promise<boolean> | undefined;
function hasNative(): Promise<boolean> {
  nativeSupport ??= subtle.generateKey(NAME, false, ['sign', 'verify']).then(
    () => true,
    () => false,
  );
  return nativeSupport;
}

/** Loaded on demand: about 30 kB. */
const loadFallback = async () => (await import('@noble/curves/ed25519.js')).ed25519;

/** Non-extractable. @throws CryptoError `key_length` */
export async function importSigningKey(seed: Bytes): Promise<SigningKey> {
  if (seed.length !== 32) throw new CryptoError('key_length');
  if (!(await hasNative())) return { native: null, seed: seed.slice() };
  return { native: await importNative(seed, false), seed: null };
}

async function importNative(seed: Bytes, extractable: boolean): Promise<CryptoKey> {
  const pkcs8 = concat(PKCS8_PREFIX, seed);
  try {
    return await subtle.importKey('pkcs8', pkcs8, NAME, extractable, ['sign']);
  } finally {
    pkcs8.fill(0);
  }
}

/** @throws CryptoError `key_length` */
export async function publicKeyOf(seed: Bytes): Promise<Bytes> {
  if (seed.length !== 32) throw new CryptoError('key_length');
  if (!(await hasNative())) return new Uint8Array((await loadFallback()).getPublicKey(seed));
  const { x = '' } = await subtle.exportKey('jwk', await importNative(seed, true));
  return decodeBase64(`${x.replaceAll('-', '+').replaceAll('_', '/')}=`);
}

/** 64 bytes; deterministic. */
export async function sign(key: SigningKey, message: Bytes): Promise<Bytes> {
  if (key.native !== null) return new Uint8Array(await subtle.sign(NAME, key.native, message));
  if (key.seed === null) throw new CryptoError('signature');
  return new Uint8Array((await loadFallback()).sign(message, key.seed));
}

/** y of the points of order 1, 2, 4 and 8, little endian, without sign bit. */
const SMALL_ORDER_Y = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(decodeHex);
/** 2^255 − 19 */
const PRIME = decodeHex('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f');
/** Order of the base point (RFC 8032 §5.1). */
const ORDER = decodeHex('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010');

/** Little endian, not in constant time: both are public. */
function isBelow(number: Uint8Array, limit: Uint8Array): boolean {
  for (let at = 31; at >= 0; at -= 1) {
    const difference = (number[at] ?? 0) - (limit[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Requires canonical bytes, not a small-order point. @throws CryptoError `public_key` */
export function checkPublicKey(key: Uint8Array): void {
  if (key.length !== 32) throw new CryptoError('public_key');
  const y = Uint8Array.from(key);
  y[31] = (y[31] ?? 0) & 0x7f;
  const isSmall = SMALL_ORDER_Y.some((small) => sameBytes(small, y));
  if (isSmall || !isBelow(y, PRIME)) throw new CryptoError('public_key');
}

const imported = new Map<string, Promise<CryptoKey>>();
const MOST_IMPORTED = 256;

function importedKey(publicKey: Bytes): Promise<CryptoKey> {
  const name = encodeHex(publicKey);
  const known = imported.get(name);
  if (known !== undefined) return known;
  if (imported.size >= MOST_IMPORTED) imported.clear();
  const key = subtle.importKey('raw', publicKey, NAME, false, ['verify']);
  imported.set(name, key);
  return key;
}

/** Never throws. Call `checkPublicKey` first. Rejects S at or above the group order. */
export async function verify(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (signature.length !== 64 || !isBelow(signature.subarray(32), ORDER)) return false;
  try {
    if (!(await hasNative())) return (await loadFallback()).verify(signature, message, publicKey, { zip215: false });
    return await subtle.verify(NAME, await importedKey(publicKey), signature, message);
  } catch {
    return false;
  }
}
