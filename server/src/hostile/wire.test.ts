/**
 * Malformed bytes over real sockets are refused or dropped without an error, and the next client is served.
 */
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';

const PATIENCE_MS = 15_000;
const ME = 'GET /identity/api/me HTTP/1.1\r\nHost: localhost\r\n';
const LOGIN = 'POST /identity/api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const BODY = '{"email":"nobody@example.org","password":"x"}';
const sized = `Content-Length: ${BODY.length}\r\n`;

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await startTestApp();
  await app.signUp('ada');
  port = Number(new URL(await app.listen()).port);
});
afterAll(() => app.stop());
afterEach(async () => {
  const { status } = await app.guest().request({ path: '/identity/api/me' });
  expect(status).toBe(200);
  expect(app.log.filter((line) => (JSON.parse(line) as { level: string }).level === 'error')).toEqual([]);
});

/**
 * Sends the bytes and returns the response once the server closes the connection or is silent for 300 ms.
 * @throws after 15 s without either
 */
async function send(bytes: string | Buffer, ends = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    const patience = setTimeout(() => {
      socket.destroy();
      reject(new Error(`Nothing ended within ${PATIENCE_MS} ms; so far: ${text.slice(0, 500)}`));
    }, PATIENCE_MS);
    let silence: NodeJS.Timeout | undefined;
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      clearTimeout(silence);
      silence = setTimeout(done, 300);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(patience);
      done();
    });
    if (ends) socket.end(bytes);
    else socket.write(bytes);
  });
}
const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

test.each([
  ['bytes that are not HTTP', '\u0000\u0001\u0002\u0003\r\n\r\n'],
  ['a TLS handshake', Buffer.from('16030100c6010000c20303', 'hex')],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/0.9', 'GET /identity/api/me\r\n\r\n'],
  ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
  ['a head of a megabyte', `${ME}X-Large: ${'a'.repeat(1_000_000)}\r\n\r\n`],
  ['ten thousand headers', `${ME}${'X-A: b\r\n'.repeat(10_000)}\r\n`],
  ['a path of a megabyte', `GET /${'a'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ['a NUL in a header', `${ME}X-A: a\u0000b\r\n\r\n`],
  ['a lone line break in a header', `${ME}X-A: a\n b: c\r\r\n\r\n`],
  ['a header without a name', `${ME}: b\r\n\r\n`],
  ['a space before the colon', `${ME}X-A : b\r\n\r\n`],
  ['two different lengths', `${LOGIN}Content-Length: 5\r\nContent-Length: 6\r\n\r\n${BODY}`],
  ['a negative length', `${LOGIN}Content-Length: -1\r\n\r\n${BODY}`],
  ['a length that is not a number', `${LOGIN}Content-Length: 5e3\r\n\r\n${BODY}`],
  [
    'a length and chunked encoding',
    `${LOGIN}${sized}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /hidden HTTP/1.1\r\n\r\n`,
  ],
  ['an unknown transfer encoding', `${LOGIN}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['a chunk with an invalid size', `${LOGIN}Transfer-Encoding: chunked\r\n\r\nzz\r\n${BODY}\r\n0\r\n\r\n`],
  ['two Host headers', `GET /identity/api/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`],
  ['no Host header', 'GET /identity/api/me HTTP/1.1\r\n\r\n'],
  ['an absolute URL of another site', 'GET http://evil.example/identity/api/me HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['a CONNECT request', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['an upgrade to another protocol', `${ME}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['an unknown expectation', `${LOGIN}${sized}Expect: 200-ok\r\n\r\n${BODY}`],
  ['a GET with a body', `${ME}${sized}\r\n${BODY}`],
])('%s is refused or dropped without an error or a hang', async (_, bytes) => {
  const text = await send(bytes);
  const statuses = statusesOf(text);
  expect(
    statuses.filter((status) => status >= 500 && status !== 505),
    text.slice(0, 500),
  ).toEqual([]);
  expect(text).not.toMatch(/node_modules|at Object\.|\.[tj]s:\d+/);
  // A hidden second request is not answered.
  expect(statuses.length).toBeLessThanOrEqual(1);
});

test.each([
  ['nothing', ''],
  ['half a head', ME.slice(0, 30)],
  ['a head', ME],
  ['a whole request', `${ME}\r\n`],
  ['a head and half a body', `${LOGIN}${sized}\r\n${BODY.slice(0, 10)}`],
  ['a chunk of a huge size', `${LOGIN}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n${BODY}`],
  ['half a chunk', `${LOGIN}Transfer-Encoding: chunked\r\n\r\nff\r\n{`],
  [
    'only a boundary',
    `${LOGIN.replace('application/json', 'multipart/form-data; boundary=b')}Content-Length: 900\r\n\r\n--b\r\n`,
  ],
])('%s on a half-closed connection is answered or dropped', async (_, bytes) => {
  const statuses = statusesOf(await send(bytes, true));
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(statuses.length).toBeLessThanOrEqual(1);
});

test('a body in small chunks is read; one in thousands of one-byte chunks is refused (T140)', async () => {
  const inChunks = (chunks: readonly string[]) =>
    `${LOGIN}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${[...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}`;
  const [same, long] = [BODY.match(/.{1,5}/g) ?? [], [...BODY.padEnd(20_000)]];
  const [read] = statusesOf(await send(inChunks(same)));
  expect(read).not.toBe(400);
  // Equals the answer to the same body without chunks.
  expect(statusesOf(await send(`${LOGIN}Connection: close\r\n${sized}\r\n${BODY}`))).toEqual([read]);
  expect(statusesOf(await send(inChunks(long)))).toEqual([400]);
});

test('pipelined requests are answered in order', async () => {
  const text = await send(`${ME}\r\n`.repeat(50));
  expect(statusesOf(text)).toEqual(Array.from({ length: 50 }, () => 200));
});
