import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RESERVE_FILE, openReserve, pieceOf, reserveOf } from './space.ts';

const MIB = 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'passwordbroker-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([0, 1, 1_000_003, 64 * MIB, 268_172_288, 1e12])(
  'the reserve of a disk of %d bytes is a whole number of bytes',
  (total) => {
    const [all, piece] = [reserveOf(total), pieceOf(total)];
    expect([Number.isInteger(all), Number.isInteger(piece)]).toEqual([true, true]);
    expect(all).toBeLessThanOrEqual(Math.min(32 * MIB, total * 0.05));
    expect(piece).toBeLessThanOrEqual(all);
  },
);

test('the reserve takes disk blocks, is released in pieces and filled again', async () => {
  const reserve = openReserve(folder);
  expect(reserve.size()).toBe(0);
  await reserve.make(3 * MIB + 5);
  const { size, blocks } = await stat(join(folder, RESERVE_FILE));
  expect([size, blocks * 512 >= size]).toEqual([3 * MIB + 5, true]);
  reserve.giveUp(MIB);
  expect(reserve.size()).toBe(2 * MIB + 5);
  reserve.giveUp(9 * MIB);
  expect(reserve.size()).toBe(0);
  await reserve.make(MIB);
  expect(reserve.size()).toBe(MIB);
});
