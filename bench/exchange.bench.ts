/**
 * Reading files of 10,000 entries with 30,000 values into a tree, as multiples of the least work there is in the same run. Medians of 9, in turn.
 * KDBX without its key derivation; its memory in a process of its own. `npx tsx bench/exchange.bench.ts`
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { build } from 'esbuild';
import { type Bytes, utf8 } from '../core/src/crypto/bytes.ts';
import { collect } from '../core/src/crypto/stream.ts';
import { fileArgon2 } from '../core/src/domain/exchange/file-argon2.ts';
import { openKdbx } from '../core/src/domain/exchange/kdbx/open-kdbx.ts';
import type * as KdbxwebModule from 'kdbxweb';
import type * as chunks from '../core/src/domain/exchange/chunk-reader.ts';
import type * as formats from '../core/src/domain/exchange/formats.ts';
import type * as xmlReader from '../core/src/domain/keepass/read.ts';
import { largeKeepassXml } from '../core/src/testing/keepass/keepass-files.ts';
import { percentile, printTable } from './tools/table.ts';

/** A CommonJS module whose names Node does not find. */
const kdbxweb = createRequire(import.meta.url)('kdbxweb') as typeof KdbxwebModule;
const { Credentials, Int64, Kdbx, ProtectedValue } = kdbxweb;

const ENTRIES = 10_000;
const ROUNDS = 9;
const PASSWORD = 'a password of the bench';
const GIVEN = { password: PASSWORD };
const OPTIONS = { now: Date.now(), argon2: fileArgon2 };

/** One round of AES-KDF. */
async function kdbxOf(xml: string): Promise<Bytes> {
  const database = await Kdbx.loadXml(xml, new Credentials(ProtectedValue.fromString(PASSWORD)));
  database.setVersion(4);
  database.setKdf('ydnzmmKKRGC/dA0IwYpP6g==');
  database.header.kdfParameters?.set('R', 0x05, Int64.from(1));
  return new Uint8Array(await database.save());
}

const folder = mkdtempSync(join(tmpdir(), 'exchange-bench-'));

