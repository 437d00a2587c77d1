import type { Deps } from '../http/context.ts';
import type { StoredBody } from '../platform/storage/bodies.ts';
import { removeUnnamedBodies } from './body-repository.ts';

export interface BodyInHand extends StoredBody {
  /** Call in the transaction that names the body: stores it again if it was removed meanwhile. */
  keep(): Promise<void>;
}

/** Stores a body (ADR 15) and removes it if `work` throws. */
export async function withBody<T>(
  { db, bodies, log }: Pick<Deps, 'db' | 'bodies' | 'log'>,
  bytes: Uint8Array | null,
  work: (body: BodyInHand | null) => Promise<T>,
): Promise<T> {
  if (bytes === null) return work(null);
  const stored = await bodies.put(bytes);
  const keep = async () => {
    if (!(await bodies.has(stored.sha256))) await bodies.put(bytes);
  };
  try {
    return await work({ ...stored, keep });
  } catch (error) {
    await removeUnnamedBodies({ db, bodies }, [stored.sha256]).catch((failure: unknown) =>
      log.error({ error: failure }, 'File of a refused request could not be removed; the next sweep removes it'),
    );
    throw error;
  }
}
