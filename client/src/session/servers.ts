/**
 * Which server this page speaks to: the one it came from, by cookie, or another one, by a bearer token (docs/spec/decisions.md I2). Addresses are no secret and lie
 * in plain storage; what signs in lies in `token-records.ts`, which is loaded only when there is another server.
 */
import type { PlainStore } from '../plain-store.ts';
import type { TokenRecords } from './token-records.ts';

export interface Servers {
  /** Origin of the other server that is spoken to; null: this page's own. */
  chosen(): string | null;
  choose(origin: string | null): void;
  /** Whether a token for some other server may be kept in this browser. */
  hasOthers(): boolean;
  /** @throws ChunkLoadError */
  records(): Promise<TokenRecords>;
}

const CHOSEN = 'passwordbroker.server';
const OTHERS = 'passwordbroker.servers';

/** @param store throws where the browser keeps nothing for this page: then there is no other server either */
export function createServers(store: () => PlainStore, load: () => Promise<TokenRecords>): Servers {
  let records: Promise<TokenRecords> | null = null;
  const read = (key: string) => {
    try {
      return store().getItem(key);
    } catch {
      return null;
    }
  };
  return {
    chosen: () => originOf(read(CHOSEN)),
    choose(origin) {
      if (origin !== null) {
        store().setItem(CHOSEN, origin);
        store().setItem(OTHERS, '1');
      } else if (read(CHOSEN) !== null) store().removeItem(CHOSEN);
    },
    hasOthers: () => read(OTHERS) !== null,
    records: () => {
      records ??= load();
      // The next call retries.
      records.catch(() => (records = null));
      return records;
    },
  };
}

/** Only an origin is ever spoken to, whatever was written into the storage. */
function originOf(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { origin, protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}
