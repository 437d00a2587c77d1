/**
 * How long a page keeps a phone from answering, by the processor time of its tasks: what Lighthouse calls Total Blocking Time is by the clock, which on a busy machine goes on
 * while somebody else has the processor.
 */

/** One event of a trace of Chromium; microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of its thread. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** A phone is so much slower than this machine (Lighthouse's own number). */
const SLOWER = 4;
/** A task up to that long is not felt. */
const UNFELT_MS = 50;

/** @returns milliseconds of the busiest page, all of its tasks counted, also those behind the last drawing */
export function blockingTime(trace: readonly TraceEvent[]): number {
  const thread = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const pages = new Set(
    trace.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(thread),
  );
  const tasks = new Map<string, number[]>();
  for (const event of trace) {
    if (event.ph !== 'X' || event.name !== 'RunTask' || !pages.has(thread(event))) continue;
    const own = tasks.get(thread(event)) ?? [];
    own.push(((event.tdur ?? 0) / 1000) * SLOWER);
    tasks.set(thread(event), own);
  }
  const total = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0);
  const [busiest = []] = [...tasks.values()].sort((a, b) => total(b) - total(a));
  return Math.round(total(busiest.map((time) => Math.max(0, time - UNFELT_MS))));
}
