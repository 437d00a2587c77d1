/** Hostile files are read in a thread with a heap of at most 100 MiB (threats T59, T61). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { largeKeepassXml } from '../../testing/keepass/keepass-files.ts';
import { hostileFiles } from '../../testing/keepass/keepass-hostile.ts';

const HEAP_MB = 100;
const READER = `
import { parentPort, workerData } from 'node:worker_threads';
import { readKeepassXml } from ${JSON.stringify(fileURLToPath(new URL('read.ts', import.meta.url)))};
try {
  parentPort.postMessage((await readKeepassXml(workerData)).entries.length);
} catch (error) {
  parentPort.postMessage(error.message);
}`;

let folder = '';
let script = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepass-'));
  script = join(folder, 'reader.mjs');
  await build({
    stdin: { contents: READER, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['node'],
    outfile: script,
    logLevel: 'error',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function readElsewhere(bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const worker = new Worker(script, {
    workerData: bytes,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

describe('a heap of 100 MiB is enough', async () => {
  const files = await hostileFiles();
  test.each(files.map((file) => [file.name, file] as const))('%s', async (_, { bytes, expect: expected }) => {
    expect(await readElsewhere(bytes)).toBe('refused' in expected ? expected.refused : expected.entries);
  });

  test('for ten thousand honest entries too', async () => {
    expect(await readElsewhere(new TextEncoder().encode(largeKeepassXml(10_000)))).toBe(10_000);
  });
});
