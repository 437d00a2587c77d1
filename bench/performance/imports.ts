/**
 * Imports KeePass files through the API, from the first byte to the 201, including the derivation
 * of the master password; and measures the writes of another person meanwhile.
 */
import { startServer } from '../../e2e/testing/server/server.ts';
import { BASE, MASTER_PASSWORD, addGroup, addUser, signUp } from '../../faults/testing/caller.ts';
import type { Caller } from '../../faults/testing/caller.ts';
import { largeKeepassXml } from '../../server/src/import/testing/keepass-xml.ts';
import { bareSealing } from '../tools/bare-sealing.ts';
import { percentile } from '../tools/table.ts';
import { time, under } from './measure.ts';
import type { Measure } from './measure.ts';

const USUAL = 10_000;
const ROUNDS = 3;
/** The maximum for one file; five of them are 100,000. */
const LARGEST = 20_000;
const FILES = 5;

export async function measureImports(): Promise<Measure[]> {
  const usual = percentile(await importAll(USUAL, ROUNDS), 0.5);
  const many = (await importAll(LARGEST, FILES)).reduce((sum, ms) => sum + ms, 0);
  const limit = async (entries: number) => ({
    text: 'to seal as many values on one thread',
    ms: await bareSealing(3 * entries),
  });
  return [
    time('import of 10,000 entries with 30,000 fields', usual, await limit(USUAL), { goal: under(usual, 5000, 'ms') }),
    time('import of 100,000 entries in five files', many, await limit(LARGEST * FILES), {
      goal: under(many, 40_000, 'ms'),
    }),
    await measureWritesBeside(),
  ];
}

/** Sequential writes of one person while another one imports. */
async function measureWritesBeside(): Promise<Measure> {
  const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    const ada = await signUp(server);
    const { caller: bob } = await addUser(server, ada, 'Bob');
    const groupId = await addGroup(ada, 'Own');
    const quiet: number[] = [];
    for (let count = 0; count < 200; count += 1) quiet.push(await writeOnce(ada, groupId));
    const beside: number[] = [];
    const file = new Uint8Array(largeKeepassXml(USUAL));
    for (let round = 0; round < ROUNDS; round += 1) {
      let isOver = false;
      const importing = importOnce(bob, file, USUAL).finally(() => (isOver = true));
      while (!isOver) beside.push(await writeOnce(ada, groupId));
      await importing;
    }
    const p99 = percentile(beside, 0.99);
    const limit = { text: 'when nobody imports', ms: percentile(quiet, 0.99) };
    return time('writes during an import of 10,000 entries: p99', p99, limit, { goal: under(p99, 150, 'ms') });
  } finally {
    await server.stop();
  }
}

let names = 0;

/** Pause between two writes, in ms. */
async function writeOnce(ada: Caller, groupId: string): Promise<number> {
  const started = performance.now();
  await ada.accepted('PUT', `${BASE}/entryGroups/${groupId}`, { name: `Own ${(names += 1)}` });
  const took = performance.now() - started;
  await new Promise((resolve) => setTimeout(resolve, 5));
  return took;
}

/** Milliseconds of each import. */
async function importAll(entries: number, files: number): Promise<number[]> {
  const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
  try {
    const ada = await signUp(server);
    const file = new Uint8Array(largeKeepassXml(entries));
    const times: number[] = [];
    for (let count = 0; count < files; count += 1) times.push(await importOnce(ada, file, entries));
    return times;
  } finally {
    await server.stop();
  }
}

async function importOnce(ada: Caller, file: Uint8Array<ArrayBuffer>, entries: number): Promise<number> {
  const form = new FormData();
  form.append('master_password', MASTER_PASSWORD);
  form.append('file', new Blob([file], { type: 'text/xml' }), 'vault.xml');
  const started = performance.now();
  const { status, text } = await ada.send('POST', `${BASE}/import`, form);
  const took = performance.now() - started;
  if (status !== 201) throw new Error(`import: ${status} ${text}`);
  const { counts } = JSON.parse(text) as { readonly counts: { readonly entries: number } };
  if (counts.entries !== entries) throw new Error(`${counts.entries} entries instead of ${entries}`);
  return took;
}
