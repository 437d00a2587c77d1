/**
 * A hostile server between browser and server: passes everything on, except responses that a test rewrites.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly url: string;
}

/** The falsified response; undefined keeps the genuine one. `body` is the parsed JSON, or bytes. */
export type Lie = (asked: Asked, body: unknown) => unknown;

export interface LyingProxy {
  readonly origin: string;
  /** Sets the lie from now on; null: none. */
  tell(lie: Lie | null): void;
  /** Requests since the last `tell`, in order. */
  asked(): readonly (Asked & { readonly body: string })[];
  /** Number of falsified responses since the last `tell`. If it is 0, the test proves nothing. */
  told(): number;
  /**
   * Holds these requests before the server gets them, until the returned function is called. Requests of a
   * closed page are dropped.
   */
  hold(isHeld: (asked: Asked) => boolean): () => void;
  close(): Promise<void>;
}

export async function startLyingProxy(port: number, target: () => number): Promise<LyingProxy> {
  let lie: Lie | null = null;
  let gate: { readonly isHeld: (one: Asked) => boolean; readonly opened: Promise<void> } | null = null;
  let told = 0;
  let asked: (Asked & { body: string })[] = [];

  const answerWith = (one: Asked, from: IncomingMessage, bytes: Buffer, to: ServerResponse) => {
    const isJson = String(from.headers['content-type']).startsWith('application/json');
    const lied = lie?.(one, isJson ? (JSON.parse(bytes.toString()) as unknown) : bytes);
    if (lied !== undefined) told += 1;
    const body = lied === undefined ? bytes : Buffer.isBuffer(lied) ? lied : Buffer.from(JSON.stringify(lied));
    to.writeHead(from.statusCode ?? 502, { ...from.headers, 'content-length': String(body.length) });
    to.end(body);
  };

  const server = createServer((incoming, answer) => {
    const one = { method: incoming.method ?? '', url: incoming.url ?? '' };
    const { 'accept-encoding': _, 'if-none-match': __, ...headers } = incoming.headers;
    void bytesOf(incoming).then(async (body) => {
      asked.push({ ...one, body: body.toString('latin1') });
      if (gate?.isHeld(one) === true) await gate.opened;
      if (answer.destroyed) return;
      const onward = request(
        { host: '127.0.0.1', port: target(), method: one.method, path: one.url, headers },
        (from) => {
          if (lie === null || from.statusCode === 204 || from.statusCode === 304) {
            answer.writeHead(from.statusCode ?? 502, from.rawHeaders);
            from.pipe(answer);
          } else void bytesOf(from).then((bytes) => answerWith(one, from, bytes, answer));
        },
      );
      onward.on('error', () => answer.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${port}`,
    tell(next) {
      lie = next;
      told = 0;
      asked = [];
    },
    asked: () => asked,
    told: () => told,
    hold(isHeld) {
      let open = () => undefined as void;
      const opened = new Promise<void>((resolve) => (open = resolve));
      gate = { isHeld, opened };
      return () => {
        gate = null;
        open();
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
