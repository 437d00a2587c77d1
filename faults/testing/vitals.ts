/** Memory, descriptors and threads of a process, and the files of its data folder besides the vault. */
import { readdirSync, readFileSync } from 'node:fs';
import type { RunningServer } from '../../e2e/testing/server/server.ts';

export interface Vitals {
  readonly memoryMb: number;
  readonly descriptors: number;
  readonly threads: number;
  /** Files of the data folder without the stored bodies, by name. */
  readonly files: readonly string[];
}

export function vitalsOf(server: Pick<RunningServer, 'pid' | 'dataDir'>): Vitals {
  const status = readFileSync(`/proc/${server.pid()}/status`, 'utf8');
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    memoryMb: number('VmRSS') / 1024,
    descriptors: readdirSync(`/proc/${server.pid()}/fd`).length,
    threads: number('Threads'),
    files: (readdirSync(server.dataDir, { recursive: true }) as string[]).filter((name) => !/[0-9a-f]{64}/.test(name)),
  };
}

/** The quantile of the values for that share. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
