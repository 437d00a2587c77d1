/** Labels hold route templates, never a name, id or address. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { VERSION } from '@passwordbroker/core/contract/client';

interface Call {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** By metric name. */
export type Gauges = Readonly<Record<string, { readonly help: string; readonly value: number }>>;

interface SignInTried {
  readonly method: 'password' | 'passkey' | 'sso' | 'second_factor' | 'program';
  /** `succeeded`, `confirmed` or the code of the refusal. */
  readonly result: string;
}

export interface Metrics {
  count(call: Call): void;
  signIn(tried: SignInTried): void;
  print(gauges: Gauges): Promise<string>;
}

/** Upper bounds in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Histogram({
    name: 'passwordbroker_http_request_duration_seconds',
    help: 'Calls by route, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const signIns = new Counter({
    name: 'passwordbroker_sign_ins_total',
    help: 'Sign-ins, and second steps of them, by method and result.',
    labelNames: ['method', 'result'],
    registers,
  });
  let watchesProcess = false;
  return {
    count({ method, route, status, seconds }) {
      calls.observe({ method, route, status }, seconds);
    },
    signIn: (tried) => signIns.inc({ ...tried }),
    async print(gauges) {
      if (!watchesProcess) watchProcess(registry);
      watchesProcess = true;
      for (const [name, { help, value }] of Object.entries(gauges)) {
        const known = registry.getSingleMetric(name);
        const gauge = known instanceof Gauge ? known : new Gauge({ name, help, registers });
        gauge.set(value);
      }
      return registry.metrics();
    },
  };
}

function watchProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'passwordbroker_build_info',
    help: 'The version that runs.',
    labelNames: ['version'],
    registers: [registry],
  });
  build.set({ version: VERSION }, 1);
}
