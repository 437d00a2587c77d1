/** Processor time of processes, from `/proc` (Linux): what a busy machine does not blur. */
import { readFileSync, readdirSync } from 'node:fs';
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
    // The name, in brackets, may hold anything.
    const columns = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(columns[1]), ms: (Number(columns[11]) + Number(columns[12])) * TICK_MS };
  } catch {
    return null;
  }
}

/** Milliseconds that this process and everything it has started, and that still lives, have used so far. */
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
/** Of one processor: what rests does that much, and the looking itself some of it. */
const RESTS_BELOW = 0.2;
const RESTS_WITHIN_MS = 10_000;

/** Waits until this process and everything it has started do next to nothing. @throws Error when they never do */
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
