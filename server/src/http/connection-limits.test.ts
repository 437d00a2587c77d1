/** Limits of open connections and of memory for unfinished bodies, over real sockets (T155). */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startTestApp } from '../testing/test-app.ts';
import type { TestApp } from '../testing/test-app.ts';

const KIB = 1024;
const wires: Wire[] = [];
const apps: TestApp[] = [];
afterEach(async () => {
  for (const { socket } of wires.splice(0)) socket.destroy();
  for (const app of apps.splice(0)) await app.stop();
});

async function listening(environment: Readonly<Record<string, string>> = {}) {
  const app = await startTestApp({ environment });
  apps.push(app);
  return { app, port: Number(new URL(await app.listen()).port) };
}

interface Wire {
  readonly socket: Socket;
  text(): string;
}

/** Connects from 127.0.0.{host}. */
async function dial(port: number, host: number): Promise<Wire> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: `127.0.0.${host}` }).on('error', () => {});
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  const wire = { socket, text: () => text };
  wires.push(wire);
  return wire;
}

const dialMany = (port: number, host: number, count: number) =>
  Promise.all(Array.from({ length: count }, () => dial(port, host)));
const openOf = (all: readonly Wire[]) => all.filter(({ socket }) => !socket.closed).length;
const HEALTH = 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function answerOn(wire: Wire): Promise<string> {
  if (!wire.socket.closed) wire.socket.write(HEALTH);
  await expect.poll(() => wire.text() !== '' || wire.socket.closed, { timeout: 10_000 }).toBe(true);
  return wire.text();
}

