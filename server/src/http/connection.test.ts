/** Connections over real sockets: timeouts, disconnects and shutdown. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';

let app: TestApp;
let ada: SignedIn;
let port: number;
beforeEach(async () => {
  app = await startTestApp();
  ada = await app.signUp('ada');
  port = Number(new URL(await app.listen()).port);
});
afterEach(() => app.stop());

const STALL_MS = 150;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Wire {
  readonly socket: Socket;
  /** The response so far. */
  text(): string;
  readonly closed: Promise<void>;
}

function dial(): Wire {
  const socket = connect({ host: '127.0.0.1', port });
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => {});
  return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', () => resolve())) };
}

/** The raw request of the person. */
function head(method: string, path: string, lines: readonly string[] = [], person: SignedIn = ada): string {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const token = person.cookies.get('XSRF-TOKEN') ?? '';
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${cookie}`,
    `X-XSRF-TOKEN: ${token}`,
    ...lines,
    '',
    '',
  ].join('\r\n');
}

const sized = (type: string, length: number) => [`Content-Type: ${type}`, `Content-Length: ${length}`];

/** Occupies all slots for key derivations until the returned function is called. */
async function holdDerivations(): Promise<() => void> {
  let free = () => {};
  const until = new Promise<void>((resolve) => (free = resolve));
  // One owner holds two slots at most.
  for (let n = 0; n < 16; n += 1) {
    void app.deps.derivations.run(`user:${n}`, () => until, { isSignIn: true });
  }
  return free;
}

test('a connection that waits for the server stays open, a stalled one is closed', async () => {
  app.app.server.timeout = STALL_MS;
  const free = await holdDerivations();
  const body = JSON.stringify({ email: ada.email, password: ada.password });
  const waiting = dial();
  waiting.socket.write(head('POST', '/identity/api/login', sized('application/json', body.length)) + body);
  const stalling = dial();
  stalling.socket.write(`${head('POST', '/identity/api/login', sized('application/json', body.length))}{`);
  await stalling.closed;
  await wait(3 * STALL_MS);
  expect(waiting.text()).toBe('');
  free();
  await expect.poll(() => waiting.text(), { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 200 /);
  waiting.socket.destroy();
});

test('a client that disconnects during an upload causes no error', async () => {
  for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
    const wire = dial();
    wire.socket.write(`${head('POST', '/identity/api/login', sized(type, 5000))}--b\r\n`);
    await wait(50);
    wire.socket.destroy();
    await wait(50);
  }
  const lines = app.log.map((line) => JSON.parse(line) as { level: string });
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a session that ends while a body arrives gives no access', async () => {
  const wire = dial();
  const body = JSON.stringify({ name: 'late' });
  wire.socket.write(head('POST', '/passwordBroker/api/entryGroups', sized('application/json', body.length)));
  wire.socket.write(body.slice(0, 5));
  await wait(100);
  await ada.request({ path: '/identity/api/logout' });
  wire.socket.write(body.slice(5));
  await expect.poll(() => wire.text(), { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 401 /);
  expect(await app.deps.db.read.selectFrom('entry_groups').selectAll().execute()).toEqual([]);
  wire.socket.destroy();
});

test('during shutdown a kept-alive connection gets a 503 with all headers', async () => {
  const free = await holdDerivations();
  const body = JSON.stringify({ email: ada.email, password: ada.password });
  const wire = dial();
  // The second request arrives during the first one, while the server stops.
  wire.socket.write(head('POST', '/identity/api/login', sized('application/json', body.length)) + body);
  await wait(100);
  const stopped = app.app.close();
  await wait(50);
  wire.socket.write(head('GET', '/identity/api/me'));
  await wait(50);
  free();
  await stopped;
  await wire.closed;
  const [first, second] = wire.text().split(/(?=HTTP\/1\.1 \d)/);
  expect(first).toMatch(/^HTTP\/1\.1 200 /);
  expect(second).toMatch(/^HTTP\/1\.1 503 /);
  expect(second).toMatch(/retry-after: 5\r\n/i);
  expect(second).toMatch(/x-content-type-options: nosniff\r\n/i);
  expect(second).toContain('"code":"unavailable"');
});

describe('slow connections (T55)', () => {
  /**
   * Sends one byte at a time until the server closes the connection. Returns the duration in milliseconds.
   */
  async function drip(wire: Wire, byte: string, everyMs: number): Promise<number> {
    const began = performance.now();
    const dripping = setInterval(() => wire.socket.writable && wire.socket.write(byte), everyMs);
    await wire.closed;
    clearInterval(dripping);
    return performance.now() - began;
  }
  const LONGEST_MS = 10 * STALL_MS;

  test.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    'a body of %s that arrives byte by byte is cut off',
    async (type) => {
      app.app.server.timeout = STALL_MS;
      const wire = dial();
      wire.socket.write(head('POST', '/identity/api/login', sized(type, 100_000)));
      expect(await drip(wire, type.startsWith('multipart') ? '-' : '{', STALL_MS / 10)).toBeLessThan(LONGEST_MS);
      expect(wire.text()).not.toMatch(/^HTTP\/1\.1 2/);
    },
  );

  test('a head that arrives byte by byte or never is cut off', async () => {
    app.app.server.headersTimeout = STALL_MS;
    app.app.server.timeout = STALL_MS;
    const wires = [dial(), dial()] as const;
    wires[0].socket.write('GET /identity/api/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    // Node checks heads every two seconds.
    const [dripped] = await Promise.all([drip(wires[0], 'a', STALL_MS / 10), wires[1].closed]);
    expect(dripped).toBeLessThan(LONGEST_MS + 3000);
  });

  test('a preconnected idle connection is closed without a response; one with a partial head gets a 400', async () => {
    app.app.server.headersTimeout = STALL_MS;
    const [silent, begun] = [dial(), dial()];
    begun.socket.write('GET /identity/api/me HTTP/1.1\r\n');
    await Promise.all([silent.closed, begun.closed]);
    expect(silent.text()).toBe('');
    expect(begun.text()).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('an upload at a modest pace is accepted', async () => {
    app.app.server.timeout = 1000;
    const wire = dial();
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'x'.repeat(6000) });
    wire.socket.write(head('POST', '/identity/api/login', sized('application/json', body.length)));
    // 3 kB per second: the whole upload takes longer than the timeout for silence.
    for (let at = 0; at < body.length; at += 60) {
      wire.socket.write(body.slice(at, at + 60));
      await wait(20);
    }
    await expect.poll(() => wire.text(), { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 4(01|22) /);
    wire.socket.destroy();
  });

  test('a completely received request is not cut off, however long the server works', async () => {
    const empty = await startTestApp();
    try {
      empty.app.server.timeout = 1000;
      const origin = new URL(await empty.listen());
      const guest = empty.guest();
      await guest.request({ path: '/sanctum/csrf-cookie' });
      const cookies = [...guest.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const body = [
        '--b',
        'Content-Disposition: form-data; name="backupFile"; filename="backup.tar.gz"',
        'Content-Type: application/octet-stream',
        '',
        'no archive',
        '--b--',
        '',
      ].join('\r\n');
      let free = () => {};
      const until = new Promise<void>((resolve) => (free = resolve));
      const held = empty.deps.db.exclusive(() => until);
      const socket = connect({ host: '127.0.0.1', port: Number(origin.port) });
      let text = '';
      let isClosed = false;
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('error', () => {}).on('close', () => (isClosed = true));
      socket.write(
        [
          'POST /system/api/recovery HTTP/1.1',
          'Host: localhost',
          `Cookie: ${cookies}`,
          `X-XSRF-TOKEN: ${guest.cookies.get('XSRF-TOKEN') ?? ''}`,
          ...sized('multipart/form-data; boundary=b', body.length),
          '',
          body,
        ].join('\r\n'),
      );
      // The request waits for the write lock to count its attempt.
      await wait(2500);
      expect([isClosed, text]).toEqual([false, '']);
      free();
      await held;
      await expect.poll(() => text, { timeout: 20_000 }).toMatch(/^HTTP\/1\.1 422 /);
      socket.destroy();
    } finally {
      await empty.stop();
    }
  });

  test('a half-closed connection is answered or dropped without an error for others', async () => {
    const body = JSON.stringify({ email: ada.email, password: ada.password });
    const whole = dial();
    whole.socket.end(head('POST', '/identity/api/login', sized('application/json', body.length)) + body);
    const cut = dial();
    cut.socket.end(`${head('POST', '/identity/api/login', sized('application/json', 500))}{`);
    await Promise.all([whole.closed, cut.closed]);
    expect(whole.text()).toMatch(/^(HTTP\/1\.1 200 |$)/);
    expect(cut.text()).not.toMatch(/^HTTP\/1\.1 2/);
    expect(app.log.filter((line) => (JSON.parse(line) as { level: string }).level === 'error')).toEqual([]);
    expect((await ada.request({ path: '/identity/api/me' })).status).toBe(200);
  });
});
