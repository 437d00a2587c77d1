/** Transitions of the synchronisation mode (docs/spec/product.md §4). */
import type { SyncMode } from '../offline.ts';
import { AppError } from '@passwordbroker/core/contract/problem';
import { KeyringError } from '../../keyring/keyring-error.ts';
import { reasonOf } from '../../transport/reason.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../../texts/offline-copy.ts';

export type SyncEvent = 'checking' | 'downloading' | 'done' | 'failed' | 'enabling' | 'disabling';

type Exits = Partial<Record<SyncEvent, SyncMode>>;

const WORKING: Exits = { done: 'await', failed: 'error', disabling: 'disable' };
const RESTING: Exits = {
  checking: 'loading',
  downloading: 'updating',
  enabling: 'enable',
  disabling: 'disable',
};

const SYNC_MODES: Readonly<Record<SyncMode, Exits>> = {
  await: RESTING,
  loading: { ...WORKING, downloading: 'updating' },
  updating: WORKING,
  // Downloads do not change the mode while offline mode is being enabled or disabled.
  enable: { done: 'await', failed: 'error' },
  disable: { done: 'await', failed: 'error' },
  error: { ...RESTING, done: 'await', failed: 'error' },
};

/** Unknown events change nothing. */
export function afterSyncEvent(mode: SyncMode, event: SyncEvent): SyncMode {
  return SYNC_MODES[mode][event] ?? mode;
}

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
