/** Key of a slot from the master password (docs/spec/crypto.md §5). */
import { hkdf, importDerivationKey } from '#primitives';
import { type Bytes, encodeBase64, encodePieces, utf8 } from './bytes.ts';
import { CryptoError } from './errors.ts';
import { passwordProblem } from './password-form.ts';
import { type SealingKey, importSealingKey } from './seal.ts';

export interface KdfProfile {
  readonly memoryKib: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** Argon2id 0x13, no secret, no associated data, 32 bytes. */
export type Argon2id = (password: Bytes, salt: Bytes, profile: KdfProfile) => Promise<Bytes>;

export interface Kdf {
  readonly profiles: Readonly<Record<string, KdfProfile>>;
  readonly defaultProfile: string;
  readonly argon2id: Argon2id;
}

/** Default and minimum (RFC 9106, second recommended option). */
export const KDF_PROFILES = { A1: { memoryKib: 65_536, iterations: 3, parallelism: 4 } } as const satisfies Record<
  string,
  KdfProfile
>;
export const DEFAULT_KDF = 'A1';

export const SLOT_SALT_BYTES = 16;

/** UTF-8 of the NFKC form, 1 to 1024 bytes. @throws CryptoError `password` */
export function normalisePassword(masterPassword: string): Bytes {
  if (passwordProblem(masterPassword) !== null) throw new CryptoError('password');
  return utf8(masterPassword.normalize('NFKC'));
}

/** @throws CryptoError `kdf` for an unknown name */
export function profileOf(kdf: Kdf, name: unknown): KdfProfile {
  const profile = typeof name === 'string' && Object.hasOwn(kdf.profiles, name) ? kdf.profiles[name] : undefined;
  if (profile === undefined) throw new CryptoError('kdf');
  return profile;
}

/** `argon2id$v=19$m=65536,t=3,p=4$<salt>$sk=0`, bound into the slot. */
export function describeDerivation(profile: KdfProfile, salt: Uint8Array): string {
  const { memoryKib, iterations, parallelism } = profile;
  return `argon2id$v=19$m=${memoryKib},t=${iterations},p=${parallelism}$${encodeBase64(salt)}$sk=0`;
}

/** Checks profile and salt before anything is allocated. @throws CryptoError `kdf`, `password` */
export async function deriveMasterKey(kdf: Kdf, name: unknown, masterPassword: string, salt: Bytes): Promise<Bytes> {
  const profile = profileOf(kdf, name);
  if (salt.length !== SLOT_SALT_BYTES) throw new CryptoError('kdf');
  const password = normalisePassword(masterPassword);
  try {
    return await kdf.argon2id(password, salt, profile);
  } finally {
    password.fill(0);
  }
}

/** `HKDF(material, salt, PAE(pieces), length)`. */
export async function deriveBytes(
  material: Bytes,
  salt: Bytes,
  pieces: readonly (string | Uint8Array)[],
  length: number,
): Promise<Bytes> {
  return hkdf(await importDerivationKey(material), salt, encodePieces(pieces), length);
}

export async function deriveSealingKey(material: Bytes, pieces: readonly (string | Uint8Array)[]): Promise<SealingKey> {
  const bytes = await deriveBytes(material, new Uint8Array(0), pieces, 32);
  try {
    return await importSealingKey(bytes);
  } finally {
    bytes.fill(0);
  }
}
