/**
 * The server that this page uses: its own, by cookie, or another, by bearer token (docs/spec/decisions.md
 * I2).
 */
import { urlOf } from '@passwordbroker/core/domain/url';
import type { PlainStore, TokenRecords } from '../platform.ts';

export interface Servers {
  /** Origin; null: the page's own. */
  chosen(): string | null;
  choose(origin: string | null): void;
  hasOthers(): boolean;
  /** @throws ChunkLoadError */
  records(): Promise<TokenRecords>;
}

const CHOSEN = 'passwordbroker.server';
const OTHERS = 'passwordbroker.servers';

/** @param store throws if storage is blocked: then only the page's own server is used */
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
      records.catch(() => (records = null));
      return records;
    },
  };
}

/** Null unless the stored text is an http(s) URL. */
function originOf(text: string | null): string | null {
  const url = text === null ? null : urlOf(text);
  if (url === null) return null;
  const { origin, protocol } = url;
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}
