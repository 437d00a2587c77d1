/** The three parts of a local copy, each by itself (docs/spec/product.md §4): state → event → state. */
import type { PartName, PartState } from '../offline.ts';

export type PartEvent =
  /** The local copy of the part is there, and every byte of it holds. */
  | 'found'
  | 'missing'
  /** Damaged, of somebody else, of another server, or older than one that this device has seen. */
  | 'corrupted'
  /** Downloaded, checked and stored. */
  | 'saved'
  /** The server has something newer. */
  | 'update required'
  /** Working from the copy could not begin. */
  | 'switching failed'
  /** The local copy is to be looked at anew: another tab has written it, or nobody is signed in any more. */
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

/** An event that a state does not know changes nothing. */
export function afterPartEvent(state: PartState, event: PartEvent): PartState {
  return PARTS[state][event] ?? state;
}

/** docs/spec/product.md §9: how long after a step the next one follows, in milliseconds. */
export interface PartPace {
  /** While synchronized: between two questions to the server. */
  readonly check: number;
  /** After something that did not succeed. */
  readonly retry: number;
}

export const PACES: Readonly<Record<PartName, PartPace>> = {
  key: { check: 30_000, retry: 30_000 },
  database: { check: 5_000, retry: 5_000 },
  // Whether it is stale is asked with the key.
  salt: { check: 30_000, retry: 5_000 },
};

/** Ready only when all three are synchronized. */
export const isReady = (parts: Readonly<Record<PartName, PartState>>): boolean =>
  Object.values(parts).every((state) => state === 'synchronized');
