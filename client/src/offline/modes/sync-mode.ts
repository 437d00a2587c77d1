/** Transitions of the synchronisation mode (docs/spec/product.md §4). */
import type { SyncMode } from '../offline.ts';

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
