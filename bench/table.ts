/** Prints measurements as a table; numbers come with their unit in the column's name. */
export function printTable(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: string | number | undefined) =>
    typeof value === 'number' ? value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0) : (value ?? '');
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => cell(row[column]).length)));
  const line = (cells: readonly string[]) => `| ${cells.map((text, at) => text.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  console.log(`\n${title}`);
  console.log(line(columns));
  console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  for (const row of rows) console.log(line(columns.map((column) => cell(row[column]))));
}

/** The value below which `share` (0..1) of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Memory of a process in megabytes: resident now and at its peak, and its share of what it has in common with others (Linux). */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number; share: number }> {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const maps = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (text: string, name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1000;
  return { now: megabytes(status, 'VmRSS'), peak: megabytes(status, 'VmHWM'), share: megabytes(maps, 'Pss') };
}

/** From here on the peak is counted anew (Linux). */
export async function forgetPeak(pid: number): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}
