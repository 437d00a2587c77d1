/**
 * What the process measures, as Prometheus text: calls by route, method and status, and the process itself. Routes are templates: no name, id or
 * address is in it. The library is loaded with the first call that is over, so that nobody waits for it at the start.
 */
import type { Gauge, Histogram, Registry } from 'prom-client';
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
  readonly calls: Histogram<'method' | 'route' | 'status'>;
  readonly Gauge: typeof Gauge;
}

export function openMetrics(): Metrics {
  let loading: Promise<Instruments> | null = null;
  const instruments = () => (loading ??= load());
  return {
    count({ method, route, status, seconds }) {
      void instruments().then(({ calls }) => calls.observe({ method, route, status }, seconds));
    },
    async print(gauges) {
      const { registry, Gauge: NewGauge } = await instruments();
      for (const [name, { help, value }] of Object.entries(gauges)) {
        const known = registry.getSingleMetric(name);
        const gauge = known instanceof NewGauge ? known : new NewGauge({ name, help, registers: [registry] });
        gauge.set(value);
      }
      return registry.metrics();
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
  const calls = new library.Histogram({
    name: 'passwordbroker_http_request_duration_seconds',
    help: 'Calls by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return { registry, calls, Gauge: library.Gauge };
}
