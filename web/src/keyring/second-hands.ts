/** The second worker of an import, where workers can be started. It may be given the next portion before it is done with one. */
import { owedAnswers } from '@passwordbroker/core/domain/import/owed-answers';
import { startSealWorker } from '../workers/keyring-workers.ts';
import type { PortionText, SealToText } from './portion-text.ts';
import type { PortionOrder, SealedText } from './seal-worker.ts';

export interface SecondHands {
  readonly seal: SealToText;
  end(): void;
}

/** null where there is no second core to gain from. */
export function startSecondHands(): SecondHands | null {
  if (typeof Worker === 'undefined' || navigator.hardwareConcurrency < 2) return null;
  const worker = startSealWorker();
  const owed = owedAnswers<PortionText>();
  worker.onmessage = ({ data }: MessageEvent<SealedText>) => {
    if ('text' in data) owed.answer(data.id, data.text);
    else owed.fail(data.id, new Error(data.failure));
  };
  worker.onerror = (event) => owed.failAll(new Error(event.message || 'The second worker stopped'));
  return {
    seal: (work) => owed.ask((id) => worker.postMessage({ id, work } satisfies PortionOrder)),
    end: () => worker.terminate(),
  };
}
