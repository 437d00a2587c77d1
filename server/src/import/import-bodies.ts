/**
 * Stores sealed file bodies in a thread of an import. Reports each name to the main thread, which
 * removes them on failure.
 */
import { parentPort } from 'node:worker_threads';
import { openBodiesBeside } from '../db/bodies-beside.ts';
import type { KeepBody } from './batch-fields.ts';
import type { FromSender, JobParts } from './import-job.ts';

interface ImportBodies {
  readonly keep: KeepBody;
  close(): Promise<void>;
}

export async function openImportBodies(
  job: Pick<JobParts, 'databasePath' | 'dataDir' | 'operationId'>,
): Promise<ImportBodies> {
  const bodies = await openBodiesBeside(job.databasePath, job.dataDir, job.operationId);
  return {
    async keep(bytes) {
      const stored = await bodies.put(bytes);
      parentPort?.postMessage({ body: stored.sha256 } satisfies FromSender);
      return stored;
    },
    close: () => bodies.close(),
  };
}
