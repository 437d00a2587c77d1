/**
 * Sends portions of an import to a second sealing thread. Several portions may be pending at a
 * time.
 */
import type { MessagePort } from 'node:worker_threads';
import { owedAnswers } from '@passwordbroker/core/domain/import/owed-answers';
import type { PortionBytes } from './batch-rows.ts';
import type { FromHands, ToHands } from './hands-worker.ts';
import type { SealRows } from './own-rows.ts';
import { fromRefusal } from './refusal.ts';

export interface SecondHands {
  readonly seal: SealRows;
  /** Ends the thread. */
  end(): void;
}

/** @param port of the other thread */
export function secondHands(port: MessagePort): SecondHands {
  const owed = owedAnswers<PortionBytes>();
  const say = (message: ToHands) => port.postMessage(message);
  port.on('message', (answer: FromHands) => {
    if ('portion' in answer) owed.answer(answer.id, answer.portion);
    else owed.fail(answer.id, fromRefusal(answer.refusal));
  });
  port.once('close', () => owed.failAll(new Error('Second sealing worker exited without a result')));
  return {
    seal: (work) => owed.ask((id) => say({ id, work })),
    end() {
      // Closing the port alone would be missed by a thread that does not listen yet.
      say('end');
      port.close();
    },
  };
}
