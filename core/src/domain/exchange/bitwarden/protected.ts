/** Password-protected exports of Bitwarden: a key from the password, then AES-256-CBC with HMAC-SHA-256. */
import { type Bytes, encodeBase64, randomBytes, sameBytes, utf8, wipe } from '../../../crypto/bytes.ts';
import {
  aesCbcDecrypt,
  aesCbcEncrypt,
  digest,
  hmacSha256,
  pbkdf2Sha256,
} from '../../../crypto/exchange/file-ciphers.ts';
import { ExchangeError } from '../exchange-error.ts';
import type { FileArgon2 } from '../file-argon2.ts';
import type { JsonObject } from '../json/json-object.ts';
import { fromBase64 } from '../one-time-password.ts';

const KDF = { pbkdf2: 0, argon2id: 1 } as const;
/** The numbers that Bitwarden lets people choose. */
const ROUNDS = { least: 5000, most: 2_000_000 };
const ARGON2 = { memoryMib: [16, 1024], passes: [2, 10], lanes: [1, 16] } as const;
const WRITTEN_ROUNDS = 600_000;

interface Keys {
  readonly encryption: Bytes;
  readonly mac: Bytes;
}

/** The export inside. @throws ExchangeError for a wrong password, damage and too much work */
export async function openProtected(file: JsonObject, password: string, argon2: FileArgon2): Promise<Bytes> {
  // Bitwarden asks for one, and Argon2 needs one.
  if (password === '') throw ExchangeError.wrong('The password');
  const keys = await splitKey(await deriveKey(file, utf8(password), argon2));
  const check = file.text('encKeyValidation_DO_NOT_EDIT');
  if (check === '' || (await decrypt(check, keys)) === null) throw ExchangeError.wrong('The password');
  const opened = await decrypt(file.text('data'), keys);
  if (opened === null) throw ExchangeError.unreadable('it is damaged');
  file.skip('encrypted', 'passwordProtected');
  return opened;
}

/** @param content the export as JSON */
export async function sealProtected(content: Bytes, password: string): Promise<Readonly<Record<string, unknown>>> {
  const salt = encodeBase64(randomBytes(16));
  const keys = await splitKey(await pbkdf2Sha256(utf8(password), utf8(salt), WRITTEN_ROUNDS));
  return {
    encrypted: true,
    passwordProtected: true,
    salt,
    kdfType: KDF.pbkdf2,
    kdfIterations: WRITTEN_ROUNDS,
    encKeyValidation_DO_NOT_EDIT: await encrypt(utf8(crypto.randomUUID()), keys),
    data: await encrypt(content, keys),
  };
}

async function deriveKey(file: JsonObject, password: Bytes, argon2: FileArgon2): Promise<Bytes> {
  const salt = utf8(file.text('salt'));
  const type = file.number('kdfType');
  const iterations = file.number('kdfIterations') ?? 0;
  if (type === KDF.pbkdf2) {
    demandRange(iterations, ROUNDS.least, ROUNDS.most);
    file.skip('kdfMemory', 'kdfParallelism');
    return pbkdf2Sha256(password, salt, iterations);
  }
  if (type !== KDF.argon2id) throw ExchangeError.unreadable('it is damaged');
  const memoryMib = file.number('kdfMemory') ?? 0;
  const parallelism = file.number('kdfParallelism') ?? 0;
  demandRange(memoryMib, ...ARGON2.memoryMib);
  demandRange(iterations, ...ARGON2.passes);
  demandRange(parallelism, ...ARGON2.lanes);
  const hashed = await digest('SHA-256', salt);
  const numbers = { memoryKib: memoryMib * 1024, iterations, parallelism, length: 32 };
  return argon2({ type: 'argon2id', password, salt: hashed, ...numbers });
}

function demandRange(value: number, least: number, most: number): void {
  if (value > most) throw ExchangeError.tooMuchWork();
  if (!Number.isInteger(value) || value < least) throw ExchangeError.unreadable('it is damaged');
}

/** HKDF-Expand to 32 bytes, which is one block (RFC 5869 §2.3). */
async function splitKey(key: Bytes): Promise<Keys> {
  const expand = (info: string) => hmacSha256(key, utf8(info), Uint8Array.of(1));
  const [encryption, mac] = await Promise.all([expand('enc'), expand('mac')]);
  wipe(key);
  return { encryption, mac };
}

/** `2.<iv>|<ciphertext>|<mac>` in base64; null if it is not of these keys. */
async function decrypt(text: string, { encryption, mac }: Keys): Promise<Bytes | null> {
  const parts = text.startsWith('2.') ? text.slice(2).split('|') : [];
  if (parts.length !== 3) return null;
  try {
    const [iv, sealed, tag] = parts.map(fromBase64);
    if (iv?.length !== 16 || sealed === undefined || tag === undefined) return null;
    if (!sameBytes(tag, await hmacSha256(mac, iv, sealed))) return null;
    return await aesCbcDecrypt(encryption, iv, sealed);
  } catch {
    return null;
  }
}

async function encrypt(content: Bytes, { encryption, mac }: Keys): Promise<string> {
  const iv = randomBytes(16);
  const sealed = await aesCbcEncrypt(encryption, iv, content);
  const tag = await hmacSha256(mac, iv, sealed);
  return `2.${[iv, sealed, tag].map((part) => encodeBase64(part)).join('|')}`;
}
