/** Where sealed file bodies are: in the database on a server, or in files beside an embedded one. */
import { openBodyStore } from '../platform/storage/bodies.ts';
import { readPostgresUrl } from './postgres-address.ts';
import type { StoredBodies } from './stored-bodies.ts';

/** @param path that of the database (`Database.path`) @param writer as `openBodyStore` has it */
export async function openBodiesBeside(path: string, dataDir: string, writer?: string): Promise<StoredBodies> {
  const address = readPostgresUrl(path);
  if (address === null) return { ...openBodyStore(dataDir, writer), async close() {} };
  const { openStoredBodies } = await import('./stored-bodies.ts');
  return openStoredBodies(address);
}
