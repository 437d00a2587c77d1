/** docs/spec/product.md §4, §8 */
import { type ComponentType, lazy } from 'react';

export const CHUNK_TIMEOUT_MS = 120_000;

/** `missing`: the server no longer has the file, because it was updated. */
export type ChunkFailure = 'missing' | 'timeout' | 'error';

export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
  readonly type: ChunkFailure;
  /** Empty if the browser does not tell it. */
  readonly address: string;

  constructor(id: string, type: ChunkFailure, address: string, options?: ErrorOptions) {
    super(`Loading chunk ${id} failed.\n(${address === '' ? type : `${type}: ${address}`})`, options);
    this.type = type;
    this.address = address;
  }
}

/** Messages of Chromium, Firefox, Safari and the bundler about a file that does not load. */
const NOT_ARRIVED = /dynamically imported module|importing a module script failed|unable to preload/i;
const ADDRESS = /\S+\.(?:js|css|tsx?)(?:\?\S*)?/;

/** A part that loads within this time shows no notice. */
const LATE_MS = 100;

const listeners = new Set<() => void>();
let waited = 0;

/** Whether a person is waiting for a part. */
export const lateChunks = {
  any: () => waited > 0,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function countWaited(by: 1 | -1) {
  waited += by;
  for (const listener of listeners) listener();
}

/** @throws ChunkLoadError if it does not load; errors of its own code */
export async function loadChunk<Module>(id: string, load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    countWaited(1);
  }, LATE_MS);
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(id, 'timeout', '')), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), tooLate]);
  } catch (failure) {
    if (!(failure instanceof Error) || !NOT_ARRIVED.test(failure.message)) throw failure;
    const address = ADDRESS.exec(failure.message)?.[0] ?? '';
    throw new ChunkLoadError(id, await whyNotArrived(address), address, { cause: failure });
  } finally {
    clearTimeout(timer);
    clearTimeout(late);
    if (isLate) countWaited(-1);
  }
}

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** A component whose code loads when it is shown first. */
export const lazyPart = <const Name extends string, Module extends Record<Name, unknown>>(
  name: Name,
  load: () => Promise<Module>,
) => lazy(async () => ({ default: (await loadChunk(name, load))[name] as ComponentType<PropsOf<Module[Name]>> }));

async function whyNotArrived(address: string): Promise<ChunkFailure> {
  if (address === '') return 'error';
  try {
    const { status } = await fetch(address, { method: 'HEAD', cache: 'no-store' });
    return status === 404 ? 'missing' : 'error';
  } catch {
    return 'error';
  }
}
