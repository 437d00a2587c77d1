import { Worker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';

/**
 * Starts the worker `{name}.ts` next to `beside`, the caller's `import.meta.url`; in the bundle `{name}.js`.
 */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  if (!beside.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, beside), options);
  const loader = new URL('./source-thread.mjs', import.meta.url);
  return new Worker(loader, { ...options, argv: [new URL(`./${name}.ts`, beside).href] });
}
