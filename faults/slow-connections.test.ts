/**
 * Two hundred deliberately slow connections, in real time (T55): they are closed in time, and other
 * requests are served meanwhile.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, signUp } from './testing/caller.ts';

const EACH = 40;
/**
 * Limits: 10 s for headers, 30 s for silence or a pace below the minimum (docs/spec/threats.md
 * §3.1.24); both are checked every few seconds.
 */
const HEAD_MS = 15_000;
const BODY_MS = 40_000;
const SERVED_MS = 1000;

let server: RunningServer;
afterEach(() => server.stop());

interface Slow {
  readonly kind: string;
  readonly socket: Socket;
  /** Time of its end in milliseconds; null while it is open. */
  ended: number | null;
}

test('200 connections that send nothing, drip headers, drip bodies, or stop in the middle are closed in time, and other requests are served within a second (T55)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn', MAX_CONNECTIONS_PER_ADDRESS: '300' } });
  const ada = await signUp(server);
  const own = Object.entries(ada.headers()).map(([name, value]) => `${name}: ${value}`);
  const post = (path: string, type: string) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      ...own,
      `Content-Type: ${type}`,
      'Content-Length: 200000',
      '',
      '',
    ].join('\r\n');
  const kinds: Readonly<Record<string, readonly [begin: string, drop: string]>> = {
    silent: ['', ''],
    head: ['GET /identity/api/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'a'],
    json: [post('/identity/api/login', 'application/json'), '{'],
    upload: [post(`${BASE}/import`, 'multipart/form-data; boundary=b'), '-'],
    'half a body': [`${post('/identity/api/login', 'application/json')}{`, ''],
  };
  const began = performance.now();
  const all = Object.entries(kinds).flatMap(([kind, [begin]]) =>
    Array.from({ length: EACH }, (): Slow => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(begin));
      const slow: Slow = { kind, socket, ended: null };
      socket.on('error', () => {}).on('close', () => (slow.ended = performance.now() - began));
      socket.resume();
      return slow;
    }),
  );
  const dripping = setInterval(() => {
    for (const { kind, socket } of all) if (socket.writable) socket.write(kinds[kind]?.[1] ?? '');
  }, 1000);
  const waits: number[] = [];
  while (all.some(({ ended }) => ended === null) && performance.now() - began < 2 * BODY_MS) {
    const asked = performance.now();
    expect((await ada.request('GET', '/identity/api/me')).status).toBe(200);
    waits.push(performance.now() - asked);
    await wait(250);
  }
  clearInterval(dripping);
  const longest = Object.fromEntries(
    Object.keys(kinds).map((kind) => [
      kind,
      Math.max(...all.filter((one) => one.kind === kind).map(({ ended }) => ended ?? Infinity)),
    ]),
  );
  for (const { socket } of all) socket.destroy();
  expect(longest['head'], JSON.stringify(longest)).toBeLessThan(HEAD_MS);
  expect(Math.max(...Object.values(longest)), JSON.stringify(longest)).toBeLessThan(BODY_MS);
  expect(Math.max(...waits)).toBeLessThan(SERVED_MS);
  expect((await ada.request('POST', `${BASE}/entryGroups`, {})).status).toBe(422);
});
