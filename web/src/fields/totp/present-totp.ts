import type { TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import { parseTotpSecret, totpCode } from '@passwordbroker/core/domain/fields/totp';
import type { Revealed } from '@passwordbroker/client/vault/vault';

export interface PresentTotp {
  readonly secret: string;
  readonly algorithm: TotpAlgorithm;
  /** Seconds. */
  readonly period: number;
}

/** Parameters of a revealed TOTP; null if the sealed text is not a valid secret. */
export function presentTotp({ text, totp }: Revealed): PresentTotp | null {
  const parsed = parseTotpSecret(text);
  return parsed === null || totp === null ? null : { secret: parsed.secret, ...totp };
}

/** The code at `now`, or the sealed text if it is not a valid secret. */
export function presentCode(revealed: Revealed, now = Date.now()): string {
  const totp = presentTotp(revealed);
  return totp === null ? revealed.text : totpCode(totp, now).code;
}
