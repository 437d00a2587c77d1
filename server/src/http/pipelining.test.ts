/** Many requests in one packet: answered in order, one a turn, without keeping others waiting (T140). */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';
import { serveOneAtATime } from './connection.ts';

const ME = 'GET /identity/api/me HTTP/1.1\r\nHost: localhost\r\n\r\n';
const PACKET = 64 * 1024;
/** Longest line behind a request in progress. */
const LINE = 64;

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await startTestApp();
  port = Number(new URL(await app.listen()).port);
});
afterAll(() => app.stop());

const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Sends `bytes` and waits for the end of the connection or `answers` responses. Returns the text. */
function send(bytes: string, answers: number, to = port): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect(to, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => {
      got += chunk.toString('latin1');
      if (statusesOf(got).length >= answers) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
  });
}

test('a few requests in one packet are all answered in order', async () => {
  const paths = ['/health', '/identity/api/me', '/nowhere', '/ready', '/identity/api/me'];
  const text = await send(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(''), 5);
  expect(statusesOf(text)).toEqual([200, 200, 404, 200, 200]);
});

test('T140: a packet full of requests gets its connection closed, and others are answered', async () => {
  expect(statusesOf(await send(ME.repeat(PACKET / ME.length), Infinity)).length).toBeLessThanOrEqual(LINE);
  expect((await app.guest().request({ path: '/identity/api/me' })).status).toBe(200);
});

test('T140: of the requests in one packet one is begun in a turn of the event loop, and others come between', async () => {
  const begun: string[] = [];
  let inTurn = 0;
  let mostInTurn = 0;
  const server = createServer((request, response) => {
    begun.push(request.url ?? '');
    mostInTurn = Math.max(mostInTurn, (inTurn += 1));
    setImmediate(() => (inTurn = 0));
    response.end();
  });
  serveOneAtATime(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const to = (server.address() as AddressInfo).port;
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    expect(statusesOf(await send(get('/many').repeat(LINE), LINE, to))).toHaveLength(LINE);
    expect(mostInTurn).toBe(1);
    begun.length = 0;
    await Promise.all([send(get('/many').repeat(LINE), LINE, to), send(get('/other'), 1, to)]);
    expect([begun.includes('/other'), begun.at(-1)]).toEqual([true, '/many']);
    begun.length = 0;
    await send(get('/flood').repeat(PACKET / get('/flood').length), Infinity, to);
    expect(begun).toEqual(['/flood']);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});
