/** Hostile files (threats T58–T61): each gives its error or a correct import, quickly. */
import { describe, expect, test } from 'vitest';
import { hostileFiles } from '../../testing/keepass/keepass-hostile.ts';
import { KeepassError } from './limits-and-errors.ts';
import { readKeepassXml } from './read.ts';

const files = await hostileFiles();
/** The threat model allows 2 s; more for a busy machine. */
const MOST_MS = 8000;

async function outcomeOf(bytes: Uint8Array): Promise<string | number> {
  try {
    return (await readKeepassXml(bytes)).entries.length;
  } catch (error) {
    if (error instanceof KeepassError) return error.message;
    throw error;
  }
}

describe('hostile and broken files', () => {
  test.each(files.map((file) => [file.name, file] as const))('%s', async (_, { bytes, expect: expected }) => {
    const start = performance.now();
    const outcome = await outcomeOf(bytes);
    expect(outcome).toBe('refused' in expected ? expected.refused : expected.entries);
    expect(performance.now() - start).toBeLessThan(MOST_MS);
  });
});
