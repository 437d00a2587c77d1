/** One part of the local copy at work: does what its state asks for, and waits for the next turn (docs/spec/product.md §4, §9). */
import type { PartState } from '../offline.ts';
import { afterPartEvent, type PartEvent, type PartPace } from './parts.ts';

export interface PartWork {
  /** Looks at the stored part, every byte of it. */
  check(): Promise<'found' | 'missing' | 'corrupted'>;
  /** Downloads, checks, stores. */
  download(): Promise<void>;
  /** Asks the server whether there is something newer. */
  isStale(): Promise<boolean>;
  /** Whether the stored part is still the one that was looked at: another tab may have written. */
  isKnown(): Promise<boolean>;
}

export interface PartHost {
  /** False while there is nothing to be done: offline, or the keys are locked. */
  isReady(): boolean;
  /** Not in two tabs at once. @returns null where another tab is at it */
  exclusive<T>(work: () => Promise<T>): Promise<T | null>;
  /** A new state of the part. */
  show(state: PartState): void;
  begin(what: 'checking' | 'downloading'): void;
  /** Everything came, and could not be kept: the next download would most likely end as this one. */
  isInVain(failure: unknown): boolean;
  /** @param failure undefined: it went well */
  end(failure?: unknown): void;
}

export interface PartRunner {
  state(): PartState;
  send(event: PartEvent): void;
  /** Does now what would be done next. */
  look(): void;
  stop(): void;
}

const BUSY_MS = 1_000;
/** Doubles what is waited after each download in vain, up to this: a whole vault every few seconds is no retry. Whatever else fails is tried at the pace of the part. */
const LONGEST_MS = 300_000;
/** Browsers that lost one server do not all come back at one moment: of what is to be waited at most, this much less. */
const SPREAD = 0.2;

export function runPart(work: PartWork, host: PartHost, pace: PartPace): PartRunner {
  let state: PartState = 'not_loaded';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn: Promise<void> | null = null;
  let isStopped = false;
  let isAskedAgain = false;
  let inVain = 0;

  function send(event: PartEvent) {
    const next = afterPartEvent(state, event);
    if (next === state) return;
    state = next;
    if (!isStopped) host.show(state);
  }

  function later(milliseconds: number) {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(look, milliseconds);
  }

  function look() {
    if (turn !== null) {
      isAskedAgain = true;
      return;
    }
    clearTimeout(timer);
    turn = step()
      .then(later, () => later(pace.retry))
      .finally(() => {
        turn = null;
        if (isAskedAgain && !isStopped) later(0);
        isAskedAgain = false;
      });
  }

  /** @returns milliseconds to the next one */
  async function step(): Promise<number> {
    if (isStopped || !host.isReady()) return pace.retry;
    const waiting = await host.exclusive(async () => {
      if (state !== 'not_loaded' && !(await work.isKnown())) send('unloaded');
      if (state === 'not_loaded') await check();
      if (state === 'synchronized' && !isStopped && (await isStale())) send('update required');
      return state !== 'download_required' || (await download()) ? pace.check : spread(waitAfterFailure());
    });
    return waiting ?? BUSY_MS;
  }

  async function check() {
    host.begin('checking');
    try {
      const event = await work.check();
      host.end();
      send(event);
    } catch (failure) {
      host.end(failure);
      throw failure;
    }
  }

  /** A server that does not answer says nothing about the copy. */
  const isStale = () => work.isStale().catch(() => false);

  async function download(): Promise<boolean> {
    if (isStopped) return false;
    host.begin('downloading');
    try {
      await work.download();
      inVain = 0;
      host.end();
      send('saved');
      return true;
    } catch (failure) {
      inVain = host.isInVain(failure) ? inVain + 1 : 0;
      host.end(failure);
      return false;
    }
  }

  const waitAfterFailure = () => Math.min(LONGEST_MS, pace.retry * 2 ** Math.max(0, inVain - 1));

  return {
    state: () => state,
    send,
    look,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

const spread = (milliseconds: number) =>
  milliseconds * (1 - (SPREAD * (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0)) / 255);
