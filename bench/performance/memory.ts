/** Memory that belongs to a process (Linux): what it shares with others counts in part. */
import { readFile } from 'node:fs/promises';

/** Megabytes. */
export async function proportionalSetSize(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? Number.NaN) / 1000;
}
