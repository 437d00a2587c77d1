/** Whether the page works with the server or from the local copy (docs/spec/product.md §4): mode → event → mode. */
import type { DatabaseMode } from '../offline.ts';

export type DatabaseEvent = 'switch to offline' | 'loaded' | 'failed' | 'switch to online';

const DATABASE_MODES: Readonly<Record<DatabaseMode, Partial<Record<DatabaseEvent, DatabaseMode>>>> = {
  online: { 'switch to offline': 'switching_to_offline' },
  switching_to_offline: { loaded: 'offline', failed: 'online', 'switch to online': 'online' },
  offline: { 'switch to online': 'online' },
};

/** An event that a mode does not know changes nothing. */
export function afterDatabaseEvent(mode: DatabaseMode, event: DatabaseEvent): DatabaseMode {
  return DATABASE_MODES[mode][event] ?? mode;
}
