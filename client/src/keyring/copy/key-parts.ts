/** The stored parts key and salt: undamaged, and matching (docs/spec/crypto.md §16). */
import * as z from 'zod/mini';
import { KeyBundle } from '@passwordbroker/core/contract/entities';
import { digestText } from '@passwordbroker/core/crypto/bytes';
import type { CopyRecord, KeyPart, SaltPart } from './copy-store.ts';

/** Null: damaged, or another person's. */
export async function readKeyPart({ key, userId }: Pick<CopyRecord, 'key' | 'userId'>): Promise<KeyBundle | null> {
  const isWhole = await holds(async () => key !== null && key.digest === (await digestOf(keyTexts(key))));
  return key !== null && isWhole ? bundleOf(key.rsa_private_key_base64, userId) : null;
}

/** Null: another person's, or without a password slot. */
export function bundleOf(base64: string, userId: string): KeyBundle | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const read = z.safeParse(KeyBundle, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    return read.success && read.data.user_id === userId && passwordSlotOf(read.data) !== undefined ? read.data : null;
  } catch {
    return null;
  }
}

export async function isSaltSound({ salt }: Pick<CopyRecord, 'salt'>, bundle: KeyBundle | null): Promise<boolean> {
  const isWhole = await holds(async () => salt !== null && salt.digest === (await digestOf(saltTexts(salt))));
  return salt !== null && isWhole && (bundle === null || isSaltOf(salt, bundle));
}

const holds = (test: () => Promise<boolean>) => test().catch(() => false);

export function isSaltOf({ salt_base64, kdf }: Pick<SaltPart, 'salt_base64' | 'kdf'>, bundle: KeyBundle): boolean {
  const slot = passwordSlotOf(bundle);
  return slot?.salt_base64 === salt_base64 && slot.kdf === kdf;
}

export async function keyPartOf(part: Omit<KeyPart, 'digest'>): Promise<KeyPart> {
  return { ...part, digest: await digestOf(keyTexts(part)) };
}

export async function saltPartOf(part: Omit<SaltPart, 'digest'>): Promise<SaltPart> {
  return { ...part, digest: await digestOf(saltTexts(part)) };
}

const passwordSlotOf = (bundle: KeyBundle) => bundle.slots.find(({ slot_type }) => slot_type === 'password');
const keyTexts = ({ rsa_private_key_base64, timestamp }: Omit<KeyPart, 'digest'>) => [
  rsa_private_key_base64,
  timestamp,
];
const saltTexts = ({ salt_base64, kdf, timestamp }: Omit<SaltPart, 'digest'>) => [salt_base64, kdf, timestamp];

/** A flipped bit in the locked keys would look like a wrong master password. */
const digestOf = (texts: readonly (string | number)[]): Promise<string> => digestText(JSON.stringify(texts));
