/** Pushes the audit log to real receivers on this machine: syslog over UDP and TCP, and a webhook. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startTestApp } from '../../testing/test-app.ts';
import type { TestApp } from '../../testing/test-app.ts';
import { recordEvent } from '../audit-log.ts';
import { startAudit } from '../start-audit.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startApp(environment: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ environment });
  closing.push(() => app.stop());
  return app;
}

const act = (app: TestApp, login: string) =>
  app.deps.db.transact((tx) => {
    const origin = { address: '192.0.2.7', agentHash: null, userAgent: '', client: null };
    return recordEvent(tx, app.deps, { event_type: 'login_failed', actor: null, login, origin });
  });

function startAuditOf(app: TestApp) {
  const audit = startAudit(app.deps);
  closing.push(() => audit.stop());
  return audit;
}

/** Long enough for a busy machine. */
const SOON = { timeout: 20_000 };

/** Waits until the receiver is registered; it gets only later rows. */
const untilItBegins = (app: TestApp) =>
  expect
    .poll(async () => (await app.deps.db.read.selectFrom('audit_pushes').selectAll().execute()).length, SOON)
    .toBe(1);

/** The complete RFC 6587 §3.4.1 frames received so far. */
function framesOf(bytes: Buffer): string[] {
  const frames: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(' ', at);
    const length = Number(bytes.subarray(at, space).toString());
    if (space < 0 || space + 1 + length > bytes.length) break;
    frames.push(bytes.subarray(space + 1, space + 1 + length).toString());
    at = space + 1 + length;
  }
  return frames;
}

async function tcpReceiver(port = 0) {
  const sockets = new Set<Socket>();
  let received = Buffer.alloc(0);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', (chunk) => (received = Buffer.concat([received, chunk])));
    socket.on('error', () => {});
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  closing.push(close);
  return { port: (server.address() as AddressInfo).port, frames: () => framesOf(received), close };
}

const SYSLOG =
  /^<(\d+)>1 (\d{4}-\d\d-\d\dT[\d:.]+Z) localhost passwordbroker \d+ (\w+) \[audit@32473 seq="(\d+)" hash="([0-9a-f]{64})"\] (\{.*\})$/;

test('syslog over TCP: every row in chain order with its hash, then the head; hostile texts stay in their line', async () => {
  const receiver = await tcpReceiver();
  const app = await startApp({ AUDIT_SYSLOG_URL: `tcp://127.0.0.1:${receiver.port}` });
  await act(app, 'before the receiver was known');
  startAuditOf(app);
  await expect.poll(() => receiver.frames().length, SOON).toBe(1);
  expect(SYSLOG.exec(receiver.frames()[0] ?? '')?.[3]).toBe('audit_head');
  const hostile = 'a\r\n<0>1 \u001b[31m"]';
  await act(app, hostile);
  await act(app, 'second');
  await expect.poll(() => receiver.frames().length, SOON).toBe(3);
  const [row = [], next = []] = receiver
    .frames()
    .slice(1)
    .map((frame) => [...(SYSLOG.exec(frame) ?? [])]);
  expect(row.slice(1, 5)).toEqual(['109', new Date(app.clock.now()).toISOString(), 'login_failed', '2']);
  expect(JSON.parse(row[6] ?? '')).toMatchObject({ login: hostile, seq: 2, hash: row[5], address: '192.0.2.7' });
  expect(next[4]).toBe('3');
});

test('syslog over UDP', async () => {
  const socket = createSocket('udp4');
  const messages: string[] = [];
  socket.on('message', (bytes) => messages.push(bytes.toString()));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  closing.push(() => socket.close());
  const app = await startApp({ AUDIT_SYSLOG_URL: `udp://127.0.0.1:${socket.address().port}` });
  startAuditOf(app);
  await untilItBegins(app);
  await act(app, 'one');
  await expect.poll(() => messages.length, SOON).toBe(1);
  expect(messages[0]).toMatch(SYSLOG);
});

test('an unreachable receiver delays nothing and gets all rows when it is back, also after a restart', async () => {
  const first = await tcpReceiver();
  const app = await startApp({ AUDIT_SYSLOG_URL: `tcp://127.0.0.1:${first.port}` });
  await act(app, 'row 0');
  const audit = startAudit(app.deps);
  await expect.poll(() => first.frames().length, SOON).toBe(1);
  await first.close();
  const started = performance.now();
  for (let row = 1; row <= 150; row += 1) await act(app, `row ${row}`);
  expect(performance.now() - started).toBeLessThan(20_000);
  const warned = () => app.log.filter((line) => line.includes('does not reach its receiver')).length;
  await expect.poll(warned, SOON).toBe(1);
  await audit.stop();

  const second = await tcpReceiver(first.port);
  startAuditOf(app);
  const seqs = () => second.frames().flatMap((frame) => SYSLOG.exec(frame)?.slice(3, 5).join(' ') ?? []);
  await expect
    .poll(
      () =>
        seqs()
          .filter((text) => text.startsWith('login_failed'))
          .at(-1),
      SOON,
    )
    .toBe('login_failed 151');
  // In order, each once, and nothing is missing that the first process had sent.
  const rows = seqs().flatMap((text) => (text.startsWith('login_failed') ? [Number(text.split(' ')[1])] : []));
  expect(rows).toEqual(rows.map((_, at) => (rows[0] ?? 0) + at));
  // Syslog has no acknowledgements: only what was written while the other end disappeared is lost.
  expect(rows[0]).toBeLessThanOrEqual(102);
  expect(warned()).toBe(1);
});

interface Hook {
  readonly rows: readonly { login: string; seq: number; hash: string }[];
  readonly head: { seq: number; hash: string } | null;
}

async function webhook(answers: number[]) {
  const bodies: Hook[] = [];
  const requests: IncomingMessage[] = [];
  const server = createHttpServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const status = answers.shift() ?? 204;
      requests.push(request);
      if (status < 300) bodies.push(JSON.parse(text) as Hook);
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, bodies, requests };
}

test('webhook: rows and head as JSON, with the credentials of its URL; a refusal is retried, a redirect is not followed', async () => {
  const hook = await webhook([500, 302]);
  const app = await startApp({ AUDIT_WEBHOOK_URL: `http://log:s%C3%A4cret@127.0.0.1:${hook.port}/hook` });
  startAuditOf(app);
  await untilItBegins(app);
  await act(app, 'one');
  await expect.poll(() => hook.bodies.flatMap(({ rows }) => rows).length, SOON).toBe(1);
  expect(hook.bodies[0]?.rows[0]).toMatchObject({
    login: 'one',
    seq: 1,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(hook.requests.map(({ url }) => url)).not.toContain('/elsewhere');
  expect(hook.requests[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from('log:säcret').toString('base64')}`,
  });
  expect(app.log.join('')).not.toContain('cret');
});

test('a missing response does not delay the stop', async () => {
  let asked = 0;
  const silent = createServer((socket) => {
    asked += 1;
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closing.push(() => void silent.close());
  const app = await startApp({ AUDIT_WEBHOOK_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` });
  await act(app, 'before');
  const audit = startAudit(app.deps);
  await untilItBegins(app);
  await act(app, 'one');
  await expect.poll(() => asked, SOON).toBeGreaterThan(0);
  const started = performance.now();
  await audit.stop();
  expect(performance.now() - started).toBeLessThan(8000);
});
