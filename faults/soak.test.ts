/**
 * Many people for a long time (R46, R47). `npm run test:long` runs a short form. The full form is
 * `SOAK_MINUTES=30 SOAK_HOURS=8 npx vitest run --project faults faults/soak.test.ts`.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, addGroup, addUser, signUp, type Caller } from './testing/caller.ts';
import { examine } from './testing/doctor.ts';
import { newLedger } from './testing/ledger.ts';
import { printLedger } from './testing/print-ledger.ts';
import { hasPostgres, named, startShared, type Shared } from './testing/shared.ts';
import { quantile, vitalsOf, type Vitals } from './testing/vitals.ts';

const CROWD_MS = Number(process.env['SOAK_MINUTES'] ?? 1.5) * 60_000;
const LONG_MS = Number(process.env['SOAK_HOURS'] ?? 0.04) * 3_600_000;
const SETTING_UP_MS = 600_000;
const PEOPLE = 50;
const [READ_MS, WRITE_MS] = [300, 800];
const suite = hasPostgres ? test : test.skip;

let stopAll: () => Promise<unknown> = () => Promise.resolve();
afterEach(() => stopAll());

const master_password = MASTER_PASSWORD;
/** Temporary refusals and broken connections, after which the request is repeated. */
const FOR_NOW = new Set([0, 429, 503]);

/** Repeats `act` until aborted. Returns all durations, and unexpected responses. */
async function keepOn(until: AbortSignal, act: (round: number) => Promise<{ status: number; text: string }>) {
  const times: number[] = [];
  const surprises: string[] = [];
  for (let round = 0; !until.aborted; round += 1) {
    await wait(randomInt(500, 1500));
    const began = performance.now();
    const { status, text } = await act(round);
    times.push(performance.now() - began);
    if (status >= 200 && status < 300) continue;
    if (!FOR_NOW.has(status)) surprises.push(`${status} ${text.slice(0, 200)}`);
  }
  return { times, surprises };
}

interface Crowd {
  /** Groups of the ledger, of files and entries to move, and of moved entries. */
  readonly groups: readonly [string, string, string];
  readonly people: readonly Caller[];
}

async function crowdOf(server: Pick<RunningServer, 'origin'>, ada: Caller, count: number): Promise<Crowd> {
  const groups = [await addGroup(ada, 'Ledger'), await addGroup(ada, 'Archive'), await addGroup(ada, 'Shelf')] as const;
  const people: Caller[] = [ada];
  for (let n = 1; n < count; n += 1) {
    const { userId, caller } = await addUser(server, ada, `Person${n}`);
    for (const g of groups) {
      await ada.accepted('POST', `${BASE}/entryGroups/${g}/users`, {
        target_user_id: userId,
        role: 'admin',
        master_password,
      });
    }
    people.push(caller);
  }
  return { groups, people };
}

/**
 * Of ten people seven read and two edit (under the ledger); of twenty one handles files and one
 * moves entries. At least one person does each.
 */
function work({ groups, people }: Crowd, until: AbortSignal) {
  const ledger = newLedger(() => wait(randomInt(350, 1050)));
  const entriesOf = (g: string) => `${BASE}/entryGroups/${g}/entries`;
  const [from, to, shelf] = groups;
  const left = [...people];
  const take = (part: number) => left.splice(0, Math.max(1, Math.round(people.length * part)));
  const [writers, filers, movers] = [take(0.2), take(0.05), take(0.05)];
  const readers = left;
  const writing = Promise.all(writers.map((person) => ledger.write(person, from, 1, until)));
  const reading = readers.map((person) =>
    keepOn(until, (round) => person.request('GET', round % 3 === 0 ? `${BASE}/entryGroupsAsTree` : entriesOf(from))),
  );
  const filing = filers.map((person) =>
    keepOn(until, async (round) => {
      const made = await person.request('POST', entriesOf(to), { title: `With a file ${round}` });
      if (made.status !== 201) return made;
      const form = new FormData();
      for (const [name, value] of Object.entries({ type: 'file', title: 'File', master_password }))
        form.append(name, value);
      form.append('file', new Blob([Buffer.alloc(20_000, round)]), 'some.bin');
      return person.send(
        'POST',
        `${entriesOf(to)}/${(JSON.parse(made.text) as { entry_id: string }).entry_id}/fields`,
        form,
      );
    }),
  );
  const moving = movers.map((person) =>
    keepOn(until, async (round) => {
      const made = await person.request('POST', entriesOf(to), { title: `To be moved ${round}` });
      if (made.status !== 201) return made;
      const { entry_id } = JSON.parse(made.text) as { entry_id: string };
      const body = { entries: [entry_id], entryGroupTarget: shelf, master_password };
      return person.request('POST', `${entriesOf(to)}/bulkEdit/move`, body);
    }),
  );
  return { ledger, writing, reading: Promise.all(reading), others: Promise.all([...filing, ...moving]) };
}

