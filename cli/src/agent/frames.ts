/** Frames of the agent's socket: the length in four bytes, then JSON. */
import type { Socket } from 'node:net';
import type { ExportWork } from '@passwordbroker/client/vault/vault';
import type { OperationName } from '../engine/operations.ts';
import type { Failure } from '../failure.ts';

export type Question =
  | { readonly stop: true }
  /** The operation that is under way. */
  | { readonly cancel: true }
  | { readonly name: OperationName; readonly input: unknown };
export type Reply = { readonly value: unknown } | { readonly failure: Failure };
/** Before the reply. */
export interface Progress {
  readonly progress: ExportWork;
}

const MOST = 96 * 1024 * 1024;

/** Sends one message. Rejects if the other side is gone. */
export function send(socket: Socket, message: unknown): Promise<void> {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return new Promise((resolve, reject) => {
    socket.write(Buffer.concat([head, body]), (error) => (error instanceof Error ? reject(error) : resolve()));
  });
}

/** The messages that arrive. Ends with the connection. @throws RangeError for a frame that is too long, SyntaxError */
export async function* receive(socket: Socket): AsyncGenerator<unknown> {
  let buffered: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    buffered.push(chunk);
    length += chunk.length;
    while (length >= 4) {
      const bytes: Buffer = buffered.length === 1 ? (buffered[0] ?? Buffer.alloc(0)) : Buffer.concat(buffered);
      buffered = [bytes];
      const wanted = bytes.readUInt32BE(0);
      if (wanted > MOST) throw new RangeError('A message of the agent is too long');
      if (length < 4 + wanted) break;
      buffered = [bytes.subarray(4 + wanted)];
      length -= 4 + wanted;
      yield JSON.parse(bytes.toString('utf8', 4, 4 + wanted));
    }
  }
}
