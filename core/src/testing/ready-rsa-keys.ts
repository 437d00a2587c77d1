/**
 * Set-up of test files: WebCrypto hands out RSA key pairs that were made before. Making one takes half a second of a core, and the tests of a run need
 * hundreds. They are real pairs, kept in the cache folder of this repository; those that are missing are made. A process hands out all of
 * them before it repeats one, so no two people of a test have the same.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const COUNT = 48;
const FOLDER = join(import.meta.dirname, '..', '..', '..', '.cache', 'test-rsa-keys');
const ALGORITHM = { name: 'RSA-OAEP', hash: 'SHA-256' } as const;
const IS_READY = Symbol.for('passwordbroker: ready RSA keys');

const prototype = Object.getPrototypeOf(crypto.subtle) as SubtleCrypto & { [IS_READY]?: true };
if (prototype[IS_READY] === undefined) {
  prototype[IS_READY] = true;
  const make = Reflect.get(prototype, 'generateKey') as (...args: unknown[]) => Promise<CryptoKeyPair>;
  // Processes begin at different places, so that on a new machine each makes other pairs.
  let next = (Number(process.env['VITEST_POOL_ID'] ?? 0) * 16) % COUNT;
  Reflect.set(prototype, 'generateKey', async function ready(this: SubtleCrypto, ...args: unknown[]) {
    const [algorithm, isExtractable, uses] = args as [Partial<RsaHashedKeyGenParams>, boolean, string[]];
    const { name, hash, modulusLength, publicExponent = [] } = algorithm;
    const asked = JSON.stringify([name, hash, modulusLength, [...publicExponent], uses]);
    const isOfProduct = asked === '["RSA-OAEP","SHA-256",3072,[1,0,1],["encrypt","decrypt"]]';
    if (!isOfProduct || !isExtractable) return make.apply(this, args);
    const file = join(FOLDER, `${(next = (next + 1) % COUNT)}.json`);
    return (await kept(file)) ?? keep(file, await make.apply(this, args));
  });
}

async function kept(file: string): Promise<CryptoKeyPair | null> {
  try {
    const { pkcs8, spki } = JSON.parse(readFileSync(file, 'utf8')) as { pkcs8: string; spki: string };
    return {
      privateKey: await crypto.subtle.importKey('pkcs8', Buffer.from(pkcs8, 'base64'), ALGORITHM, true, ['decrypt']),
      publicKey: await crypto.subtle.importKey('spki', Buffer.from(spki, 'base64'), ALGORITHM, true, ['encrypt']),
    };
  } catch {
    return null;
  }
}

async function keep(file: string, pair: CryptoKeyPair): Promise<CryptoKeyPair> {
  const base64 = async (format: 'pkcs8' | 'spki', key: CryptoKey) =>
    Buffer.from(await crypto.subtle.exportKey(format, key)).toString('base64');
  const content = { pkcs8: await base64('pkcs8', pair.privateKey), spki: await base64('spki', pair.publicKey) };
  mkdirSync(FOLDER, { recursive: true });
  // Renaming makes the write atomic, as several processes may write.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(content));
  renameSync(unfinished, file);
  return pair;
}
