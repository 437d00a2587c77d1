/** A second pair of hands for an import: seals portions of fields under the group keys that come with them. Ended with the import. */
import type { FieldWork } from '@passwordbroker/core/domain/import/import-fields';
import { sealToText, type PortionText } from './portion-text.ts';

export interface PortionOrder {
  readonly id: number;
  readonly work: readonly FieldWork[];
}

/** The portion, or why there is none. */
export type SealedText = { readonly id: number } & ({ readonly text: PortionText } | { readonly failure: string });

addEventListener('message', ({ data }: MessageEvent<PortionOrder>) => {
  void seal(data);
});

async function seal({ id, work }: PortionOrder): Promise<void> {
  try {
    postMessage({ id, text: await sealToText(work) } satisfies SealedText);
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    postMessage({ id, failure: reason } satisfies SealedText);
  }
}
