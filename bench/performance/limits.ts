/** Limits of this machine, measured in the same run; each measurement is shown as a share of one of these. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../e2e/testing/server/server.ts';
import { openWriter } from '../../server/src/db/sqlite/connections.ts';
import { accountPasswords } from '../../server/src/platform/passwords/argon2.ts';
import { derivationLimits, thisMachine } from '../../server/src/platform/passwords/derivation-queue.ts';
import { load } from './load.ts';

/** Durable one-row transactions a second of SQLite alone. */
export async function bareCommits(seconds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'passwordbroker-bare-'));
  const { connection, queries } = openWriter(join(folder, 'bare.sqlite'));
  try {
    connection.exec('create table rows (id integer primary key, text text not null)');
    const insert = connection.prepare('insert into rows (text) values (?)');
    const until = performance.now() + seconds * 1000;
    let count = 0;
    for (; performance.now() < until; count += 1) insert.run('a row of some length, as those of a log are');
    return count / seconds;
  } finally {
    await queries.destroy();
    rmSync(folder, { recursive: true });
  }
}

const SERVER = fileURLToPath(new URL('../../server/', import.meta.url));
const BARE_SERVER = `
  import fastify from 'fastify';
  const app = fastify({ logger: false });
  app.get('/', async () => ({ ok: true }));
  await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
`;

/** Requests a second of a Fastify server that does nothing. */
export async function bareServer(seconds: number, connections: number): Promise<number> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--input-type=module', '-e', BARE_SERVER], {
    cwd: SERVER,
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port) },
    stdio: 'ignore',
  });
  try {
    const origin = `http://127.0.0.1:${port}`;
    while ((await fetch(origin).catch(() => null)) === null) await new Promise((resolve) => setTimeout(resolve, 10));
    await load({ origin, connections, seconds: 1, requests: [{ method: 'GET', path: '/' }] });
    return (await load({ origin, connections, seconds, requests: [{ method: 'GET', path: '/' }] })).aSecond;
  } finally {
    child.kill();
  }
}

const { slots } = derivationLimits(thisMachine());

/** Verified account passwords per second, with the server's own concurrency. */
export async function bareDerivations(seconds: number): Promise<number> {
  const { hash, verify } = accountPasswords();
  const phc = await hash('an account password');
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const judge = async () => {
    for (; performance.now() < until; count += 1) await verify(phc, 'an account password');
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: slots }, judge));
  return (count / (performance.now() - started)) * 1000;
}
