/** A starting server removes its own temporary files; files that others may use stay until they are old. */
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spoolFolder } from '../http/body/spool.ts';
import { clearLeftWork, listLeftWork, workFolder, workFolders } from './work-folder.ts';

const OWN = '0197f1d2-0000-7000-8000-000000000001';
const ATTEMPT = `${OWN}.b2xkIG9uZS`;
const COMMAND = 'verify-b2xkIG9uZS';
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'passwordbroker-work-'));
  for (const name of [OWN, ATTEMPT, COMMAND]) await mkdir(workFolder(dataDir, name), { recursive: true });
  await mkdir(join(spoolFolder(dataDir), 'upload'), { recursive: true });
});
afterEach(() => rm(dataDir, { recursive: true }));

const left = async () => [(await workFolders(dataDir)).toSorted(), await readdir(spoolFolder(dataDir))];

test('a server alone removes its own work and uploads, but not those of a backup attempt or a command', async () => {
  await clearLeftWork(listLeftWork(dataDir), true);
  expect(await left()).toEqual([[ATTEMPT, COMMAND], []]);
});

test('beside other servers nothing is removed that may be in use', async () => {
  await clearLeftWork(listLeftWork(dataDir), false);
  expect(await left()).toEqual([[OWN, ATTEMPT, COMMAND].toSorted(), ['upload']]);
});

test.each([true, false])(
  'folders that were not touched for hours are removed in any case (alone: %s)',
  async (isAlone) => {
    const long = new Date(Date.now() - 7 * 60 * 60_000);
    for (const name of await workFolders(dataDir)) await utimes(workFolder(dataDir, name), long, long);
    await utimes(join(spoolFolder(dataDir), 'upload'), long, long);
    await clearLeftWork(listLeftWork(dataDir), isAlone);
    expect(await left()).toEqual([[], []]);
  },
);
