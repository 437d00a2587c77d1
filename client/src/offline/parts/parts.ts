/** State machine of the three parts of a local copy (docs/spec/product.md §4). */
import type { PartName, PartState } from '../offline.ts';

export type PartEvent =
  /** Stored and every byte verified. */
  | 'found'
  | 'missing'
  /** Damaged, of another person or server, or older than one that this device has seen. */
  | 'corrupted'
  | 'saved'
  | 'update required'
  /** The page could not open the copy. */
  | 'switching failed'
  /** Check again: another tab wrote, or the keyring was locked. */
  | 'unloaded';

const PARTS: Readonly<Record<PartState, Partial<Record<PartEvent, PartState>>>> = {
  not_loaded: {
    found: 'synchronized',
    missing: 'download_required',
    corrupted: 'download_required',
    'switching failed': 'download_required',
  },
  download_required: { saved: 'synchronized', unloaded: 'not_loaded' },
  synchronized: {
    'update required': 'download_required',
    corrupted: 'download_required',
    'switching failed': 'download_required',
    unloaded: 'not_loaded',
  },
};

export function afterPartEvent(state: PartState, event: PartEvent): PartState {
  return PARTS[state][event] ?? state;
}

/** Intervals in milliseconds (docs/spec/product.md §9). */
export interface PartPace {
  /** Between two questions to the server. */
  readonly check: number;
  /** After a failure. */
  readonly retry: number;
}

export const PACES: Readonly<Record<PartName, PartPace>> = {
  key: { check: 30_000, retry: 30_000 },
  database: { check: 5_000, retry: 5_000 },
  // The key's check includes the salt.
  salt: { check: 30_000, retry: 5_000 },
};

export const isReady = (parts: Readonly<Record<PartName, PartState>>): boolean =>
  Object.values(parts).every((state) => state === 'synchronized');
