/** Where sealed file bodies are: in the database on a server, or in files beside an embedded one. */
import { openBodyStore } from '../platform/bodies.ts';
import { readPostgresUrl } from './postgres-address.ts';
import { openStoredBodies } from './stored-bodies.ts';
import type { StoredBodies } from './stored-bodies.ts';

/** `path` is that of the database (`Database.path`). */
export function openBodiesBeside(path: string, dataDir: string): StoredBodies {
  const address = readPostgresUrl(path);
  return address === null ? { ...openBodyStore(dataDir), async close() {} } : openStoredBodies(address);
}
