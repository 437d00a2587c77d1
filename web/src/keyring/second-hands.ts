/** The second worker of an import, where workers can be started. It may be given the next portion before it is done with one. */
import { trustedWorker } from '../lib/trusted-worker.ts';
import type { PortionText, SealToText } from './portion-text.ts';
import type { PortionOrder, SealedText } from './seal-worker.ts';
import sealWorkerUrl from './seal-worker.ts?worker&url';

export interface SecondHands {
  readonly seal: SealToText;
  end(): void;
}

/** null where there is no second core to gain from. */
export function startSecondHands(): SecondHands | null {
  if (typeof Worker === 'undefined' || navigator.hardwareConcurrency < 2) return null;
  const worker = trustedWorker(sealWorkerUrl, 'seal');
  const waiting = new Map<number, { resolve(text: PortionText): void; reject(failure: Error): void }>();
  let lastId = 0;
  worker.onmessage = ({ data }: MessageEvent<SealedText>) => {
    const portion = waiting.get(data.id);
    waiting.delete(data.id);
    if ('text' in data) portion?.resolve(data.text);
    else portion?.reject(new Error(data.failure));
  };
  worker.onerror = (event) => {
    for (const portion of waiting.values()) portion.reject(new Error(event.message || 'The second worker stopped'));
    waiting.clear();
  };
  return {
    seal: (work) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        worker.postMessage({ id: lastId, work } satisfies PortionOrder);
      }),
    end: () => worker.terminate(),
  };
}
