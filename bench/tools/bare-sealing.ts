/** Sealing alone on one thread: the limit of every import. */
import { importSealingKey, seal } from '../../core/src/crypto/seal.ts';

/** Milliseconds to seal the keys and values of so many fields. */
export async function bareSealing(fields: number): Promise<number> {
  const key = await importSealingKey(new Uint8Array(32).fill(7));
  const context = { entryId: 'e', fieldId: 'f', rev: 1, type: 'note' };
  const value = new Uint8Array(128);
  const started = performance.now();
  for (let at = 0; at < 2 * fields; at += 1) await seal('value', key, context, value);
  return performance.now() - started;
}
