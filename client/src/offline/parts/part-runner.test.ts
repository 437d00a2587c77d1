/** One part with a simulated store and server: what it does next, and when. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PartName, PartState } from '../offline.ts';
import { runPart, type PartHost, type PartRunner, type PartWork } from './part-runner.ts';
import { PACES } from './parts.ts';

let stored: 'found' | 'missing' | 'corrupted';
let isStale: boolean;
let failure: Error | null;
let isKnown: boolean;
let isReady: boolean;
let isBusy: boolean;
const full = new Error('no room');
let done: string[];
let states: PartState[];
let runner: PartRunner;

const work: PartWork = {
  async check() {
    done.push('check');
    return stored;
  },
  async download() {
    done.push('download');
    if (failure !== null) throw failure;
    stored = 'found';
    isStale = false;
    isKnown = true;
  },
  async isStale() {
    done.push('ask');
    return isStale;
  },
  isKnown: async () => isKnown,
};
const host: PartHost = {
  isReady: () => isReady,
  exclusive: async (task) => (isBusy ? null : task()),
  show: (state) => void states.push(state),
  begin: () => undefined,
  isInVain: (problem) => problem === full,
  end: (problem) => {
    if (problem !== undefined) done.push('failed');
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  [stored, isStale, failure, isKnown, isReady, isBusy] = ['missing', false, null, true, true, false];
  [done, states] = [[], []];
});
afterEach(() => {
  runner.stop();
  vi.useRealTimers();
});

function start(name: PartName = 'database') {
  runner = runPart(work, host, PACES[name]);
  runner.look();
}
const downloads = () => done.filter((what) => what === 'download').length;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a part', () => {
  test('that is missing is downloaded at once, then checked about every five seconds', async () => {
    start();
    await pass(0);
    expect(done).toEqual(['check', 'download']);
    expect(states).toEqual(['download_required', 'synchronized']);
    await pass(4_999);
    expect(done).toHaveLength(2);
    await pass(1);
    await pass(5_000);
    expect(done.slice(2)).toEqual(['ask', 'ask']);
    isStale = true;
    await pass(5_000);
    expect(done.slice(4)).toEqual(['ask', 'download']);
    expect(states).toEqual(['download_required', 'synchronized', 'download_required', 'synchronized']);
  });

  test('that is complete is not downloaded; a corrupted one is', async () => {
    stored = 'found';
    start();
    await pass(0);
    expect(done).toEqual(['check', 'ask']);
    runner.stop();
    stored = 'corrupted';
    start();
    await pass(0);
    expect(done.slice(2)).toEqual(['check', 'download']);
  });

  test.each<[PartName, number]>([
    ['key', 30_000],
    ['database', 5_000],
    ['salt', 5_000],
  ])(
    'the %s cannot be downloaded: it is never synchronized, and retried every %i ms or a little sooner without limit',
    async (name, every) => {
      failure = new Error('away');
      start(name);
      await pass(30 * every);
      expect(downloads()).toBeGreaterThanOrEqual(31);
      expect(downloads()).toBeLessThanOrEqual(1 + 30 / 0.8);
      expect(states).toEqual(['download_required']);
      failure = null;
      await pass(every);
      expect(runner.state()).toBe('synchronized');
    },
  );

  test('that cannot be stored is retried with a delay of up to five minutes; after another error at the normal pace', async () => {
    failure = full;
    start();
    await pass(0);
    await pass(5_000);
    await pass(10_000);
    expect(downloads()).toBe(3);
    await pass(3_600_000);
    expect(downloads()).toBeLessThan(3 + 3_600 / 240 + 6);
    failure = new Error('away');
    await pass(300_000);
    const before = downloads();
    await pass(50_000);
    expect(downloads() - before).toBeGreaterThanOrEqual(10);
  });

  test('stays as it is when the server does not answer the check', async () => {
    stored = 'found';
    start();
    await pass(0);
    const asked = vi.spyOn(work, 'isStale').mockRejectedValue(new Error('away'));
    await pass(20_000);
    expect(runner.state()).toBe('synchronized');
    asked.mockRestore();
  });

  test('that another tab has written is checked again; one that another tab is writing is left alone', async () => {
    stored = 'found';
    start();
    await pass(0);
    isKnown = false;
    await pass(5_000);
    expect(done).toEqual(['check', 'ask', 'check', 'ask']);
    isKnown = true;
    isBusy = true;
    await pass(10_000);
    expect(done).toHaveLength(4);
  });

  test('does nothing while the keys are locked or the page is offline, nor after it is stopped', async () => {
    isReady = false;
    start();
    await pass(60_000);
    expect(done).toEqual([]);
    isReady = true;
    runner.look();
    await pass(0);
    expect(runner.state()).toBe('synchronized');
    runner.stop();
    done = [];
    await pass(60_000);
    expect(done).toEqual([]);
  });

  test('that could not be used is downloaded again', async () => {
    stored = 'found';
    start();
    await pass(0);
    runner.send('switching failed');
    expect(runner.state()).toBe('download_required');
    await pass(5_000);
    expect(done).toEqual(['check', 'ask', 'download']);
  });
});
