/**
 * The process is killed or stopped during writes: nothing acknowledged is lost, and nothing is half
 * done (R2, R4, R50).
 */
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, addGroup, signUp } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';
import { newLedger } from './testing/ledger.ts';
import { printLedger } from './testing/print-ledger.ts';

const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 60);
const WRITERS = 20;
const READY_MS = 10_000;

let server: RunningServer;
afterEach(() => server.stop());

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test(`SIGKILL every 2 to 7 s for ${SECONDS} s under ${WRITERS} writers: 0 acknowledged lost, ready again within 10 s, nothing damaged (R2)`, async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const ada = await signUp(server);
  const groupId = await addGroup(ada, 'Ledger');
  const ledger = newLedger();
  const stop = new AbortController();
  const writing = ledger.write(ada, groupId, WRITERS, stop.signal);
  const until = Date.now() + SECONDS * 1000;
  let kills = 0;
  while (Date.now() < until) {
    await wait(2000 + ((kills * 1700) % 5000));
    await server.kill();
    kills += 1;
    const began = Date.now();
    await server.restart();
    expect(Date.now() - began).toBeLessThan(READY_MS);
  }
  stop.abort();
  await writing;
  expect(ledger.surprises).toEqual([]);
  expect(ledger.acknowledged).toBeGreaterThan(kills * 10);
  expect(await ledger.compare(ada, groupId)).toEqual([]);
  await server.kill();
  const { code, output } = await examine(server.dataDir);
  expect(code, output).toBe(0);
  printLedger(`${kills} kills`, ledger);
});

test('SIGTERM under load: 0 lost, exit within 25 s with code 0 (R50)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const ada = await signUp(server);
  const groupId = await addGroup(ada, 'Ledger');
  const ledger = newLedger();
  const stop = new AbortController();
  const writing = ledger.write(ada, groupId, WRITERS, stop.signal);
  await wait(2000);
  const began = Date.now();
  expect(await server.end()).toBe(0);
  expect(Date.now() - began).toBeLessThan(25_000);
  stop.abort();
  await writing;
  await server.restart();
  expect(await ledger.compare(ada, groupId)).toEqual([]);
});

test('after a lost response, a repeated request succeeds and there is one object (R4)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  const ada = await signUp(server);
  const groupId = await addGroup(ada, 'Ledger');
  const path = `${BASE}/entryGroups/${groupId}/entries`;
  const json = { entry_id: '0190a1b2-0000-7000-8000-000000000001', title: 'Once' };
  for (let time = 0; time < 20; time += 1) {
    // Aborted at any moment: before it arrives, during the commit, or after.
    const stop = new AbortController();
    setTimeout(() => stop.abort(), time / 2);
    await fetch(server.origin + path, {
      method: 'POST',
      headers: { ...ada.headers(), 'content-type': 'application/json' },
      body: JSON.stringify(json),
      signal: stop.signal,
    }).catch(() => undefined);
  }
  const answer = await ada.request('POST', path, json);
  expect([200, 201]).toContain(answer.status);
  expect(await ada.accepted<unknown[]>('GET', path)).toHaveLength(1);
});
