/** The thread of `derivation-thread.ts`: derives one after the other. */
import { parentPort } from 'node:worker_threads';
import { hashRawSync, hashSync, verifySync } from '@node-rs/argon2';
import { READY } from './derivation-thread.ts';
import type { Derived, Wanted } from './derivation-thread.ts';

function derive(wanted: Wanted): Uint8Array<ArrayBuffer> | string | boolean {
  if (wanted.kind === 'verify') return verifySync(wanted.phc, wanted.password);
  if (wanted.kind === 'hash') return hashSync(wanted.password, wanted.options);
  try {
    const raw = hashRawSync(wanted.password, wanted.options);
    // In memory of its own, which can be handed over.
    const key = new Uint8Array(raw);
    raw.fill(0);
    return key;
  } finally {
    wanted.password.fill(0);
  }
}

function answer(wanted: Wanted): Derived {
  try {
    return { value: derive(wanted) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on('message', (wanted: Wanted) => {
  const derived = answer(wanted);
  const isKey = 'value' in derived && derived.value instanceof Uint8Array;
  parentPort?.postMessage(derived, isKey ? [(derived.value as Uint8Array<ArrayBuffer>).buffer] : []);
});
// What cannot be read is answered by nobody: the end of the thread tells whoever waits.
parentPort?.on('messageerror', () => process.exit(1));
parentPort?.postMessage(READY);
