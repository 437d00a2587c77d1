/** Passkeys of other programs, in the form of FIDO CXF 1.0, so that an export can give them back. */
import { type Bytes, concat, decodeHex, encodeBase64, encodeHex } from '../../../crypto/bytes.ts';
import { fromBase64 } from '../one-time-password.ts';
import type { TreeField } from '../tree.ts';
import { passkeyField } from '../tree-builder.ts';

/** Bytes are base64url without padding. Further members are kept as they are. */
export interface Passkey {
  readonly credentialId: string;
  readonly rpId: string;
  readonly username: string;
  readonly userDisplayName: string;
  readonly userHandle: string;
  /** PKCS#8. */
  readonly key: string;
}

const MEMBERS = ['credentialId', 'rpId', 'username', 'userDisplayName', 'userHandle', 'key'] as const;

/** @param more members that only one program has; empty ones are left out */
export function fieldOfPasskey(passkey: Passkey, more: Readonly<Record<string, unknown>> = {}): TreeField {
  const { credentialId, rpId, username, userDisplayName, userHandle, key } = passkey;
  const kept = Object.entries(more).filter(([, value]) => value !== '' && value !== null && value !== undefined);
  const whole = { credentialId, rpId, username, userDisplayName, userHandle, key, ...Object.fromEntries(kept) };
  return passkeyField(rpId, whole);
}

/** The passkey in a field that `fieldOfPasskey` has made, if its key is there; null for any other field. */
export function passkeyIn({ revisions }: TreeField): (Passkey & Readonly<Record<string, unknown>>) | null {
  const content = revisions.at(-1)?.content;
  if (content?.type !== 'password' || !content.title.startsWith('Passkey for ')) return null;
  try {
    const passkey = JSON.parse(content.value) as Record<string, unknown> | null;
    if (MEMBERS.some((member) => typeof passkey?.[member] !== 'string') || passkey?.['key'] === '') return null;
    return passkey as unknown as Passkey & Record<string, unknown>;
  } catch {
    return null;
  }
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** The same bytes in base64url without padding; a text that is no base64 stays as it is. */
export function asBase64Url(text: string): string {
  try {
    return toBase64Url(bytesOf(text));
  } catch {
    return text;
  }
}

/** Of base64 or base64url. @throws CryptoError */
export const bytesOf = (text: string): Bytes => fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));

export const toBase64Url = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** Bitwarden writes ids of 16 bytes as UUID, others as 'b64.' and base64url. */
export function idFromBitwarden(id: string): string {
  if (id.startsWith('b64.')) return id.slice(4);
  return UUID.test(id) ? toBase64Url(decodeHex(id.replaceAll('-', ''))) : id;
}

export function idForBitwarden(id: string): string {
  try {
    const bytes = bytesOf(id);
    if (bytes.length !== 16 || toBase64Url(bytes) !== id) return `b64.${id}`;
    return encodeHex(concat(bytes)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  } catch {
    return `b64.${id}`;
  }
}
