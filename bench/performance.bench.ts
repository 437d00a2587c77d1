/**
 * Measures the built server over real connections, each number beside what the same machine can do at that time.
 * `--part=work|large|bulk|imports` measures one part. `--write` writes the table into `docs/performance.md`,
 * `--budget` the ratios into `bench/budget.json`; `--check` fails if a ratio is worse than the budget by a fifth.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../e2e/testing/server/server.ts';
import { REFERENCE_MS, watchMachineSpeed } from './tools/machine-speed.ts';
import { memoryOf } from './tools/process.ts';
import { asking } from './performance/ask.ts';
import { measureBulk } from './performance/bulk.ts';
import { measureCrowd } from './performance/crowd.ts';
import { bareCommits, bareServer } from './performance/limits.ts';
import { load } from './performance/load.ts';
import { measureImports } from './performance/imports.ts';
import { measureLogins } from './performance/logins.ts';
import { number, rate, size, time, under } from './performance/measure.ts';
import type { Measure } from './performance/measure.ts';
import { makeOrganisation } from './performance/organisation.ts';
import { measureGroup, measureTree, type SearchTimes, searchTimes } from './performance/reading.ts';
import { overBudget, tableOf, writeBudget, writeSection } from './performance/report.ts';
import { measureReveals, measureWrites } from './performance/reveals.ts';
import { measureStart } from './performance/start.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
/** The limit of connections is raised because all requests come from one address. */
const environment = { LOG_LEVEL: 'warn', MAX_CONNECTIONS_PER_ADDRESS: '1000' };

async function inFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'passwordbroker-performance-'));
  try {
    return await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** 1,000 users, 2,000 groups, 20,000 entries: reveals, writes, logins, 300 people at work. */
async function atWork(): Promise<Measure[]> {
  return inFolder(async (dataDir) => {
    const groups = numbers(2000);
    // Everyone is a member of the first group, whose entries are revealed, and of about a hundred others.
    const groupsOf = (person: number) =>
      person === 0 ? groups : [0, ...numbers(99).map((at) => 1 + ((person * 97 + at * 20) % 1999))];
    const shape = { users: 1000, groups: 2000, entries: 20_000, groupsOf };
    const organisation = await makeOrganisation(dataDir, shape);
    const commits = await bareCommits(2);
    const bare = { text: 'calls of a bare server', aSecond: await bareServer(3, 16) };
    const server = await startServer({ dataDir, env: environment });
    try {
      const { origin } = server;
      const cookie = organisation.people[0]?.cookie ?? '';
      const me = [{ method: 'GET' as const, path: '/identity/api/me', headers: { cookie } }];
      await load({ origin, connections: 16, seconds: 2, requests: me });
      const { aSecond } = await load({ origin, connections: 16, seconds: 3, requests: me });
      return [
        rate('who am I, 16 connections', aSecond, bare),
        ...(await measureReveals({ origin, organisation, commits })),
        ...(await measureWrites({ origin, organisation, commits: await bareCommits(2) })),
        ...(await measureGroup(origin, organisation)),
        ...(await measureLogins({ origin, organisation })),
        ...(await measureCrowd(origin, organisation)),
        ...(await memoryAfter(server.pid())),
      ];
    } finally {
      await server.end();
    }
  });
}

async function memoryAfter(pid: number): Promise<Measure[]> {
  const memory = (await memoryOf(pid)).share;
  return [size('memory after all of this (PSS)', memory, 'MB', { goal: under(memory, 200, 'MB') })];
}

/** 5,000 groups, 100,000 entries: measurements that depend on the size. */
async function large(inSmall: SearchTimes): Promise<Measure[]> {
  return inFolder(async (dataDir) => {
    const all = numbers(5000);
    const groupsOf = (person: number) => (person === 0 ? all : numbers(100).map((at) => at * 50));
    const organisation = await makeOrganisation(dataDir, { users: 2, groups: 5000, entries: 100_000, groupsOf });
    const start = await measureStart(dataDir, 100_000);
    const server = await startServer({ dataDir, env: environment });
    try {
      const { origin } = server;
      const { found, nothing } = await searchTimes(origin, organisation, 'large');
      const small = (ms: number) => ({ text: 'at 1,000 entries', ms });
      return [
        time('search in 100,000 entries: p50', found, small(inSmall.found), { goal: under(found, 5, 'ms') }),
        time('search in 100,000 entries that finds nothing: p50', nothing, small(inSmall.nothing)),
        ...(await measureTree(origin, organisation, { person: 1, groups: 100, most: 3 })),
        ...(await measureTree(origin, organisation, { person: 0, groups: 5000, most: 30 })),
        ...start,
      ];
    } finally {
      await server.end();
    }
  });
}

/** With 1,000 entries: search, and the shortest time of any call. */
async function small(): Promise<{ readonly search: SearchTimes; readonly health: number }> {
  return inFolder(async (dataDir) => {
    const shape = { users: 1, groups: 50, entries: 1000, groupsOf: () => numbers(50) };
    const organisation = await makeOrganisation(dataDir, shape);
    const server = await startServer({ dataDir, env: environment });
    const { times, close } = asking(server.origin);
    try {
      const search = await searchTimes(server.origin, organisation, 'small');
      return { search, health: (await times('/health', {}, 60)).p50 };
    } finally {
      close();
      await server.end();
    }
  });
}

/** Measurements that depend on the size, beside those of a small vault. */
async function sizes(): Promise<Measure[]> {
  const { search, health } = await small();
  return [time('the least that a call takes on one connection: p50', health, null), ...(await large(search))];
}

const PARTS: Readonly<Record<string, () => Promise<Measure[]>>> = {
  work: atWork,
  large: sizes,
  bulk: measureBulk,
  imports: measureImports,
};
const [, only] = process.argv.map((word) => /^--part=(\w+)$/.exec(word)).find((found) => found !== null) ?? [];
const keeps = ['--write', '--budget', '--check'].some((word) => process.argv.includes(word));
if (only !== undefined && (keeps || PARTS[only] === undefined)) {
  throw new Error(`There are the parts ${Object.keys(PARTS).join(', ')}; a table or a budget is of all of them.`);
}

const started = performance.now();
const before = loadavg()[0] ?? 0;
const measures: Measure[] = [];
const speed = watchMachineSpeed();
await speed.measure();
for (const [part, measure] of Object.entries(PARTS)) {
  if (only !== undefined && only !== part) continue;
  measures.push(...(await measure()));
  await speed.measure();
}
const slowness = speed.slowness();
const seconds = (performance.now() - started) / 1000;
const derivation = `Argon2id in WebAssembly (hash-wasm) took ${number(slowness * REFERENCE_MS)} ms, ${number(slowness)} times as long as on the machine in whose milliseconds the goals are (${REFERENCE_MS} ms: “there”)`;
const machine = `Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), load ${before.toFixed(1)} at the start, ${seconds.toFixed(0)} s in all. ${derivation}.`;
const table = tableOf(measures, slowness);
console.log(`\n${machine}\n\n${table}`);
if (process.argv.includes('--write')) writeSection('server', `${machine}\n\n${table}`);
if (process.argv.includes('--budget')) writeBudget(measures);
if (process.argv.includes('--check')) {
  const worse = overBudget(measures);
  for (const sentence of worse) console.error(sentence);
  process.exitCode = worse.length > 0 ? 1 : 0;
}
