/** Passkeys as KeePassXC stores them, and in the form of FIDO CXF. */
import { decodeBase64, decodeBase64Url, encodeBase64 } from '../../crypto/bytes.ts';
import { passkeyField } from '../exchange/tree-builder.ts';
import type { PlainContent } from '../exchange/tree.ts';

type PasswordContent = Extract<PlainContent, { readonly type: 'password' }>;

const PREFIX = 'KPEX_PASSKEY_';
const KEY = {
  credential: `${PREFIX}CREDENTIAL_ID`,
  /** Of KeePassXC 2.7.7, instead. */
  oldCredential: `${PREFIX}GENERATED_USER_ID`,
  privateKey: `${PREFIX}PRIVATE_KEY_PEM`,
  host: `${PREFIX}RELYING_PARTY`,
  user: `${PREFIX}USERNAME`,
  userHandle: `${PREFIX}USER_HANDLE`,
} as const;

/** Null unless all that belongs to a passkey is there. `keys` are the strings that it is made of. */
export function readPasskey(
  strings: ReadonlyMap<string, string>,
): { readonly content: PasswordContent; readonly keys: readonly string[] } | null {
  const text = (key: string) => strings.get(key) ?? '';
  const credentialId = text(KEY.credential) || text(KEY.oldCredential);
  const [rpId, userHandle, key] = [text(KEY.host), text(KEY.userHandle), ofPem(text(KEY.privateKey))];
  if (credentialId === '' || rpId === '' || userHandle === '' || key === null) return null;
  const username = text(KEY.user);
  const passkey = { credentialId, rpId, username, userDisplayName: username, userHandle, key };
  const content = passkeyField(rpId, passkey).revisions[0]?.content;
  return content?.type === 'password' ? { content, keys: Object.values(KEY) } : null;
}

/** The strings of KeePassXC; null for a value that is no passkey. @param value JSON in the form of FIDO CXF */
export function passkeyStrings(value: string): ReadonlyMap<string, string> | null {
  const { credentialId, rpId, username, userHandle, key } = parse(value);
  const pem = typeof key === 'string' ? toPem(key) : null;
  if (pem === null || typeof credentialId !== 'string' || typeof rpId !== 'string') return null;
  if (typeof userHandle !== 'string' || (username !== undefined && typeof username !== 'string')) return null;
  return new Map([
    [KEY.credential, credentialId],
    [KEY.privateKey, pem],
    [KEY.host, rpId],
    [KEY.user, username ?? ''],
    [KEY.userHandle, userHandle],
  ]);
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** PKCS#8 in base64url. */
function ofPem(pem: string): string | null {
  const body = /^-----BEGIN PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END PRIVATE KEY-----$/.exec(pem.trim())?.[1];
  try {
    const base64 = encodeBase64(decodeBase64((body ?? '').replaceAll(/\s/g, '')));
    return base64 === '' ? null : base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  } catch {
    return null;
  }
}

function toPem(base64Url: string): string | null {
  try {
    const lines = encodeBase64(decodeBase64Url(base64Url)).replaceAll(/.{64}(?=.)/g, '$&\n');
    return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----`;
  } catch {
    return null;
  }
}
