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
const HEAD = 4;

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
  let wanted: number | null = null;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    buffered.push(chunk);
    length += chunk.length;
    // Joined once for each message: a long one comes in thousands of parts.
    while (length >= HEAD + (wanted ?? 0)) {
      const bytes: Buffer = Buffer.concat(buffered);
      buffered = [bytes];
      if (wanted === null) {
        wanted = bytes.readUInt32BE(0);
        if (wanted > MOST) throw new RangeError('A message of the agent is too long');
        continue;
      }
      const end = HEAD + wanted;
      buffered = [bytes.subarray(end)];
      length -= end;
      wanted = null;
      yield JSON.parse(bytes.toString('utf8', HEAD, end));
    }
  }
}
