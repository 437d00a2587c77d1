/** A TOTP secret as people have it: base32 in any dress, or a whole otpauth address (decision H10). null: neither. */
import { parseTotpSecret } from '@passwordbroker/core/domain/totp';

export type ReadTotp = ReturnType<typeof parseTotpSecret>;

export function readTotp(text: string): ReadTotp | null {
  try {
    return parseTotpSecret(text);
  } catch {
    return null;
  }
}
