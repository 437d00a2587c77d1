/** A server between the command line and the real one, which can lie, wait or fail. */
import { createServer, type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';

type Instead = 'broken' | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

export interface Proxy {
  readonly origin: string;
  /** The path that the real server gets. */
  ask: (path: string) => string;
  /** The body that the program gets. */
  lie: (path: string, body: string) => string;
  /** The headers that the program gets. */
  head: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** What happens instead of the request; null: it is passed on. */
  instead: (method: string, path: string) => Instead | null;
  /** Hears each request: method, path, headers and body. */
  hear: (request: string) => void;
  /** A request waits for it. */
  wait: (path: string) => Promise<void>;
  /** Back to the truth, at once. */
  reset(): void;
  close(): Promise<void>;
}

export async function proxyTo(origin: string): Promise<Proxy> {
  const { port } = new URL(origin);
  const honest = {
    ask: (path: string) => path,
    lie: (_path: string, body: string) => body,
    head: (headers: IncomingHttpHeaders) => headers,
    hear: () => undefined,
    instead: () => null,
    wait: () => Promise.resolve(),
  };
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    const path = proxy.ask(url);
    const instead = proxy.instead(method ?? '', path);
    if (instead === 'broken') return incoming.socket.destroy();
    if (instead !== null) return outgoing.writeHead(instead.status, instead.headers).end('<h1>No</h1>');
    void proxy.wait(path).then(() => {
      const passed = requestHttp(
        { port, path, method, headers: { ...headers, 'accept-encoding': 'identity' } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const { 'content-length': _, ...rest } = answer.headers;
            const isText = String(rest['content-type']).includes('json');
            const body = Buffer.concat(chunks);
            outgoing.writeHead(answer.statusCode ?? 500, proxy.head(rest));
            outgoing.end(isText ? proxy.lie(path, body.toString('utf8')) : body);
          });
        },
      );
      // The program is gone.
      passed.on('error', () => outgoing.destroy());
      const sent: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => sent.push(chunk));
      incoming.on('end', () =>
        proxy.hear(`${method} ${url}\n${JSON.stringify(headers)}\n${Buffer.concat(sent).toString('latin1')}`),
      );
      incoming.pipe(passed);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    ...honest,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reset: () => void Object.assign(proxy, honest),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return proxy;
}
