/** What is needed to make codes of a revealed value; null when what was sealed is no secret of that kind. */
import type { TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import { parseTotpSecret, totpCode } from '@passwordbroker/core/domain/fields/totp';
import type { Revealed } from '../../vault/vault.ts';

export interface PresentTotp {
  readonly secret: string;
  readonly algorithm: TotpAlgorithm;
  /** Seconds. */
  readonly period: number;
}

export function presentTotp({ text, totp }: Revealed): PresentTotp | null {
  const parsed = parseTotpSecret(text);
  return parsed === null || totp === null ? null : { secret: parsed.secret, ...totp };
}

/** The code of this moment; what was sealed, where no code can be made of it. */
export function presentCode(revealed: Revealed, now = Date.now()): string {
  const totp = presentTotp(revealed);
  return totp === null ? revealed.text : totpCode(totp, now).code;
}
