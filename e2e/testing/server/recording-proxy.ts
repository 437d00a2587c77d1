/**
 * A proxy between browser and server that records every byte that the browser sends: request lines, headers
 * and bodies.
 */
import { createServer, request } from 'node:http';

export interface RecordingProxy {
  readonly origin: string;
  /** All requests so far, each as sent: `METHOD url`, headers, body. */
  requests(): readonly RecordedRequest[];
  close(): Promise<void>;
}

interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly bytes: Buffer;
}

/** Calls `target` for each request: the port may change, and one where nothing listens breaks the connection. */
export async function startRecordingProxy(
  port: number,
  target: (method: string, url: string) => number,
): Promise<RecordingProxy> {
  const recorded: RecordedRequest[] = [];
  const server = createServer((incoming, answer) => {
    const parts: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => parts.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(parts);
      const head = `${incoming.method} ${incoming.url}\n${incoming.rawHeaders.join('\n')}\n\n`;
      recorded.push({
        method: incoming.method ?? '',
        url: incoming.url ?? '',
        bytes: Buffer.concat([Buffer.from(head, 'latin1'), body]),
      });
      const onward = request(
        {
          host: '127.0.0.1',
          port: target(incoming.method ?? '', incoming.url ?? ''),
          method: incoming.method,
          path: incoming.url,
          headers: incoming.headers,
        },
        (response) => {
          answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
          response.pipe(answer);
        },
      );
      onward.on('error', () => answer.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${port}`,
    requests: () => recorded,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
