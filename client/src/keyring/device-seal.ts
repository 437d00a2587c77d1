/** Seals under a non-extractable key of this browser (docs/spec/crypto.md §4 kind 5). */
import { randomBytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { importSealingKey, open, seal, type SealingKey } from '@passwordbroker/core/crypto/seal';

/** Can be stored in IndexedDB; its bytes cannot be read. */
export type DeviceKey = SealingKey;

export async function createDeviceKey(): Promise<DeviceKey> {
  const bytes = randomBytes(32);
  return importSealingKey(bytes).finally(() => bytes.fill(0));
}

const contextOf = (name: string) => ({ userId: '', name, n: 1 });

/** @param name bound into the seal */
export async function sealOnDevice(key: DeviceKey, name: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = utf8(text);
  return seal('doc', key, contextOf(name), bytes).finally(() => bytes.fill(0));
}

/** @throws CryptoError */
export async function openOnDevice(key: DeviceKey, name: string, sealed: Uint8Array<ArrayBuffer>): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await open('doc', key, contextOf(name), sealed));
}
