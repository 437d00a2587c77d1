/** How many key derivations this machine can bear at once: each takes 64 MiB and a core (`crypto.md` §17). */
import { availableParallelism, totalmem } from 'node:os';
import type { Room } from './semaphore.ts';

const MEMORY_EACH = 256 * 1024 * 1024;
const AT_ONCE = 8;
const WAITING = 32;
/** Half of what scripts usually wait for an answer. */
const PATIENCE_MS = 15_000;

export interface Machine {
  readonly cores: number;
  /** Bytes that this process may use. */
  readonly memory: number;
}

/** min(cores, ⌊memory / 256 MiB⌋, 8) at once, at least one; 32 wait, a quarter of a minute each; the rest is told to come again. */
export function derivationLimits({ cores, memory }: Machine): Required<Room> {
  const atOnce = Math.max(1, Math.min(cores, Math.floor(memory / MEMORY_EACH), AT_ONCE));
  return { atOnce, waiting: WAITING, patience: PATIENCE_MS };
}

/** This machine, or the part of it that a container grants. */
export function thisMachine(): Machine {
  const granted = process.constrainedMemory();
  return { cores: availableParallelism(), memory: granted > 0 ? Math.min(granted, totalmem()) : totalmem() };
}
