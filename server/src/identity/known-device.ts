/**
 * Cookie of known browsers: `random.HMAC(SHA-256(password hash), account, random)`. It is stateless, grants
 * no access, and ends with the password.
 */
import { encodePieces } from '@passwordbroker/core/crypto/bytes';
import type { RequestContext } from '../http/context.ts';
import type { Secure } from '../http/auth/session.ts';
import { hmacSha256, randomText, sameText, sha256 } from '../platform/secrets.ts';
import { identityKey } from '../users/identity-key.ts';

const SIXTY_DAYS = 60 * 24 * 3600;

const cookieName = ({ config }: Secure) => (config.publicUrl.startsWith('https:') ? '__Host-pb_device' : 'pb_device');

function macOf(random: string, email: string, passwordHash: string): string {
  const key = sha256(Buffer.from(passwordHash));
  return hmacSha256(key, encodePieces(['device', identityKey(email), random])).toString('base64url');
}

/** Returns the random part if the cookie is valid for this account, else null. */
export function knownDevice(deps: Secure, context: RequestContext, email: string, passwordHash: string): string | null {
  const mark = context.cookie(cookieName(deps));
  if (mark === null) return null;
  const [random = '', mac = ''] = mark.split('.');
  return sameText(mac, macOf(random, email, passwordHash)) ? random : null;
}

export function rememberDevice(deps: Secure, context: RequestContext, email: string, passwordHash: string): void {
  const random = randomText(16);
  context.head.setCookie(cookieName(deps), `${random}.${macOf(random, email, passwordHash)}`, {
    httpOnly: true,
    maxAge: SIXTY_DAYS,
  });
}
