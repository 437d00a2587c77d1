/** A second thread that seals portions of an import beside the first. It may be given the next portion before it is done with one. */
import type { MessagePort } from 'node:worker_threads';
import type { PortionBytes } from './batch-rows.ts';
import type { PortionOrder, SealedRows } from './hands-worker.ts';
import type { SealRows } from './own-rows.ts';
import { fromRefusal } from './refusal.ts';

export interface SecondHands {
  readonly seal: SealRows;
  /** It is not needed any more, and ends. */
  end(): void;
}

interface Waiting {
  resolve(portion: PortionBytes): void;
  reject(failure: unknown): void;
}

/** @param port of the other thread */
export function secondHands(port: MessagePort): SecondHands {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  port.on('message', (answer: SealedRows) => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('portion' in answer) one?.resolve(answer.portion);
    else one?.reject(fromRefusal(answer.refusal));
  });
  // It is gone: whatever it still owed will not come.
  port.once('close', () => {
    const failure = new Error('The second thread of an import ended without a word');
    for (const one of waiting.values()) one.reject(failure);
    waiting.clear();
  });
  return {
    seal: (work) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        port.postMessage({ id: lastId, work } satisfies PortionOrder);
      }),
    end: () => port.close(),
  };
}
