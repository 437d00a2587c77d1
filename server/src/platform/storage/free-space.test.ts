import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demandRoom, hasRoom, measureDisk, takes } from './space.ts';

const MIB = 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passwordbroker-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('hasRoom compares bytes and files with the free space of the disk', async () => {
  const { bavail, bsize, ffree, files } = await statfs(folder);
  expect(await hasRoom(folder, { bytes: 0, files: 0 })).toBe(true);
  expect(await hasRoom(folder, { bytes: bavail * bsize, files: 0 })).toBe(false);
  expect(await hasRoom(folder, { bytes: 0, files: ffree + 1 })).toBe(files === 0);
  const { total, margin } = await measureDisk(folder);
  expect(margin).toBe(Math.min(256 * MIB, Math.ceil(total * 0.05)));
});

test.each([
  ['small', { total: 1000 * MIB, free: 150 * MIB, margin: 50 * MIB }, 100 * MIB],
  ['large', { total: 1e6 * MIB, free: 300 * MIB, margin: 256 * MIB }, 44 * MIB],
])('on a %s disk the margin stays free (T142)', (_, numbers, most) => {
  const disk = { ...numbers, freeFiles: 1000 };
  expect(takes(disk, { bytes: most, files: 1 })).toBe(true);
  expect(takes(disk, { bytes: most + 1, files: 1 })).toBe(false);
  expect(takes(disk, { bytes: 0, files: 801 })).toBe(false);
  expect(takes({ ...disk, freeFiles: Infinity }, { bytes: 0, files: 801 })).toBe(true);
});

test('a lack of room is reported as a full disk', async () => {
  await expect(demandRoom(folder, { bytes: Number.MAX_SAFE_INTEGER, files: 0 })).rejects.toMatchObject({
    code: 'insufficient_storage',
  });
});
