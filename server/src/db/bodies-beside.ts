/** Where sealed file bodies are: in the database on a server, or in files beside an embedded one. */
import { openBodyStore } from '../platform/bodies.ts';
import { readPostgresUrl } from './postgres-address.ts';
import type { StoredBodies } from './stored-bodies.ts';

/** `path` is that of the database (`Database.path`). */
export async function openBodiesBeside(path: string, dataDir: string): Promise<StoredBodies> {
  const address = readPostgresUrl(path);
  if (address === null) return { ...openBodyStore(dataDir), async close() {} };
  const { openStoredBodies } = await import('./stored-bodies.ts');
  return openStoredBodies(address);
}
