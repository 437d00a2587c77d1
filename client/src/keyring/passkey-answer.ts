import type { PasskeySlot } from '@passwordbroker/core/contract/entities';

/** What a passkey of this host answered. */
export interface PasskeyAnswer {
  /** Base64url. */
  readonly credentialId: string;
  /** 32 bytes, only moved to the worker: kept nowhere else. */
  readonly prf: ArrayBuffer;
}

/** Asks the person to use one of these passkeys. @throws if none was used, or it gave no output */
export type AskPasskey = (passkeys: readonly PasskeySlot[]) => Promise<PasskeyAnswer>;

/** For the case that the worker did not take the bytes; a moved buffer is empty already. */
export function wipeAnswer({ prf }: Pick<PasskeyAnswer, 'prf'>): void {
  if (prf.byteLength > 0) new Uint8Array(prf).fill(0);
}
