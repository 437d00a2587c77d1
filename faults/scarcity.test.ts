/** Shortage of memory and file descriptors (R11, R12). */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, addGroup, signUp } from './testing/caller.ts';

let server: RunningServer;
afterEach(() => server.stop());

const peakMb = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

test('200 concurrent calls with the master password: 503 beyond the queue, bounded memory, other requests are served (R11)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'warn', MAX_CONNECTIONS_PER_ADDRESS: '300' } });
  const ada = await signUp(server);
  const groupId = await addGroup(ada, 'Ledger');
  const path = `${BASE}/entryGroups/${groupId}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', path, { title: 'One' });
  const field = { type: 'note', value: 'x', master_password: MASTER_PASSWORD };
  const calls = Array.from({ length: 200 }, () => ada.request('POST', `${path}/${entry_id}/fields`, field));
  const me = ada.request('GET', '/identity/api/me');
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect((await me).status).toBe(200);
  expect(statuses.filter((status) => ![201, 429, 503].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
  expect(peakMb(server.pid())).toBeLessThan(512);
  expect((await ada.request('POST', `${path}/${entry_id}/fields`, field)).status).toBe(201);
});

test('64 descriptors: connections beyond them are refused, and after they are closed everything works as before (R12)', async () => {
  server = await startServer({ env: { LOG_LEVEL: 'fatal' }, openFiles: 64 });
  const ada = await signUp(server);
  const groupId = await addGroup(ada, 'Ledger');
  const path = `${BASE}/entryGroups/${groupId}/entries`;
  const idle: Socket[] = Array.from({ length: 200 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const answer = await ada.request('POST', path, { title: 'Crowded' });
  expect([0, 201, 503]).toContain(answer.status);
  for (const socket of idle) socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect((await ada.request('POST', path, { title: 'Alone again' })).status).toBe(201);
  const stored = await ada.accepted<{ title: string }[]>('GET', path);
  expect(stored.filter(({ title }) => title === 'Alone again')).toHaveLength(1);
  if (answer.status === 201) expect(stored.some(({ title }) => title === 'Crowded')).toBe(true);
});
