/**
 * An exchange times out after 30 seconds of silence unless said otherwise (docs/spec/product.md §9); arriving
 * bytes keep it alive.
 */
import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { REQUEST_TIMEOUT_MS, exchange } from './exchange.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`;
}

test('a missing answer times out, and the error names the time that was waited', async () => {
  const url = await serve(() => {});
  const started = performance.now();
  await expect(exchange({ method: 'GET', url, headers: {}, silenceMs: 400 })).rejects.toMatchObject({
    name: 'NetworkError',
    message: 'The server did not answer within 0.4 seconds',
  });
  expect(performance.now() - started).toBeGreaterThan(380);
});

test('an answer that takes longer than the timeout stays alive while bytes arrive', async () => {
  const url = await serve((_, response) => {
    void (async () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let at = 0; at < 6; at += 1) {
        response.write(' ');
        await pause(150);
      }
      response.end('{}');
    })();
  });
  const answer = await exchange({ method: 'GET', url, headers: {}, silenceMs: 600 });
  expect([answer.status, answer.bytes.length]).toEqual([200, 8]);
});

test('the timeout is 30 seconds', () => {
  expect(REQUEST_TIMEOUT_MS).toBe(30_000);
});

test('a blob arrives complete, with progress, and times out too', async () => {
  const url = await serve((request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '9' });
    response.write('first');
    if (request.url === '/') setTimeout(() => response.end('last'), 50);
  });
  const counted: [number, number][] = [];
  const onReceived = (received: number, total: number) => void counted.push([received, total]);
  const { blob, bytes } = await exchange({ method: 'GET', url, headers: {}, isBlob: true, onReceived });
  expect([await blob?.text(), bytes.length]).toEqual(['firstlast', 0]);
  expect(counted.at(-1)).toEqual([9, 9]);
  await expect(
    exchange({ method: 'GET', url: `${url}halts`, headers: {}, isBlob: true, silenceMs: 200 }),
  ).rejects.toMatchObject({ name: 'NetworkError' });
});

test('a refusal in place of a blob arrives as readable bytes', async () => {
  const url = await serve((_, response) => {
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"code":"reauth_required"}');
  });
  const { blob, bytes } = await exchange({ method: 'GET', url, headers: {}, isBlob: true });
  expect(blob).toBeUndefined();
  expect(new TextDecoder().decode(bytes)).toContain('reauth_required');
});