/** Built as the client is: what `tsx` adds to each function would be measured, too. */
async function bundled() {
  const core = fileURLToPath(new URL('../core/src/domain', import.meta.url));
  const outfile = join(folder, 'readers.mjs');
  await build({
    stdin: {
      contents: `export { detectFormat } from '${core}/exchange/formats.ts';
        export { gunzip } from '${core}/exchange/chunk-reader.ts';
        export { createXmlReader, decodeXml } from '${core}/keepass/read.ts';`,
      resolveDir: core,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['node'],
    outfile,
    logLevel: 'error',
  });
  return (await import(outfile)) as typeof formats & typeof chunks & typeof xmlReader;
}
const { detectFormat, gunzip, createXmlReader, decodeXml } = await bundled();

async function read(file: Bytes): Promise<void> {
  const blob = new Blob([file]);
  const { format } = await detectFormat(blob);
  const { entries } = await (await format.load())(blob, GIVEN, OPTIONS);
  if (entries.length !== ENTRIES) throw new Error(`${format.id}: ${entries.length} entries instead of ${ENTRIES}`);
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

interface Row {
  readonly what: string;
  readonly least: string;
  readonly goal: number;
  readonly ours: () => unknown;
  readonly bare: () => unknown;
}

async function measured({ what, least, goal, ours, bare }: Row) {
  const taken: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const both = { ours: await timed(ours), bare: await timed(bare) };
    // The first one is that of the compiler.
    if (round < 0) continue;
    taken.ours.push(both.ours);
    taken.bare.push(both.bare);
  }
  const [own, other] = [percentile(taken.ours, 0.5), percentile(taken.bare, 0.5)];
  return { what, ms: own, beside: least, 'beside ms': other, ratio: own / other, 'at most': goal };
}

const MEMORY = `
import { readFileSync } from 'node:fs';
import { detectFormat } from './readers.mjs';
const read = async (path) => {
  const blob = new Blob([readFileSync(path)]);
  const { format } = await detectFormat(blob);
  return (await format.load())(blob, ${JSON.stringify(GIVEN)}, { now: Date.now() });
};
// Loads the code.
await read('small.kdbx');
globalThis.gc();
const before = process.memoryUsage().rss;
const tree = await read('large.kdbx');
console.log(process.resourceUsage().maxRSS * 1024 - before, tree.entries.length);
`;

/** Bytes that a process needs more at its peak. @param young MiB in which garbage may pile up; V8 takes 16 for itself */
function peakOf(file: Bytes, small: Bytes, young: number): number {
  writeFileSync(join(folder, 'large.kdbx'), file);
  writeFileSync(join(folder, 'small.kdbx'), small);
  writeFileSync(join(folder, 'memory.mjs'), MEMORY);
  const given = ['--expose-gc', `--max-semi-space-size=${young}`, 'memory.mjs'];
  return Number(execFileSync(process.execPath, given, { encoding: 'utf8', cwd: folder }).split(' ')[0]);
}

const numbers = Array.from({ length: ENTRIES }, (_, at) => at);
const bitwarden = JSON.stringify({
  encrypted: false,
  folders: [{ id: 'f1', name: 'Team/Servers' }],
  items: numbers.map((at) => ({
    id: `i${at}`,
    folderId: 'f1',
    type: 1,
    name: `Service ${at}`,
    notes: `Notes of service ${at}`,
    favorite: false,
    reprompt: 0,
    creationDate: '2024-01-01T00:00:00.000Z',
    revisionDate: '2025-01-01T00:00:00.000Z',
    login: {
      username: `user${at}`,
      password: `password ${at}`,
      uris: [{ match: null, uri: `https://s${at}.example` }],
      totp: null,
    },
  })),
});
const csv = Papa.unparse([
  ['name', 'url', 'username', 'password', 'note'],
  ...numbers.map((at) => [`Service ${at}`, `https://s${at}.example`, `user${at}`, `password ${at}`, `Notes of ${at}`]),
]);

const kdbx = await kdbxOf(largeKeepassXml(ENTRIES));
const { xml } = await openKdbx(kdbx, GIVEN, OPTIONS);
const inside = await collect(xml);
const packed = new Uint8Array(gzipSync(inside));
const [jsonFile, csvFile] = [utf8(bitwarden), utf8(csv)];

const rows: readonly Row[] = [
  {
    what: 'KDBX',
    least: 'unpacking and parsing its XML',
    goal: 1.4,
    ours: () => read(kdbx),
    bare: async () => {
      const reader = createXmlReader(undefined);
      const unpacked = gunzip(new Blob([packed]).stream(), () => undefined);
      for await (const text of decodeXml(unpacked)) reader.write(text);
      reader.end();
    },
  },
  {
    what: 'Bitwarden JSON',
    least: 'JSON.parse',
    goal: 4,
    ours: () => read(jsonFile),
    bare: () => JSON.parse(new TextDecoder().decode(jsonFile)) as unknown,
  },
  {
    what: 'CSV of Chrome',
    least: 'Papa.parse',
    goal: 4,
    ours: () => read(csvFile),
    bare: () => Papa.parse(new TextDecoder().decode(csvFile)),
  },
];

const table = [];
for (const row of rows) table.push(await measured(row));
printTable(`Reading ${ENTRIES} entries, in ms`, table);

const small = await kdbxOf(largeKeepassXml(10));
const megabytes = (bytes: number) => bytes / 1024 ** 2;
const memory = [2, 16].map((young) => {
  const peak = percentile(
    [1, 2, 3].map(() => peakOf(kdbx, small, young)),
    0.5,
  );
  return {
    'young generation': young,
    'at the peak': megabytes(peak),
    XML: megabytes(inside.length),
    ratio: peak / inside.length,
    'at most': young === 2 ? 5 : 'none',
  };
});
printTable('Memory of reading KDBX, in MiB', memory);
rmSync(folder, { recursive: true, force: true });
