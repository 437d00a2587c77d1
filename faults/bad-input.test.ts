/**
 * Random hostile requests and large bodies are refused, change nothing, and do not slow down other
 * people's requests.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { randomRequest } from '../server/src/hostile/testing/random-request.ts';
import type { TestRequest } from '../server/src/testing/test-client.ts';
import { BASE, addGroup, addUser, signUp, type Caller } from './testing/caller.ts';
import { quantile, vitalsOf } from './testing/vitals.ts';

const ROUNDS = 6;
const WINDOW_MS = 1500;
const REQUESTS = 5000;
const PROBE_EVERY_MS = 5;
const MEMORY_MB = 200;
const KIB = 1024;

let server: RunningServer;
let ada: Caller;
let bob: Caller;
let ids: string[];
let operationId: string;
beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'error' } });
  ada = await signUp(server);
  const { userId, caller } = await addUser(server, ada, 'Bob');
  bob = caller;
  const group = await addGroup(bob, 'Own');
  ids = [userId, group, await addGroup(ada, 'Other')];
  const renamed = await fetch(`${server.origin}${BASE}/entryGroups/${group}`, {
    method: 'PUT',
    headers: { ...bob.headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Renamed' }),
  });
  operationId = renamed.headers.get('x-operation-id') ?? '';
});
afterAll(() => server.stop());

const senders = new Agent({ keepAlive: true });

async function payloadOf(one: TestRequest): Promise<{ body: Buffer; type: string | null }> {
  if (one.json !== undefined) return { body: Buffer.from(JSON.stringify(one.json)), type: 'application/json' };
  if (one.raw !== undefined) return { body: Buffer.from(one.raw), type: null };
  const { form, multipart } = one;
  if (form !== undefined) {
    const text = typeof form === 'string' ? form : new URLSearchParams(form).toString();
    return { body: Buffer.from(text), type: 'application/x-www-form-urlencoded' };
  }
  if (multipart === undefined) return { body: Buffer.alloc(0), type: null };
  const encoded = new Response(multipart);
  return { body: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') };
}

/**
 * The status; 0 if the client library refuses to send the request, or the connection was closed.
 */
