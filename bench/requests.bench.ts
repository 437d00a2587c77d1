/**
 * Reveals and writes on the built server over real connections, 16 and 64 at a time, beside what the machine allows in the same run: durable commits of
 * one row by the bare engine. A reveal is witnessed: it commits a row of history and one of the audit log.
 */
import autocannon from 'autocannon';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../e2e/testing/server.ts';
import { BASE, MASTER_PASSWORD, addGroup, signUp } from '../faults/testing/caller.ts';
import { openWriter } from '../server/src/db/sqlite.ts';
import { memoryOf, printTable } from './table.ts';

const SECONDS = 5;

/** Durable one-row transactions a second, as the engine does them without anything around it. */
async function bareCommits(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-bare-'));
  const { connection, queries } = openWriter(join(folder, 'bare.sqlite'));
  try {
    connection.exec('create table rows (id integer primary key, text text not null)');
    const insert = connection.prepare('insert into rows (text) values (?)');
    const until = performance.now() + 2000;
    let count = 0;
    for (; performance.now() < until; count += 1) insert.run('a row of some length, as those of a log are');
    return count / 2;
  } finally {
    await queries.destroy();
    rmSync(folder, { recursive: true });
  }
}

const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
try {
  const ada = await signUp(server);
  const groupId = await addGroup(ada, 'Bench');
  const entries = `${BASE}/entryGroups/${groupId}/entries`;
  const { entry_id } = await ada.accepted<{ entry_id: string }>('POST', entries, { title: 'One' });
  const note = { type: 'note', value: 'x', master_password: MASTER_PASSWORD };
  const { field_id } = await ada.accepted<{ field_id: string }>('POST', `${entries}/${entry_id}/fields`, note);
  const commits = await bareCommits();
  const rows = [];
  const acts = [
    ['me', { method: 'GET', path: '/identity/api/me' }],
    ['reveal', { method: 'GET', path: `${entries}/${entry_id}/fields/${field_id}/envelope` }],
    ['rename', { method: 'PUT', path: `${entries}/${entry_id}`, body: JSON.stringify({ title: 'Two' }) }],
  ] as const;
  for (const [what, request] of acts) {
    for (const connections of [16, 64]) {
      const { path, ...rest } = request;
      const result = await autocannon({
        url: server.origin + path,
        connections,
        duration: SECONDS,
        headers: { ...ada.headers(), 'content-type': 'application/json' },
        ...rest,
      });
      rows.push({
        act: what,
        connections,
        'a second': result.requests.average,
        'p50 ms': result.latency.p50,
        'p97.5 ms': result.latency.p97_5,
        'p99 ms': result.latency.p99,
        'not 2xx': result.non2xx,
        'share of bare commits': result.requests.average / commits,
      });
    }
  }
  printTable(`Bare durable commits: ${commits.toFixed(0)} a second`, rows);
  const { now, peak } = await memoryOf(server.pid());
  printTable('Memory of the server', [{ 'MB now': now, 'MB peak': peak }]);
} finally {
  await server.stop();
}
