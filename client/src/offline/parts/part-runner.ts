/** Checks, downloads and waits for one part of the copy, as its state demands. */
import type { PartState } from '../offline.ts';
import { afterPartEvent, type PartEvent, type PartPace } from './parts.ts';

export interface PartWork {
  /** Verifies every byte. */
  check(): Promise<'found' | 'missing' | 'corrupted'>;
  download(): Promise<void>;
  isStale(): Promise<boolean>;
  /** Another tab may have written since `check`. */
  isKnown(): Promise<boolean>;
}

export interface PartHost {
  /** False while offline or locked. */
  isReady(): boolean;
  /** Returns null if another tab holds the lock. */
  exclusive<T>(work: () => Promise<T>): Promise<T | null>;
  show(state: PartState): void;
  begin(what: 'checking' | 'downloading'): void;
  /** A retry would most likely fail too. */
  isInVain(failure: unknown): boolean;
  /** @param failure undefined: success */
  end(failure?: unknown): void;
}

export interface PartRunner {
  state(): PartState;
  send(event: PartEvent): void;
  look(): void;
  stop(): void;
}

const BUSY_MS = 1_000;
/** Longest delay between two downloads; it doubles after each failed one. */
const LONGEST_MS = 300_000;
/** Random share of the delay, so that browsers do not return all at once. */
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

  /** @returns milliseconds to the next step */
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

  /** Without a response the copy counts as current. */
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