test('one address has 64 connections; the next one gets 503 and is closed, other addresses are served (T155)', async () => {
  const { app, port } = await listening();
  const first = await dialMany(port, 2, 64);
  const asking = await dial(port, 2);
  const refused = await answerOn(asking);
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toMatch(/retry-after: \d+\r\n/i);
  expect(refused).toMatch(/connection: close\r\n/i);
  const silent = await dialMany(port, 2, 40);
  await expect.poll(() => openOf([asking, ...silent]), { timeout: 10_000 }).toBe(0);
  expect(openOf(first)).toBe(64);
  for (const wire of [first[0]!, first[63]!, await dial(port, 3)])
    expect(await answerOn(wire)).toMatch(/^HTTP\/1\.1 200 /);
  // A closed connection makes room for a new one.
  first[5]!.socket.destroy();
  await expect.poll(async () => answerOn(await dial(port, 2)), { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 200 /);
  const warned = app.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(warned.filter(({ msg }) => String(msg).includes('MAX_CONNECTIONS_PER_ADDRESS'))).toEqual([
    expect.objectContaining({ level: 'warn', address: '127.0.0.2', count: 64 }),
  ]);
});

test.each([
  ['of a trusted proxy', { TRUST_PROXY: '127.0.0.0/8', MAX_CONNECTIONS_PER_ADDRESS: '4' }],
  [
    'of a proxy that does not name its callers',
    { PUBLIC_URL: 'https://vault.example.org', TRUST_PROXY: 'none', MAX_CONNECTIONS_PER_ADDRESS: '4' },
  ],
])('connections %s are not counted by address (T155)', async (_, environment) => {
  const { port } = await listening(environment);
  for (const wire of await dialMany(port, 2, 10)) expect(await answerOn(wire)).toMatch(/^HTTP\/1\.1 200 /);
});

test('one address behind a trusted proxy has a limit of unfinished requests; further ones get 503, others are served (T155)', async () => {
  const { port } = await listening({ TRUST_PROXY: '127.0.0.0/8', MAX_CONNECTIONS_PER_ADDRESS: '4' });
  const ask = async (forwarded: string) => {
    const wire = await dial(port, 2);
    wire.socket.write(HEALTH.replace('Host', `X-Forwarded-For: ${forwarded}\r\nHost`));
    await expect.poll(() => wire.text(), { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 \d+ /);
    return wire.text();
  };
  const slow = await dialMany(port, 2, 6);
  for (const wire of slow) sendUnfinished(wire, 100, '198.51.100.7');
  const isRefused = (wire: Wire) => /^HTTP\/1\.1 503 [^]*retry-after: \d+\r\n/i.test(wire.text());
  await expect.poll(() => slow.filter(isRefused).length, { timeout: 10_000 }).toBe(2);
  expect(await ask('198.51.100.7')).toMatch(/^HTTP\/1\.1 503 /);
  expect(await ask('198.51.100.8')).toMatch(/^HTTP\/1\.1 200 /);
  // A finished request makes room for another one.
  slow.find((wire) => !isRefused(wire))?.socket.destroy();
  await expect.poll(() => ask('198.51.100.7'), { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 200 /);
});

test('all addresses share one limit, beyond which the address with most connections loses its oldest to one with fewer (T155)', async () => {
  const { app, port } = await listening({ MAX_CONNECTIONS: '20', MAX_CONNECTIONS_PER_ADDRESS: '8' });
  const [many, some] = [await dialMany(port, 2, 8), [...(await dialMany(port, 3, 6)), ...(await dialMany(port, 4, 6))]];
  const person = await dial(port, 9);
  expect(await answerOn(person)).toMatch(/^HTTP\/1\.1 200 /);
  expect(openOf([...many, ...some, person])).toBe(20);
  expect(many.map(({ socket }) => socket.closed)).toEqual([true, ...Array.from({ length: 7 }, () => false)]);
  // The address with the most connections gets no more.
  expect(await answerOn(await dial(port, 2))).toBe('');
  expect(app.log.filter((line) => line.includes('MAX_CONNECTIONS)'))).toHaveLength(1);
});

/** Sends a sign-in without its last byte. With the header no CSRF token is needed. */
function sendUnfinished({ socket }: Wire, bytes: number, forwarded?: string): void {
  const head = ['POST /identity/api/login HTTP/1.1', 'Host: localhost', 'Authorization: Bearer none'];
  if (forwarded !== undefined) head.push(`X-Forwarded-For: ${forwarded}`);
  head.push('Content-Type: application/json');
  socket.write(`${[...head, `Content-Length: ${bytes + 1}`].join('\r\n')}\r\n\r\n${' '.repeat(bytes)}`);
}

test('unfinished bodies share a budget from their first byte: 4 MiB for an address, 16 MiB for guests (T155)', async () => {
  const { app, port } = await listening({ LOG_LEVEL: 'warn' });
  // 250 kB on each of 400 connections; each is below the limit of one body.
  const all: Wire[] = [];
  for (let host = 2; host < 12; host += 1) all.push(...(await dialMany(port, host, 40)));
  for (const wire of all) sendUnfinished(wire, 250 * KIB);
  const isRefused = (wire: Wire) => wire.text().startsWith('HTTP/1.1 503 ');
  const held = () => all.filter((wire) => !isRefused(wire));
  await expect.poll(() => held().length, { timeout: 30_000 }).toBeLessThanOrEqual((16 * KIB) / 250);
  expect(held().length).toBeGreaterThan(0);
  for (let host = 2; host < 12; host += 1) {
    const own = held().filter(({ socket }) => socket.localAddress === `127.0.0.${host}`);
    expect(own.length).toBeLessThanOrEqual((4 * KIB) / 250);
  }
  for (const wire of all.filter(isRefused)) expect(wire.text()).toMatch(/retry-after: 5\r\n/i);
  // A body that arrives in one packet is never unfinished, so others can still work.
  const ada = await app.signUp('ada');
  expect((await ada.request({ path: '/identity/api/me' })).status).toBe(200);
  // Finished bodies release their memory.
  for (const { socket } of all) socket.destroy();
  const later = await dial(port, 20);
  await expect
    .poll(
      async () => {
        sendUnfinished(later, 100);
        later.socket.write('}');
        await wait(100);
        return later.text();
      },
      { timeout: 10_000 },
    )
    .toMatch(/^HTTP\/1\.1 400 /);
});

test('unfinished bodies of a few addresses do not keep others from signing in (T155)', async () => {
  const { app, port } = await listening({ LOG_LEVEL: 'warn' });
  const ada = await app.signUp('ada');
  // Large bodies first, then those that fit beside them.
  for (const [at, size] of [250, 250, 250, 250, 250, 60, 15, 4, 1].entries()) {
    for (const wire of await dialMany(port, at + 2, 20)) sendUnfinished(wire, size * KIB);
    await wait(200);
  }
  const person = await dial(port, 20);
  const body = JSON.stringify({
    email: ada.email,
    password: ada.password,
    token_is_required: true,
    token_name: 'script',
  });
  const head = ['POST /identity/api/login HTTP/1.1', 'Host: localhost', 'Authorization: Bearer none'];
  head.push('Content-Type: application/json', `Content-Length: ${body.length}`);
  // Most clients send the body in a separate packet.
  person.socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await wait(100);
  person.socket.write(body);
  await expect.poll(() => person.text(), { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 [12345]\d\d /);
  expect(person.text()).toMatch(/^HTTP\/1\.1 200 /);
});
