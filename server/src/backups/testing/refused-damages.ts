/**
 * Damages an archive many times and restores it each time. Returns the reasons of the errors; throws if a
 * restore succeeds.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { seeded } from '../../authorisation/testing/seeded.ts';
import { ArchiveError } from '../archive/archive-problem.ts';
import type { ArchiveFault } from '../archive/archive-problem.ts';
import { restoreInto } from './archive.ts';
import { corrupted } from './corruption.ts';

const CUT_EVERY = 64 * 1024;

/** `count` random damages of this seed. */
export async function refusedDamages(path: string, count: number, seed: number): Promise<ArchiveFault[]> {
  const whole = await readFile(path);
  const chance = seeded(seed);
  const faults: ArchiveFault[] = [];
  for (let made = 0; made < count; made += 1) faults.push(await faultOf(path, corrupted(whole, chance)));
  return faults;
}

export async function refusedCuts(path: string): Promise<ArchiveFault[]> {
  const whole = await readFile(path);
  const faults: ArchiveFault[] = [];
  for (let at = 0; at < whole.length; at += CUT_EVERY) {
    faults.push(await faultOf(path, { name: `cut at ${at}`, bytes: whole.subarray(0, at) }));
  }
  return faults;
}

async function faultOf(path: string, { name, bytes }: { readonly name: string; readonly bytes: Buffer }) {
  const damaged = `${path}.damaged`;
  await writeFile(damaged, bytes);
  try {
    const { scratchDir } = await restoreInto(damaged, path.endsWith('.age') ? undefined : null);
    await rm(scratchDir, { recursive: true });
  } catch (error) {
    if (error instanceof ArchiveError) return error.fault;
    throw new Error(`${name} was refused with a fault of ours`, { cause: error });
  } finally {
    await rm(damaged, { force: true });
  }
  throw new Error(`${name} was not noticed`);
}
