/** Memory of a process while it works. */
import { readFile } from 'node:fs/promises';

/** Resident memory of a live process in megabytes, otherwise null (Linux). */
async function residentOf(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kib] = /VmRSS:\s+(\d+) kB/.exec(status) ?? [];
  return kib === undefined ? null : Number(kib) / 1024;
}

const LOOK_EVERY = 100;

/** Peak memory of the process while `work` runs, in megabytes. */
export async function peakDuring<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly peak: number; readonly value: T }> {
  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, (await residentOf(pid)) ?? 0);
  };
  await look();
  const timer = setInterval(() => void look(), LOOK_EVERY);
  try {
    const value = await work();
    await look();
    return { peak, value };
  } finally {
    clearInterval(timer);
  }
}
