/** A few connections with slow responses. The client is minimal, because it shares the machine with the server. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** The bytes of a request. */
export type Wire = Buffer;

interface Post {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function wireOf(origin: string, { path, headers, body }: Post): Wire {
  const all = { host: new URL(origin).host, ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

interface Storm {
  readonly origin: string;
  readonly seconds: number;
  /** For each connection, which repeats its requests. */
  readonly requests: readonly (readonly Wire[])[];
}

const ANSWER_MS = 30_000;

/** @returns responses a second @throws Error unless all have status 200 */
export async function storm({ origin, seconds, requests }: Storm): Promise<number> {
  const { port } = new URL(origin);
  const unanswered = new Error('no answer');
  const started = performance.now();
  const until = started + seconds * 1000;
  const counts = await Promise.all(
    requests.map(async (own, at) => {
      // Each from its own address, because one address may queue at most six derivations.
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.0.${2 + at}` }).setNoDelay();
      socket.setTimeout(ANSWER_MS, () => socket.destroy(unanswered));
      try {
        let count = 0;
        for (; performance.now() < until; count += 1) await exchange(socket, own[count % own.length] ?? Buffer.of());
        return count;
      } finally {
        socket.destroy();
      }
    }),
  );
  return (counts.reduce((sum, count) => sum + count, 0) / (performance.now() - started)) * 1000;
}

/** Sends a request and waits for the response, which must have a `content-length`. */
function exchange(socket: Socket, request: Wire): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const leave = () => socket.off('data', read).off('error', fail).off('close', fail);
    const fail = (error?: unknown) => {
      leave();
      reject(error instanceof Error ? error : new Error(`broken off: ${text}`));
    };
    const read = (piece: Buffer) => {
      text += piece.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 200 ') || length === undefined) return fail();
      if (text.length < end + 4 + Number(length)) return;
      leave();
      resolve();
    };
    socket.on('data', read).on('error', fail).on('close', fail);
    socket.write(request);
  });
}
