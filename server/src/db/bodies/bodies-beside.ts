import { openBodyStore } from '../../platform/storage/bodies.ts';
import { readPostgresUrl } from '../postgres/address.ts';
import type { StoredBodies } from './stored-bodies.ts';

/** Opens the file bodies of either database. @param path `Database.path` @param writer see `openBodyStore` */
export async function openBodiesBeside(path: string, dataDir: string, writer?: string): Promise<StoredBodies> {
  const address = readPostgresUrl(path);
  if (address === null) return { ...openBodyStore(dataDir, writer), async close() {} };
  const { openStoredBodies } = await import('./stored-bodies.ts');
  return openStoredBodies(address);
}
