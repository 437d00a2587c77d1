/**
 * Two instances with separate network links to the database, one of which loses all packets in the
 * kernel.
 */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, startServer } from '../e2e/testing/server/server.ts';
import { startCluster } from '../server/src/testing/postgres-cluster.ts';
import { type Caller, addGroup, addUser, signUp } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';
import { newLedger, type Ledger } from './testing/ledger.ts';
import { canOpen, openNamespace } from './testing/namespace.ts';
import { printLedger } from './testing/print-ledger.ts';
import { ask, hasPostgres } from './testing/shared.ts';

const SETUP_TOKEN = 'open sesame';
const WRITERS = 6;
/** As in `instances.test.ts`: limits for a response (R36) and for the recovery of the pool (R38). */
const ANSWER_MS = 15_000;
const NOTICED_MS = 20_000;
const HEALED_MS = 5000;

const isPossible = hasPostgres && canOpen();
const suite = isPossible ? test : test.skip;
const named = (name: string) => (isPossible ? name : `${name} (skipped: needs PostgreSQL, root and ip)`);

async function wrote(ledger: Ledger, withinMs: number): Promise<boolean> {
  const before = ledger.acknowledged;
  const began = performance.now();
  while (ledger.acknowledged <= before && performance.now() - began < withinMs) await wait(20);
  return ledger.acknowledged > before;
}

suite(
  named(
    'one of two instances loses its link to the database for 5 and 30 s: it reports that, the other continues, 0 lost, the pool recovers (R36, R38)',
  ),
  async () => {
    const network = openNamespace();
    onTestFinished(() => network.remove());
    const cluster = await startCluster({ port: await freePort(), settings: ['listen_addresses=*'] });
    onTestFinished(() => cluster.stop());
    appendFileSync(join(cluster.folder, 'cluster', 'pg_hba.conf'), `host all all ${network.range} trust\n`);
    await ask(cluster, 'select pg_reload_conf()', 'postgres');
    await ask(cluster, 'create database vault', 'postgres');
    const databaseAt = (host: string) => `postgres://vault@${host}:${cluster.port}/vault?connections=20`;
    const env = (host: string) => ({
      LOG_LEVEL: 'warn',
      HOST: '0.0.0.0',
      SETUP_TOKEN,
      DATABASE_URL: databaseAt(host),
    });
    const inside = await startServer({ within: network, env: env(network.outside) });
    onTestFinished(async () => void (await inside.stop()));
    const beside = await startServer({ env: env('127.0.0.1') });
    onTestFinished(async () => void (await beside.stop()));
    const stop = new AbortController();
    const writing: Promise<void>[] = [];
    onTestFinished(async () => {
      stop.abort();
      await Promise.all(writing);
    });
    const begin = async (caller: Caller) => {
      const groupId = await addGroup(caller, 'Ledger');
      const ledger = newLedger();
      writing.push(ledger.write(caller, groupId, WRITERS, stop.signal));
      return { caller, groupId, ledger };
    };
    const ada = await signUp(inside, SETUP_TOKEN);
    const { caller: bob } = await addUser(beside, ada, 'Bob');
    const [cutOff, going] = [await begin(ada), await begin(bob)];
    for (const seconds of [5, 30]) {
      expect(await wrote(cutOff.ledger, HEALED_MS)).toBe(true);
      cutOff.ledger.slowestRefusal();
      network.unplug();
      const began = performance.now();
      const ready = await fetch(`${inside.origin}/ready`);
      expect([ready.status, performance.now() - began < NOTICED_MS]).toEqual([503, true]);
      // The other instance does not wait for transactions of the cut-off one.
      expect(await wrote(going.ledger, ANSWER_MS)).toBe(true);
      await wait(Math.max(0, seconds * 1000 - (performance.now() - began)));
      network.plug();
      expect(await wrote(cutOff.ledger, HEALED_MS)).toBe(true);
      expect(cutOff.ledger.slowestRefusal()).toBeLessThan(ANSWER_MS);
    }
    stop.abort();
    await Promise.all(writing);
    for (const { caller, groupId, ledger } of [cutOff, going]) {
      expect(ledger.surprises).toEqual([]);
      expect(ledger.statuses.get(500)).toBeUndefined();
      expect(await ledger.compare(caller, groupId)).toEqual([]);
    }
    const { code, output } = await examine(beside.dataDir, cluster.url('vault'));
    expect(code, output).toBe(0);
    printLedger('an instance twice without its cable to the database', cutOff.ledger);
    printLedger('the instance beside it', going.ledger);
  },
);
