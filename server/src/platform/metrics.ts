/**
 * What the process measures, as Prometheus text: calls by route, method and status, and the process itself. Routes are templates: no name, id or
 * address is in it. Calls are counted here, because every one of them is; the library for the rest is loaded when somebody asks.
 */
import type { Gauge, Registry } from 'prom-client';
import { VERSION } from '../version.ts';

interface Call {
  readonly method: string;
  /** Template of the route, never the address. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** Numbers that are looked up when somebody asks, by the name of their metric, with a sentence about each. */
export type Gauges = Readonly<Record<string, { readonly help: string; readonly value: number }>>;

export interface Metrics {
  /** Counts a call that is over. */
  count(call: Call): void;
  /** All of it now. */
  print(gauges: Gauges): Promise<string>;
}

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Instruments {
  readonly registry: Registry;
  readonly Gauge: typeof Gauge;
}

export function openMetrics(): Metrics {
  let loading: Promise<Instruments> | null = null;
  const instruments = () => (loading ??= load());
  const calls = new Map<string, Counted>();
  return {
    count({ method, route, status, seconds }) {
      const labels = `method="${method}",route="${route}",status="${status}"`;
      let counted = calls.get(labels);
      if (counted === undefined) calls.set(labels, (counted = { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 }));
      const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1;
      counted.sum += seconds;
      counted.count += 1;
    },
    async print(gauges) {
      const { registry, Gauge: NewGauge } = await instruments();
      for (const [name, { help, value }] of Object.entries(gauges)) {
        const known = registry.getSingleMetric(name);
        const gauge = known instanceof NewGauge ? known : new NewGauge({ name, help, registers: [registry] });
        gauge.set(value);
      }
      return `${await registry.metrics()}\n${printCalls(calls)}`;
    },
  };
}

async function load(): Promise<Instruments> {
  const { default: library } = await import('prom-client');
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  const build = new library.Gauge({
    name: 'passwordbroker_build_info',
    help: 'The version that runs.',
    labelNames: ['version'],
    registers: [registry],
  });
  build.set({ version: VERSION }, 1);
  return { registry, Gauge: library.Gauge };
}

/** Calls of one kind; each bucket counts those above the bound before it. */
interface Counted {
  readonly buckets: number[];
  sum: number;
  count: number;
}

const CALLS = 'passwordbroker_http_request_duration_seconds';

/** A histogram in the text format of Prometheus. Labels are templates and methods: nothing in them needs a quote. */
function printCalls(calls: ReadonlyMap<string, Counted>): string {
  const lines = [`# HELP ${CALLS} Calls by route, method and status.`, `# TYPE ${CALLS} histogram`];
  for (const [labels, { buckets, sum, count }] of calls) {
    let below = 0;
    for (const [at, bound] of BUCKETS.entries()) {
      below += buckets[at] ?? 0;
      lines.push(`${CALLS}_bucket{le="${bound}",${labels}} ${below}`);
    }
    lines.push(`${CALLS}_bucket{le="+Inf",${labels}} ${count}`);
    lines.push(`${CALLS}_sum{${labels}} ${sum}`, `${CALLS}_count{${labels}} ${count}`);
  }
  return `${lines.join('\n')}\n`;
}
