/** Random secrets of the server and their digests. No server key exists: a secret lives with its bearer, here lies its hash. */
import { randomBytes } from '@passwordbroker/core/crypto/bytes';
import { authenticate, digest } from '@passwordbroker/core/crypto/digests.node';

export { runningDigest, sameText } from '@passwordbroker/core/crypto/digests.node';

export const sha256 = (bytes: Uint8Array): Buffer => digest(bytes);
export const sha256Hex = (text: string): string => digest(text).toString('hex');
export const hmacSha256 = (key: Uint8Array, message: Uint8Array): Buffer => authenticate(key, message);
/** `bytes` random bytes as base64url text, safe in cookies, headers and URLs. */
export const randomText = (bytes: number): string => Buffer.from(randomBytes(bytes)).toString('base64url');
