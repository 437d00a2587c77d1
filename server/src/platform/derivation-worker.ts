/** The thread of `derivation-threads.ts`: derives one after the other. */
import { parentPort } from 'node:worker_threads';
import { hashRawSync, hashSync, verifySync } from '@node-rs/argon2';
import type { Derived, Wanted } from './derivation-threads.ts';

function derive(wanted: Wanted): Buffer | string | boolean {
  if (wanted.kind === 'verify') return verifySync(wanted.phc, wanted.password);
  if (wanted.kind === 'hash') return hashSync(wanted.password, wanted.options);
  try {
    return hashRawSync(wanted.password, wanted.options);
  } finally {
    wanted.password.fill(0);
    wanted.options.salt?.fill(0);
  }
}

parentPort?.on('message', (wanted: Wanted) => {
  let derived: Derived;
  try {
    derived = { value: derive(wanted) };
  } catch (error) {
    derived = { failure: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(derived);
  // What was posted is a copy.
  if ('value' in derived && derived.value instanceof Uint8Array) derived.value.fill(0);
});
