/** At the start of a server: what it has left itself goes; what others may be using stays, until it is old. */
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

test('alone: its own work and its uploads go, an attempt at a backup and a command beside it stay', async () => {
  await clearLeftWork(listLeftWork(dataDir), true);
  expect(await left()).toEqual([[ATTEMPT, COMMAND], []]);
});

test('beside other servers nothing goes that may be in use', async () => {
  await clearLeftWork(listLeftWork(dataDir), false);
  expect(await left()).toEqual([[OWN, ATTEMPT, COMMAND].toSorted(), ['upload']]);
});

test.each([true, false])('what nothing has touched for long goes in any case (alone: %s)', async (isAlone) => {
  const long = new Date(Date.now() - 7 * 60 * 60_000);
  for (const name of await workFolders(dataDir)) await utimes(workFolder(dataDir, name), long, long);
  await utimes(join(spoolFolder(dataDir), 'upload'), long, long);
  await clearLeftWork(listLeftWork(dataDir), isAlone);
  expect(await left()).toEqual([[], []]);
});
