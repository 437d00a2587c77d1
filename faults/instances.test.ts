/**
 * Faults of instances on one PostgreSQL server, of the server, and of the network between: nothing
 * acknowledged is lost.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../e2e/testing/server/server.ts';
import { startStandby, type Cluster } from '../server/src/testing/postgres-cluster.ts';
import { connectTo, type PostgresClient } from '../server/src/testing/postgres-client.ts';
import { BASE, addGroup, signUp, type Caller } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';
import { newLedger, type Ledger } from './testing/ledger.ts';
import { printLedger } from './testing/print-ledger.ts';
import { ask, hasPostgres, named, startShared, type Shared } from './testing/shared.ts';

const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 60);
const WRITERS = 12;
/** Limits: for any response during a fault (R36), and for noticing that the database has vanished (R38). */
const ANSWER_MS = 15_000;
const NOTICED_MS = 20_000;
const HEALED_MS = 5000;
const suite = hasPostgres ? test : test.skip;

let shared: Shared;
let ada: Caller;
let groupId: string;
let ledger: Ledger;
let writing: Promise<void>;
let stopWriting: AbortController;

async function start(count: number, settings: readonly string[] = []): Promise<void> {
  shared = await startShared(count, settings);
  ada = await signUp(shared);
  groupId = await addGroup(ada, 'Ledger');
  ledger = newLedger();
  stopWriting = new AbortController();
  writing = ledger.write(ada, groupId, WRITERS, stopWriting.signal);
  while (ledger.acknowledged < 3 * WRITERS) await wait(50);
}
afterEach(async () => {
  if (!hasPostgres) return;
  stopWriting.abort();
  await writing;
  await shared.stop();
});

/**
 * Stops the writers and checks: everything acknowledged is stored, nothing else, and database and
 * audit log are whole.
 */
async function compare(what: string, databaseUrl = shared.databaseUrl): Promise<void> {
  stopWriting.abort();
  await writing;
  expect(ledger.surprises).toEqual([]);
  expect(ledger.statuses.get(500)).toBeUndefined();
  expect(await ledger.compare(ada, groupId)).toEqual([]);
  const { code, output } = await examine(shared.instances[0]?.dataDir ?? '', databaseUrl);
  expect(code, output).toBe(0);
  printLedger(what, ledger);
}

/** Milliseconds until writes are acknowledged again. */
async function healed(): Promise<number> {
  const began = performance.now();
  const before = ledger.acknowledged;
  while (ledger.acknowledged <= before && performance.now() - began < 60_000) await wait(20);
  return performance.now() - began;
}

suite(
  named(
    `two instances, one of them killed every few seconds for ${SECONDS} s: 0 lost, under 1 % refused twice, the session survives (R33)`,
  ),
  async () => {
    await start(2);
    const until = Date.now() + SECONDS * 1000;
    let kills = 0;
    while (Date.now() < until) {
      await wait(1500 + ((kills * 1100) % 3000));
      const victim = shared.instances[kills % 2];
      await victim?.kill();
      kills += 1;
      await wait(500);
      await victim?.restart();
    }
    await compare(`${kills} kills of one of two instances`);
    expect(ledger.refusedTwice / ledger.asked).toBeLessThan(0.01);
    for (const { origin } of shared.instances) {
      const me = await fetch(`${origin}/identity/api/me`, { headers: ada.headers() });
      expect(await me.json()).toMatchObject({ message: 'loggedIn' });
    }
  },
);

suite(
  named(
    'the database server is killed under load and restarted, then all its connections are ended: only 503 meanwhile, writes again within 5 s (R3)',
  ),
  async () => {
    await start(1);
    await wait(3000);
    await shared.cluster.kill();
    await wait(2000);
    await shared.cluster.restart();
    expect(await healed()).toBeLessThan(HEALED_MS);
    for (let n = 0; n < 5; n += 1) {
      await ask(
        shared.cluster,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'vault' and pid <> pg_backend_pid()",
      );
      expect(await healed()).toBeLessThan(HEALED_MS);
    }
    await compare('the database killed once, its connections five times');
  },
);

/**
 * Breaks the network with `spoil` for a while: every request gets a response in time, and nothing
 * acknowledged is lost.
 */
async function apart(seconds: number, spoil: () => void): Promise<void> {
  // Waits for requests of the last fault, so that none spans two faults.
  const settled = ledger.acknowledged + 3 * WRITERS;
  while (ledger.acknowledged < settled) await wait(50);
  ledger.slowestRefusal();
  spoil();
  await wait(seconds * 1000);
  shared.toDatabase.pass();
  expect(await healed()).toBeLessThan(HEALED_MS);
}

