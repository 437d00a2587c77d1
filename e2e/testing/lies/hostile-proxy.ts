/** A proxy between browser and server; a function makes its responses, status and headers included. */
import { createServer, request, type IncomingHttpHeaders } from 'node:http';

export interface Question {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** Sends the request to the real server, optionally with another path. */
type Ask = (path?: string, method?: string) => Promise<Answer>;
/** Null closes the connection without a response. */
export type Front = (asked: Question, ask: Ask) => Promise<Answer | null>;

export interface HostileProxy {
  readonly origin: string;
  /** Sets the function from now on; null passes everything on. */
  answerBy(front: Front | null): void;
  /** Resolves when no request was pending for `quiet` milliseconds, or after `most`. */
  settled(quiet: number, most: number): Promise<void>;
  close(): Promise<void>;
}

export async function startHostileProxy(port: number, target: () => number): Promise<HostileProxy> {
  let front: Front | null = null;
  let busy = 0;
  let quietSince = Date.now();

  const asking =
    ({ method, path, headers, body }: Question): Ask =>
    (otherPath = path, otherMethod = method) =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port: target(), method: otherMethod, path: otherPath, headers };
        const onward = request(options, (from) => {
          void bytesOf(from).then((bytes) => resolve({ status: from.statusCode ?? 502, headers: from.headers, bytes }));
        });
        onward.on('error', reject);
        onward.end(body);
      });

  const server = createServer((incoming, answer) => {
    busy += 1;
    const { 'accept-encoding': _, 'if-none-match': __, ...headers } = incoming.headers;
    const told = async () => {
      const body = await bytesOf(incoming);
      const asked = { method: incoming.method ?? '', path: incoming.url ?? '', headers, body };
      return (front ?? ((_asked, ask) => ask()))(asked, asking(asked));
    };
    void told()
      .then(
        (made) => {
          if (made === null || answer.destroyed) return answer.destroy();
          const { 'transfer-encoding': _, ...kept } = made.headers;
          const length = made.status === 204 || made.status === 304 ? {} : { 'content-length': made.bytes.length };
          return answer.writeHead(made.status, { ...kept, ...length }).end(made.bytes);
        },
        () => answer.destroy(),
      )
      .finally(() => {
        busy -= 1;
        quietSince = Date.now();
      });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${port}`,
    answerBy(next) {
      front = next;
    },
    async settled(quiet, most) {
      for (let waited = 0; waited < most && (busy > 0 || Date.now() - quietSince < quiet); waited += 50)
        await new Promise((resolve) => setTimeout(resolve, 50));
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
