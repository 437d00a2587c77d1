import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { demandRoom, hasRoom } from './free-space.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passwordbroker-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('room for bytes and for files, and enough left for everything else', async () => {
  const { bavail, bsize, blocks, ffree, files } = await statfs(folder);
  expect(await hasRoom(folder, { bytes: 0, files: 0 })).toBe(true);
  expect(await hasRoom(folder, { bytes: bavail * bsize, files: 0 })).toBe(false);
  // The last twentieth of the disk is nobody's.
  expect(await hasRoom(folder, { bytes: (bavail - blocks * 0.03) * bsize, files: 0 })).toBe(false);
  expect(await hasRoom(folder, { bytes: 0, files: ffree + 1 })).toBe(files === 0);
});

test('no room is said as a full disk', async () => {
  await expect(demandRoom(folder, { bytes: Number.MAX_SAFE_INTEGER, files: 0 })).rejects.toMatchObject({
    code: 'insufficient_storage',
  });
});