async function send(one: TestRequest, caller: Caller | null): Promise<number> {
  const { body, type } = await payloadOf(one);
  const headers = {
    ...caller?.headers(),
    ...(type === null ? {} : { 'content-type': type }),
    ...(body.length === 0 ? {} : { 'content-length': body.length }),
    ...one.headers,
  };
  return new Promise((resolve) => {
    try {
      const sent = request(server.origin + one.path, { method: one.method ?? 'POST', headers, agent: senders });
      sent.on('response', (answer) => {
        answer.resume().on('close', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', () => resolve(0)).setTimeout(20_000, () => sent.destroy());
      sent.end(body);
    } catch {
      resolve(0);
    }
  });
}

const filled = (unit: string, size: number) => unit.repeat(Math.floor(size / unit.length));
/** Expensive bodies for calls that accept megabytes (T140, T141). */
const large = (): TestRequest[] => {
  const undo = `${BASE}/operations/${operationId}/undo`;
  const json = { 'content-type': 'application/json' };
  const rewraps = (unit: string) => `{"rewraps":[${filled(unit, 2500 * KIB)}{}]}`;
  return [
    { path: undo, raw: rewraps('{},'), headers: json },
    { path: undo, raw: rewraps(`{"field_id":"${operationId}","rev":1,"cek_wrapped":"AAAA"},`), headers: json },
    { path: undo, raw: `{"x":"${filled('\\"', 2500 * KIB)}"}`, headers: json },
    { path: undo, raw: filled('[', 2500 * KIB), headers: json },
    {
      path: '/identity/api/login',
      raw: `a${filled('[4999]', 20 * KIB)}[k]=1`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    { path: `${BASE}/import`, raw: `{"batch":{"fields":[${filled('[],', 5000 * KIB)}[]]}}`, headers: json },
  ];
};

/**
 * Measures latencies (ms) of another person's requests until stopped, in a separate thread so that
 * sending here does not count.
 */
function startProbe(): () => Promise<readonly number[]> {
  const url = `${server.origin}/identity/api/me`;
  const thread = new Worker(PROBE, { eval: true, workerData: { url, headers: ada.headers(), every: PROBE_EVERY_MS } });
  const told = once(thread, 'message').then(([times]) => times as number[]);
  return async () => {
    thread.postMessage('stop');
    return told;
  };
}

const PROBE = `
const { Agent, request } = require('node:http');
const { parentPort, workerData } = require('node:worker_threads');
const { url, headers, every } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times = [];
let isOn = true;
parentPort.on('message', () => { isOn = false; });
const ask = () => new Promise((resolve, reject) => {
  const started = performance.now();
  request(url, { headers, agent }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error('The probe got status ' + answer.statusCode));
    answer.resume().on('end', () => { times.push(performance.now() - started); resolve(); });
  }).on('error', reject).end();
});
(async () => {
  while (isOn) { await ask(); await new Promise((resolve) => setTimeout(resolve, every)); }
  parentPort.postMessage(times);
  parentPort.close();
  agent.destroy();
})();
`;

/** Sends requests one after another for a while. Returns the latencies of the probe. */
async function beside(next: () => TestRequest, told: (status: number) => void = () => {}): Promise<readonly number[]> {
  const end = startProbe();
  const until = performance.now() + WINDOW_MS;
  for (let at = 0; performance.now() < until; at += 1) told(await send(next(), at % 2 === 0 ? bob : null));
  return end();
}

const HARMLESS: TestRequest = { method: 'GET', path: '/health' };

test(
  'random hostile requests: the p99 of a probe is at most three times that beside harmless ones, and memory grows by at most 200 MB',
  { timeout: 600_000 },
  async () => {
    const statuses = new Map<number, number>();
    const count = (status: number) => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const requests = fc.sample(randomRequest(ids), REQUESTS);
    let at = 0;
    const hostile = () => requests[(at += 1) % requests.length] ?? HARMLESS;
    // Warm-up: loads and compiles what is loaded at first use.
    for (let round = 0; round < 3; round += 1) await beside(hostile, count);
    const rest = vitalsOf(server).memoryMb;
    let most = rest;
    let ratio = Number.POSITIVE_INFINITY;
    // The best of three tries, as the machine may be busy.
    for (let attempt = 0; attempt < 3 && ratio >= 3; attempt += 1) {
      const quiet: number[] = [];
      const busy: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        quiet.push(...(await beside(() => HARMLESS)));
        busy.push(...(await beside(hostile, count)));
        most = Math.max(most, vitalsOf(server).memoryMb);
      }
      ratio = Math.min(ratio, quantile(busy, 0.99) / quantile(quiet, 0.99));
      console.info(
        `p99 of the probe: ${quantile(quiet, 0.99).toFixed(1)} ms beside harmless requests, ${quantile(busy, 0.99).toFixed(1)} ms beside hostile ones; ${(most - rest).toFixed(0)} MB more; ${JSON.stringify([...statuses])}`,
      );
    }
    for (const status of [500, 501, 502, 504]) expect(statuses.has(status)).toBe(false);
    // They pass the sign-in and reach the parsers.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 422]));
    expect(ratio).toBeLessThan(3);
    expect(most - rest).toBeLessThan(MEMORY_MB);
  },
);

test('large hostile bodies: memory grows by at most 200 MB', { timeout: 600_000 }, async () => {
  const rest = vitalsOf(server).memoryMb;
  let most = rest;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of large()) {
      let isOver = false;
      const sending = send(one, bob).finally(() => (isOver = true));
      for (; !isOver; await wait(10)) most = Math.max(most, vitalsOf(server).memoryMb);
      expect([400, 404, 413, 422, 503]).toContain(await sending);
    }
  }
  console.info(`${rest.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`);
  expect(most - rest).toBeLessThan(MEMORY_MB);
});
