/** Processor time and memory of processes, from `/proc` (Linux). */
import { readFileSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

interface Seen {
  readonly parent: number;
  readonly ms: number;
}

function look(pid: number): Seen | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may contain any character.
    const columns = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(columns[1]), ms: (Number(columns[11]) + Number(columns[12])) * TICK_MS };
  } catch {
    return null;
  }
}

/** Milliseconds of processor time of a process and its living descendants so far. */
export function processorTime(pid: number): number {
  const all = new Map<number, Seen>();
  for (const name of readdirSync('/proc')) {
    const seen = /^\d+$/.test(name) ? look(Number(name)) : null;
    if (seen !== null) all.set(Number(name), seen);
  }
  const isBelow = (one: number): boolean => {
    if (one === pid) return true;
    const parent = all.get(one)?.parent;
    return parent !== undefined && parent !== 0 && isBelow(parent);
  };
  return [...all].reduce((sum, [one, { ms }]) => (isBelow(one) ? sum + ms : sum), 0);
}

const LOOK_MS = 200;
/** Share of one processor below which the processes are idle. */
const RESTS_BELOW = 0.2;
const RESTS_WITHIN_MS = 10_000;

/** Waits until this process and its descendants are idle. @throws Error if they are not within 10 s */
export async function untilAtRest(): Promise<void> {
  const begun = performance.now();
  for (let before = processorTime(process.pid); ;) {
    const from = performance.now();
    await setTimeout(LOOK_MS);
    const now = processorTime(process.pid);
    if ((now - before) / (performance.now() - from) < RESTS_BELOW) return;
    if (from - begun > RESTS_WITHIN_MS) throw new Error('What this process has started does not come to rest.');
    before = now;
  }
}

/** Megabytes of a process: resident now and at the peak; `share` counts pages in common with others in part (PSS). */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number; share: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const maps = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (text: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1000;
  return { now: megabytes(status, 'VmRSS'), peak: megabytes(status, 'VmHWM'), share: megabytes(maps, 'Pss') };
}

/** Resets the peak. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