suite(
  named(
    'no network between instance and database for 1, 10 and 40 s, in one direction, cut, and half a second late: 503 within 15 s, the pool recovers (R36, R38)',
  ),
  async () => {
    await start(1);
    for (const seconds of [1, 10, 40]) {
      await apart(seconds, () => shared.toDatabase.hold());
      expect(ledger.slowestRefusal()).toBeLessThan(ANSWER_MS);
    }
    for (const direction of ['there', 'back'] as const) {
      await apart(20, () => shared.toDatabase.hold(direction));
      expect(ledger.slowestRefusal()).toBeLessThan(ANSWER_MS);
    }
    await apart(10, () => shared.toDatabase.cut());
    // Half a second for a round trip.
    await apart(10, () => shared.toDatabase.slow(250));
    expect(ledger.slowestRefusal()).toBeLessThan(ANSWER_MS);
    await compare('seven times apart from the database');
  },
);

suite(
  named(
    'the host of the database vanishes silently: readiness reports it within 20 s, and again when it is back (R38)',
  ),
  async () => {
    await start(1);
    await healed();
    const [instance] = shared.instances;
    const isReady = async () => (await fetch(`${instance?.origin}/ready`)).status === 200;
    expect(await isReady()).toBe(true);
    shared.toDatabase.hold();
    const began = performance.now();
    expect(await isReady()).toBe(false);
    expect(performance.now() - began).toBeLessThan(NOTICED_MS);
    shared.toDatabase.pass();
    await expect.poll(isReady, { timeout: HEALED_MS }).toBe(true);
    await compare('the database away once');
  },
);

suite(
  named('the primary is killed under load and its synchronous standby promoted: 0 lost, writes continue there (R39)'),
  async () => {
    await start(2);
    const { cluster, toDatabase } = shared;
    const standby: Cluster = await startStandby(cluster, await freePort());
    try {
      await ask(cluster, "alter system set synchronous_standby_names = '*'");
      await ask(cluster, "alter system set synchronous_commit = 'remote_apply'");
      await ask(cluster, 'select pg_reload_conf()');
      await expect
        .poll(() => ask(cluster, 'select sync_state from pg_stat_replication'), { timeout: 20_000 })
        .toEqual([{ sync_state: 'sync' }]);
      await wait(5000);
      const before = ledger.acknowledged;
      expect(before).toBeGreaterThan(20);
      await cluster.kill();
      toDatabase.cut();
      await ask(standby, 'select pg_promote()');
      toDatabase.leadTo(standby.port);
      toDatabase.pass();
      expect(await healed()).toBeLessThan(HEALED_MS);
      await wait(3000);
      expect(ledger.acknowledged).toBeGreaterThan(before);
      await compare('the primary lost, its standby promoted', standby.url('vault'));
      // The restarted old primary acknowledges nothing, because it waits for a standby that no
      // longer follows it.
      await cluster.restart();
      const old = await connectTo(cluster.url('vault'));
      const write = old.query("insert into site_settings (name, value, updated_at) values ('fenced', '', 0)");
      expect(await Promise.race([write.then(() => 'acknowledged'), wait(3000).then(() => 'waits')])).toBe('waits');
      write.catch(() => undefined);
      await cluster.kill();
      await old.end().catch(() => undefined);
    } finally {
      stopWriting.abort();
      await writing;
      await Promise.all(shared.instances.map((instance) => instance.kill()));
      await standby.stop();
    }
  },
);

suite(
  named('others use all connections of the database: calls wait, then get 503; afterwards it recovers by itself (R40)'),
  async () => {
    await start(1, ['max_connections=30', 'superuser_reserved_connections=1']);
    await healed();
    const others: PostgresClient[] = [];
    shared.toDatabase.cut();
    for (;;) {
      const other = await connectTo(shared.databaseUrl).catch(() => null);
      if (other === null) break;
      others.push(other);
    }
    ledger.slowestRefusal();
    shared.toDatabase.pass();
    const began = performance.now();
    const answer = await ada.request('GET', `${BASE}/entryGroups/${groupId}/entries`);
    expect([answer.status, performance.now() - began < ANSWER_MS]).toEqual([503, true]);
    await wait(5000);
    await Promise.all(others.map((other) => other.end()));
    expect(await healed()).toBeLessThan(HEALED_MS);
    expect(ledger.slowestRefusal()).toBeLessThan(ANSWER_MS);
    await compare(`${others.length} foreign connections`);
  },
);

suite(
  named(
    'connections between client and instance cut at random bytes: a repeated request resolves every write with an unknown result (R37)',
  ),
  async () => {
    await start(1);
    const until = Date.now() + 20_000;
    while (Date.now() < until) {
      shared.toInstances.cutAfter(() => 200 + randomInt(6000));
      await wait(1000);
    }
    shared.toInstances.pass();
    shared.toInstances.cutAfter(() => Infinity);
    expect(ledger.statuses.get(0)).toBeGreaterThan(50);
    await compare('connections cut at random bytes for 20 s');
  },
);
