/** An authenticator app, as people have it on their phone. */
import { totpCode } from '@passwordbroker/core/domain/fields/totp';

const PERIOD_MS = 30_000;
/** A code that is given so shortly before its end would be typed after it. */
const TYPING_MS = 2000;

/** Three codes are accepted at any time, each once: the former, the present and the next one. */
export function authenticatorOf(secret: string) {
  const totp = { secret: secret.replaceAll(' ', ''), algorithm: 'sha1', period: PERIOD_MS / 1000 } as const;
  let last = 0;
  return {
    /** A code that was not given before. At most three within half a minute. */
    code(): string {
      last = Math.max(last + 1, Math.floor((Date.now() + TYPING_MS) / PERIOD_MS) - 1);
      return totpCode(totp, last * PERIOD_MS).code;
    },
  };
}
