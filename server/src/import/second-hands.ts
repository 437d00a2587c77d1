/** A second thread that seals portions of an import beside the first. It may be given the next portion before it is done with one. */
import type { MessagePort } from 'node:worker_threads';
import { owedAnswers } from '@passwordbroker/core/domain/owed-answers';
import type { PortionBytes } from './batch-rows.ts';
import type { FromHands, ToHands } from './hands-worker.ts';
import type { SealRows } from './own-rows.ts';
import { fromRefusal } from './refusal.ts';

export interface SecondHands {
  readonly seal: SealRows;
  /** It is not needed any more, and ends. */
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
  port.once('close', () => owed.failAll(new Error('The second thread of an import ended without a word')));
  return {
    seal: (work) => owed.ask((id) => say({ id, work })),
    end() {
      // Said, not only shown by the closed way: a thread that has not begun to listen yet would never hear of that.
      say('end');
      port.close();
    },
  };
}
