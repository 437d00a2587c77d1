/**
 * Thousands of slow connections from many addresses: limited, logged, and other people can still
 * work (R64, T155).
 */
import { connect, type Socket } from 'node:net';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { addGroup, signUp } from './testing/caller.ts';
import { newLedger } from './testing/ledger.ts';
import { vitalsOf } from './testing/vitals.ts';

const KIB = 1024;
const MANY = 10_000;
const EACH_ADDRESS = 60;
const HELD_MS = 15_000;

let server: RunningServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
});

/** Connects from address number `address`: 127.1.0.1 and so on. */
function dial(address: number, begin: string): Socket {
  const localAddress = `127.1.${Math.floor(address / 250)}.${1 + (address % 250)}`;
  const socket = connect({ host: '127.0.0.1', port: server.port, localAddress }, () => socket.write(begin));
  sockets.push(socket.on('error', () => {}).resume());
  return socket;
}

/** With the header no CSRF token is needed. */
const headOf = (length: number) =>
  [
    'POST /identity/api/login HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer none',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

/** Signs the first user in from a new address. @returns the status; 0 if the connection broke */
function signInFrom(localAddress: string): Promise<number> {
  const body = JSON.stringify({
    email: 'ada@example.org',
    password: 'account password 1',
    token_is_required: true,
    token_name: localAddress,
  });
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      host: 'localhost',
    };
    const options = { host: '127.0.0.1', port: server.port, localAddress, path: '/identity/api/login', method: 'POST' };
    request({ ...options, headers, agent: false }, (answer) => resolve(answer.resume().statusCode ?? 0))
      .on('error', () => resolve(0))
      .end(body);
  });
}

test('400 connections with unfinished bodies of 250 kB cost less than 80 MB (T155)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  await signUp(server);
  const before = vitalsOf(server).memoryMb;
  for (let n = 0; n < 400; n += 1) dial(Math.floor(n / 40), headOf(250 * KIB + 1) + ' '.repeat(250 * KIB));
  let most = 0;
  for (let look = 0; look < 50; look += 1) {
    most = Math.max(most, vitalsOf(server).memoryMb - before);
    await wait(100);
  }
  expect(most).toBeLessThan(80);
  expect(await signInFrom('127.0.0.9')).toBe(200);
});

const part = (content: string) => `--b\r\nContent-Disposition: form-data; name="a"${content}\r\n`;
const MULTIPARTS = [
  ['one text', part('\r\n\r\n').padEnd(250 * KIB, 'x')],
  ['900 texts', part('\r\n\r\nx').repeat(900)],
  ['900 files', part('; filename="b"\r\n\r\nx').repeat(900)],
] as const;

test.each(MULTIPARTS)(
  '400 connections with unfinished multipart bodies of %s cost less than 80 MB (T155)',
  async (_name, body) => {
    server = await startServer({ env: { LOG_LEVEL: 'warn' } });
    await signUp(server);
    const before = vitalsOf(server).memoryMb;
    const head = headOf(250 * KIB + 1).replace('application/json', 'multipart/form-data; boundary=b');
    for (let n = 0; n < 400; n += 1) dial(Math.floor(n / 40), head + body);
    let most = 0;
    for (let look = 0; look < 50; look += 1) {
      most = Math.max(most, vitalsOf(server).memoryMb - before);
      await wait(100);
    }
    expect(most).toBeLessThan(80);
    expect(await signInFrom('127.0.0.9')).toBe(200);
  },
);

test('10,000 slow connections from 167 addresses: at most 2,000 stay, other people are served, nothing acknowledged is lost, and the log reports it (R64)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const ada = await signUp(server);
  const groupId = await addGroup(ada, 'Ledger');
  const ledger = newLedger();
  const stop = new AbortController();
  const writing = ledger.write(ada, groupId, 4, stop.signal);
  const kinds = ['', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', `${headOf(200 * KIB)}{`];
  for (let n = 0; n < MANY; n += 1) {
    dial(Math.floor(n / EACH_ADDRESS), kinds[n % kinds.length] ?? '');
    if (n % 200 === 0) await wait(20);
  }
  const written = ledger.acknowledged;
  const dripping = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(' ');
  }, 1000);
  const until = performance.now() + HELD_MS;
  const signIns: number[] = [];
  let [mostOpen, leastOpen] = [0, Infinity];
  for (let host = 1; performance.now() < until; host += 1) {
    const { descriptors } = vitalsOf(server);
    [mostOpen, leastOpen] = [Math.max(mostOpen, descriptors), Math.min(leastOpen, descriptors)];
    signIns.push(await signInFrom(`127.2.0.${host}`));
    await wait(1000);
  }
  clearInterval(dripping);
  expect(signIns.length).toBeGreaterThan(3);
  expect(new Set(signIns)).toEqual(new Set([200]));
  expect(mostOpen).toBeLessThan(2100);
  // The connections stayed open for a while.
  expect(leastOpen).toBeGreaterThan(300);
  expect(ledger.acknowledged).toBeGreaterThan(written);
  for (const socket of sockets.splice(0)) socket.destroy();
  stop.abort();
  await writing;
  expect(ledger.surprises).toEqual([]);
  expect(await ledger.compare(ada, groupId)).toEqual([]);
  expect(server.output()).toMatch(/"level":"warn".*too many connections \(MAX_CONNECTIONS\)/);
});
