import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CHUNK_TIMEOUT_MS, ChunkLoadError, lateChunks, loadChunk } from './chunk.ts';

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, answer) => {
    answer.setHeader('access-control-allow-origin', '*');
    answer.writeHead(request.url === '/assets/gone.js' ? 404 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<unknown>((resolve) => server.close(resolve)));
afterEach(() => vi.useRealTimers());

const failureOf = (load: () => Promise<unknown>) =>
  loadChunk('GroupPage', load).then(
    () => null,
    (failure: unknown) => failure,
  );

test('returns the module', async () => {
  expect(await loadChunk('GroupPage', () => Promise.resolve({ page: 7 }))).toEqual({ page: 7 });
});

test.each([
  ['missing', 'gone.js', (url: string) => `Failed to fetch dynamically imported module: ${url}`],
  ['error', 'there.js', (url: string) => `error loading dynamically imported module: ${url}`],
  ['missing', 'gone.js', (url: string) => `Unable to preload CSS for ${url}`],
])('%s: %s', async (type, file, message) => {
  const address = `${origin}/assets/${file}`;
  const failure = await failureOf(() => Promise.reject(new TypeError(message(address))));
  expect(failure).toBeInstanceOf(ChunkLoadError);
  expect(failure).toMatchObject({
    name: 'ChunkLoadError',
    message: `Loading chunk GroupPage failed.\n(${type}: ${address})`,
    type,
    address,
  });
});

test('a browser that does not report the address', async () => {
  expect(await failureOf(() => Promise.reject(new TypeError('Importing a module script failed.')))).toMatchObject({
    message: 'Loading chunk GroupPage failed.\n(error)',
    address: '',
  });
});

test('passes on an error in the code of the part', async () => {
  const own = new RangeError('out of range');
  expect(await failureOf(() => Promise.reject(own))).toBe(own);
});

test('times out after 120 s', async () => {
  vi.useFakeTimers();
  const failing = failureOf(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(CHUNK_TIMEOUT_MS);
  expect(CHUNK_TIMEOUT_MS).toBe(120_000);
  expect(await failing).toMatchObject({ type: 'timeout', message: 'Loading chunk GroupPage failed.\n(timeout)' });
});

test('reports a part that loads slowly, but not one that is already loaded', async () => {
  vi.useFakeTimers();
  const told: boolean[] = [];
  const unsubscribe = lateChunks.subscribe(() => told.push(lateChunks.any()));
  await loadChunk('GroupPage', () => Promise.resolve(1));
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([]);
  const slow = new Promise((resolve) => setTimeout(resolve, 400));
  const both = [loadChunk('GroupPage', () => slow), loadChunk('AdminPage', () => slow)];
  await vi.advanceTimersByTimeAsync(99);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(400);
  await Promise.all(both);
  expect(told).toEqual([true, true, true, false]);
  unsubscribe();
});
