/** What keeps a part of the local copy from being synchronized, and what is said of it. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { KeyringError } from '../../keyring/keyring-error.ts';
import { reasonOf } from '../../transport/reason.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../../texts/offline-copy.ts';

/** Of the application, or of all copies of the site; or of something in front of the server. */
export const isRefusal = (failure: unknown) => failure instanceof AppError && REFUSALS.has(failure.code);

const REFUSALS: ReadonlySet<string> = new Set(['forbidden', 'not_found', 'offline_mode_off']);

/** Another tab came first: what it has written is looked at next. */
export const isMovedOn = (failure: unknown) => failure instanceof KeyringError && failure.detail === 'moved on';

/** The answer came, and cannot be taken, or there is no room for it. */
export const isInVain = (failure: unknown) =>
  failure instanceof KeyringError && failure.code === 'offline_copy' && (failure.detail ?? '') in TEXTS.refusals;

/** In words for the person. */
export function refusalOf(failure: unknown): string {
  if (!(failure instanceof KeyringError) || failure.code !== 'offline_copy') return reasonOf(failure);
  const { detail = '' } = failure;
  const known: Readonly<Record<string, string>> = TEXTS.refusals;
  return known[detail] ?? failure.message;
}