suite(
  named(
    `${PEOPLE} people for ${CROWD_MS / 60_000} min, an instance killed now and then, the database briefly unreachable: 0 lost, reads p95 under ${READ_MS} ms, writes under ${WRITE_MS} ms (R46)`,
  ),
  { timeout: CROWD_MS + SETTING_UP_MS },
  async () => {
    const shared: Shared = await startShared(2);
    stopAll = () => shared.stop();
    const ada = await signUp(shared);
    const crowd = await crowdOf(shared, ada, PEOPLE);
    const stop = new AbortController();
    const { ledger, writing, reading, others } = work(crowd, stop.signal);
    const began = Date.now();
    const memory: number[] = [];
    for (let round = 0; Date.now() - began < CROWD_MS; round += 1) {
      await wait(randomInt(8000, 16_000));
      memory.push(...shared.instances.map((instance) => vitalsOf(instance).memoryMb));
      if (round % 2 === 0) {
        const victim = shared.instances[(round / 2) % 2];
        await victim?.kill();
        await wait(500);
        await victim?.restart();
      } else {
        shared.toDatabase.hold();
        await wait(2000);
        shared.toDatabase.pass();
      }
    }
    stop.abort();
    const [, read, other] = await Promise.all([writing, reading, others]);
    expect([...read, ...other].flatMap(({ surprises }) => surprises)).toEqual([]);
    expect(ledger.surprises).toEqual([]);
    expect(await ledger.compare(ada, crowd.groups[0])).toEqual([]);
    const { code, output } = await examine(shared.instances[0]?.dataDir ?? '', shared.databaseUrl);
    expect(code, output).toBe(0);
    printLedger(`${PEOPLE} people`, ledger);
    const reads = read.flatMap(({ times }) => times);
    const writes = [...other.flatMap(({ times }) => times), ...ledger.times];
    expect(reads.length).toBeGreaterThan(PEOPLE);
    expect(quantile(reads, 0.95), `of ${reads.length} reads`).toBeLessThan(READ_MS);
    expect(quantile(writes, 0.95), `of ${writes.length} writes`).toBeLessThan(WRITE_MS);
    expect(Math.max(...memory)).toBeLessThan(512);
  },
);

test(
  `ten people for ${(LONG_MS / 60_000).toFixed(0)} min: memory, descriptors, threads and files do not grow (R47)`,
  { timeout: LONG_MS + SETTING_UP_MS },
  async () => {
    const server = await startServer({ env: { LOG_LEVEL: 'warn', MAX_CONNECTIONS_PER_ADDRESS: '1000' } });
    stopAll = () => server.stop();
    const ada = await signUp(server);
    const crowd = await crowdOf(server, ada, 10);
    const stop = new AbortController();
    const { ledger, writing, reading, others } = work(crowd, stop.signal);
    // Caches and pools fill up in the first third.
    await wait(LONG_MS / 3);
    const samples: Vitals[] = [];
    for (let n = 0; n < 10; n += 1) {
      samples.push(vitalsOf(server));
      await wait((LONG_MS * 2) / 3 / 10);
    }
    stop.abort();
    const [, read, other] = await Promise.all([writing, reading, others]);
    expect([...read, ...other].flatMap(({ surprises }) => surprises)).toEqual([]);
    expect(await ledger.compare(ada, crowd.groups[0])).toEqual([]);
    await wait(6000);
    const [first, last] = [samples[0]!, vitalsOf(server)];
    const early = Math.max(...samples.slice(0, 5).map(({ memoryMb }) => memoryMb));
    expect(last.memoryMb, JSON.stringify(samples.map(({ memoryMb }) => Math.round(memoryMb)))).toBeLessThan(
      early * 1.2,
    );
    expect(last.descriptors).toBeLessThanOrEqual(first.descriptors + 2);
    expect(last.threads).toBeLessThanOrEqual(first.threads + 1);
    expect(last.files.filter((name) => !first.files.includes(name))).toEqual([]);
    expect(last.files.filter((name) => /tmp|spool|part/i.test(name))).toEqual([]);
    // An open transaction would keep the write-ahead log from being checkpointed.
    expect((await examine(server.dataDir)).code).toBe(0);
    expect((await ada.request('GET', '/ready')).status).toBe(200);
  },
);
