/** Threads for work that would keep the event loop from everyone else. */
import { Worker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';

/**
 * Starts the thread whose entry file is `{name}.ts` beside the caller, whose `import.meta.url` is `beside`. In the bundle it is `{name}.js` beside the
 * bundle; from source it goes through the TypeScript loader, which a new thread does not inherit from every test runner.
 */
export function startThread(name: string, beside: string, options: WorkerOptions): Worker {
  if (!beside.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, beside), options);
  const loader = new URL('./source-thread.mjs', import.meta.url);
  return new Worker(loader, { ...options, argv: [new URL(`./${name}.ts`, beside).href] });
}
