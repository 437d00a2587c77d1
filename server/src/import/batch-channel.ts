/** The way of a batch from the thread that seals it to the thread that stores it: pieces in order, then an end, or a reason why not. */
import type { MessagePort, Transferable } from 'node:worker_threads';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { BatchHead, BatchSource, FieldPortion } from './batch-source.ts';
import { asRefusal, fromRefusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';

type Piece =
  | { readonly type: 'head'; readonly head: BatchHead }
  | { readonly type: 'portion'; readonly portion: FieldPortion }
  | { readonly type: 'end' }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** The sealing side. */
export function batchSender(port: MessagePort) {
  const post = (piece: Piece, handOver: readonly Transferable[] = []) => port.postMessage(piece, handOver);
  return {
    head: (head: BatchHead) => post({ type: 'head', head }),
    portion: (portion: FieldPortion) =>
      post(
        { type: 'portion', portion },
        portion.bodies.map(({ bytes }) => bytes.buffer as ArrayBuffer),
      ),
    end: () => post({ type: 'end' }),
    refuse: (error: unknown) => post({ type: 'refused', refusal: asRefusal(error) }),
  };
}

/** The storing side. */
export function receivedBatch(port: MessagePort): BatchSource {
  const pieces = piecesOf(port);
  const next = async () => {
    const piece = await pieces();
    if (piece.type === 'refused') throw fromRefusal(piece.refusal);
    return piece;
  };
  return {
    choosesName: true,
    digest: null,
    isPaced: true,
    async head() {
      const piece = await next();
      if (piece.type !== 'head') throw new AppError('internal');
      return piece.head;
    },
    async *portions() {
      for (let piece = await next(); piece.type === 'portion'; piece = await next()) yield piece.portion;
    },
  };
}

/** Pieces as they are asked for, in the order in which they came. */
function piecesOf(port: MessagePort): () => Promise<Piece> {
  const waiting: Piece[] = [];
  let wanted: ((piece: Piece) => void) | null = null;
  const arrive = (piece: Piece) => {
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
