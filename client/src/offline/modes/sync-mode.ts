/** What the synchronisation of the local copy is at (docs/spec/product.md §4): mode → event → mode. */
import type { SyncMode } from '../offline.ts';

export type SyncEvent =
  /** A local copy is looked at. */
  | 'checking'
  | 'downloading'
  | 'done'
  | 'failed'
  /** The person switches offline mode on or off. */
  | 'enabling'
  | 'disabling';

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
  // What is switched on or off is not spoken of as a download meanwhile.
  enable: { done: 'await', failed: 'error' },
  disable: { done: 'await', failed: 'error' },
  error: { ...RESTING, done: 'await', failed: 'error' },
};

/** An event that a mode does not know changes nothing. */
export function afterSyncEvent(mode: SyncMode, event: SyncEvent): SyncMode {
  return SYNC_MODES[mode][event] ?? mode;
}
