import { AppError } from '@passwordbroker/core/contract/problem';
import { KeyringError } from '../../keyring/keyring-error.ts';
import { reasonOf } from '../../transport/reason.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../../texts/offline-copy.ts';

/** Refused by the server or a proxy. */
export const isRefusal = (failure: unknown) => failure instanceof AppError && REFUSALS.has(failure.code);

const REFUSALS: ReadonlySet<string> = new Set(['forbidden', 'not_found', 'offline_mode_off']);

/** Another tab has written first. */
export const isMovedOn = (failure: unknown) => failure instanceof KeyringError && failure.detail === 'moved on';

/** The answer is invalid or older, or there is no space. */
export const isInVain = (failure: unknown) =>
  failure instanceof KeyringError && failure.code === 'offline_copy' && (failure.detail ?? '') in TEXTS.refusals;

export function refusalOf(failure: unknown): string {
  if (!(failure instanceof KeyringError) || failure.code !== 'offline_copy') return reasonOf(failure);
  const { detail = '' } = failure;
  const known: Readonly<Record<string, string>> = TEXTS.refusals;
  return known[detail] ?? failure.message;
}
