/** The way of a batch from one thread to another: its head, then portions in order, then an end, or a reason why not. */
import type { MessagePort, Transferable } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import { asRefusal, fromRefusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';

type Piece<Head, Portion> =
  | { readonly type: 'head'; readonly head: Head }
  | { readonly type: 'portion'; readonly portion: Portion }
  | { readonly type: 'end' }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** So many portions may wait for the side that stores them: more would be in memory for nothing. */
const MOST_WAITING = 4;

/** The side that makes it. */
export function batchSender<Head, Portion>(port: MessagePort) {
  let waiting = 0;
  /** Several may send portions at the same time. */
  let goOn: (() => void)[] = [];
  // The other side says nothing but that it has taken a portion.
  port.on('message', () => {
    waiting -= 1;
    const all = goOn;
    goOn = [];
    for (const one of all) one();
  });
  const post = (piece: Piece<Head, Portion>, handOver: readonly Transferable[] = []) =>
    port.postMessage(piece, handOver);
  return {
    head: (head: Head) => post({ type: 'head', head }),
    /**
     * Fulfilled when the next one is wanted.
     * @param handOver memory that goes with it and is gone here
     */
    async portion(portion: Portion, handOver: readonly Transferable[] = []): Promise<void> {
      post({ type: 'portion', portion }, handOver);
      waiting += 1;
      while (waiting >= MOST_WAITING) await new Promise<void>((resolve) => goOn.push(resolve));
    },
    end: () => post({ type: 'end' }),
    refuse: (error: unknown) => post({ type: 'refused', refusal: asRefusal(error) }),
  };
}

/** The side that stores it. Both throw the reason when there is one. */
export function receivedPieces<Head, Portion>(port: MessagePort) {
  const pieces = piecesOf<Head, Portion>(port);
  const next = async () => {
    const piece = await pieces();
    if (piece.type === 'refused') throw fromRefusal(piece.refusal);
    return piece;
  };
  return {
    async head(): Promise<Head> {
      const piece = await next();
      if (piece.type !== 'head') throw new AppError('internal');
      return piece.head;
    },
    async *portions(): AsyncGenerator<Portion> {
      for (let piece = await next(); piece.type === 'portion'; piece = await next()) {
        port.postMessage('taken');
        yield piece.portion;
      }
    },
  };
}

/** Pieces as they are asked for, in the order in which they came. */
function piecesOf<Head, Portion>(port: MessagePort): () => Promise<Piece<Head, Portion>> {
  const waiting: Piece<Head, Portion>[] = [];
  let wanted: ((piece: Piece<Head, Portion>) => void) | null = null;
  const arrive = (piece: Piece<Head, Portion>) => {
    if (wanted === null) waiting.push(piece);
    else wanted(piece);
    wanted = null;
  };
  port.on('message', arrive);
  // The other thread is gone: whatever it still owed will not come.
  port.once('close', () => arrive({ type: 'refused', refusal: asRefusal(new AppError('internal')) }));
  return () => {
    const piece = waiting.shift();
    return piece === undefined ? new Promise((resolve) => (wanted = resolve)) : Promise.resolve(piece);
  };
}
