/** Chunks of a fixed length from pieces of any length. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RUNS } from '../testing/arbitraries.ts';
import { rechunk } from './stream.ts';

async function chunksOf(pieces: readonly Uint8Array[], length: number, first?: number) {
  const chunks: (readonly [number[], boolean])[] = [];
  const source = first === undefined ? rechunk(pieces, length) : rechunk(pieces, length, first);
  for await (const { bytes, final } of source) chunks.push([[...bytes], final]);
  return chunks;
}
const counting = (from: number, length: number) => Uint8Array.from({ length }, (_, at) => from + at);

test('an empty source gives one empty last chunk', async () => {
  expect(await chunksOf([], 4)).toEqual([[[], true]]);
  expect(await chunksOf([new Uint8Array(0), new Uint8Array(0)], 4, 2)).toEqual([[[], true]]);
});

test('a full last chunk is marked as last', async () => {
  expect(await chunksOf([counting(1, 4)], 4)).toEqual([[[1, 2, 3, 4], true]]);
  expect(await chunksOf([counting(1, 8), new Uint8Array(0)], 4)).toEqual([
    [[1, 2, 3, 4], false],
    [[5, 6, 7, 8], true],
  ]);
});

test('the first chunk can have another length', async () => {
  expect(await chunksOf([counting(1, 1), counting(2, 6)], 3, 2)).toEqual([
    [[1, 2], false],
    [[3, 4, 5], false],
    [[6, 7], true],
  ]);
});

test('any pieces keep their bytes and order, in chunks of that length', async () => {
  const piece = fc.nat(9).map((length) => new Uint8Array(length));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 9 }), fc.integer({ min: 1, max: 7 }), async (pieces, length) => {
      let at = 0;
      for (const one of pieces) for (let index = 0; index < one.length; index += 1) one[index] = at++ % 256;
      const chunks = await chunksOf(pieces, length);
      expect(chunks.flatMap(([bytes]) => bytes)).toEqual(pieces.flatMap((one) => [...one]));
      expect(chunks.slice(0, -1).every(([bytes, final]) => bytes.length === length && !final)).toBe(true);
      const last = chunks.at(-1) ?? expect.fail('no chunk');
      expect(last[1]).toBe(true);
      expect(last[0].length > 0 || at === 0).toBe(true);
    }),
    { numRuns: RUNS / 4 },
  );
});
