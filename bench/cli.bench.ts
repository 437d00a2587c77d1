/**
 * The command line against a server in this process, medians of 15 in turn, on an idle machine; the goals are in the table.
 * `npx tsx bench/cli.bench.ts`
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { register } from '@passwordbroker/core/contract/users/users';
import { newPb } from '../cli/src/testing/pb.ts';
import { KDF, personOf } from '../cli/src/testing/person.ts';
import { signUpBody, startTestApp } from '../server/src/testing/test-app.ts';
import { memoryOf } from './tools/process.ts';
import { percentile, printTable } from './tools/table.ts';

const ROUNDS = 15;
const ENTRIES = 20_000;
const LIST_GOAL_MS = 1000;

const app = await startTestApp({ kdf: KDF, start: Date.now() });
const pb = newPb();
const rows: Record<string, string | number>[] = [];
try {
  const ada = await personOf('ada');
  await app.guest().call(register, { body: { user: signUpBody(ada) } });
  const origin = await app.listen();
  await pb.onTerminal(['login', origin, '--email', ada.email], [['Account password', ada.password]]);
  await pb.onTerminal(['unlock', '--for', '60'], [['Master password', ada.masterPassword]]);
  const references: string[] = [];
  for (let group = 0; group < 5; group += 1) {
    await succeed(['group', 'add', `g${group}`]);
    for (let entry = 0; entry < 10; entry += 1) {
      await succeed(['add', `g${group}/e${entry}`, '--generate']);
      references.push(`pb://g${group}/e${entry}`);
    }
  }
  await readSpeed();
  await runSpeed(references);
  await memory();
  await listSpeed();
  printTable('The command line', rows);
  await pb.run(['lock']);
} finally {
  await app.stop();
  pb.remove();
}

async function succeed(arguments_: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<void> {
  const { code, err } = await pb.run(arguments_, { more });
  if (code !== 0) throw new Error(`pb ${arguments_.join(' ')}: ${err}`);
}

async function readSpeed(): Promise<void> {
  const [gets, starts] = await inTurn(
    () => succeed(['get', 'g0/e0']),
    async () => void spawnSync(process.execPath, ['-e', '0']),
  );
  rows.push({
    what: 'get (ms)',
    measured: gets,
    beside: 'start of Node alone',
    limit: starts,
    ratio: gets / starts,
    asked: 'at most 3',
  });
}

async function runSpeed(references: readonly string[]): Promise<void> {
  const all = Object.fromEntries(references.map((reference, at) => [`V${at}`, reference]));
  const [many, one] = await inTurn(
    () => succeed(['run', '--', 'true'], all),
    () => succeed(['run', '--', 'true'], { V: references[0] }),
  );
  rows.push({
    what: 'run, 50 references in 5 groups (ms)',
    measured: many,
    beside: 'run with one',
    limit: one,
    ratio: many / one,
    asked: 'at most 2',
  });
}

async function memory(): Promise<void> {
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
  // Soon after the last command the agent frees what it does not need.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const agent = await memoryOf(Number(agentId()));
  const alone = await memoryOf(bare.pid ?? 0);
  bare.kill();
  rows.push({
    what: 'agent, unlocked (resident, MB)',
    measured: agent.now,
    beside: 'Node alone',
    limit: alone.now,
    ratio: agent.now / alone.now,
    asked: 'at most 2.2',
  });
}

function agentId(): string | undefined {
  return readdirSync('/proc').find((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(`${pb.program}\0agent`);
    } catch {
      return false;
    }
  });
}

async function listSpeed(): Promise<void> {
  const file = join(pb.state, '..', 'many.csv');
  const line = (_: unknown, at: number) => `Entry ${at},https://host${at}.example,user${at},value-${at}`;
  writeFileSync(file, ['name,url,username,password', ...Array.from({ length: ENTRIES }, line), ''].join('\n'));
  await succeed(['import', file, '--yes']);
  const [lists, starts] = await inTurn(
    () => succeed(['ls', '-r', 'many']),
    async () => void spawnSync(process.execPath, ['-e', '0']),
  );
  rows.push({
    what: `ls of ${ENTRIES} entries (ms)`,
    measured: lists,
    beside: 'start of Node alone',
    limit: starts,
    ratio: lists / starts,
    asked: `at most ${LIST_GOAL_MS} ms`,
  });
}

/** Medians. */
async function inTurn(one: () => Promise<void>, other: () => Promise<void>): Promise<[number, number]> {
  const [first, second]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    first.push(await timed(one));
    second.push(await timed(other));
  }
  return [percentile(first, 0.5), percentile(second, 0.5)];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
