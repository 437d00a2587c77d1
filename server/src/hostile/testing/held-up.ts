import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestAnswer, TestClient, TestRequest } from '../../testing/test-client.ts';

const BUDGET_MS = 50;
/** Other load delays some tries; blocking code delays all. */
const TRIES = 25;
const PAUSE_MS = 200;
export const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
export const JSON_TYPE = { 'content-type': 'application/json' };

/** Returns ms: the best of `TRIES`, or the first value below `most`. */
async function heldUpBy(
  send: () => Promise<TestAnswer>,
  most: number,
): Promise<{ readonly ms: number; readonly answer: TestAnswer }> {
  let best: { readonly ms: number; readonly answer: TestAnswer } | null = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (attempt > 0) await wait(PAUSE_MS);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await wait(5);
    delay.reset();
    const answer = await send();
    await wait(5);
    delay.disable();
    const ms = delay.max / 1e6;
    if (best === null || ms < best.ms) best = { ms, answer };
    if (ms < most) break;
  }
  if (best === null) throw new Error('No request was sent');
  return best;
}

/** Expects a status, and a block below 50 ms plus twice that of a harmless body of the same size. */
export async function expectCheap(
  request: TestRequest,
  client: Pick<TestClient, 'request'>,
  statuses: readonly number[],
): Promise<TestAnswer> {
  const size = Buffer.byteLength(String(request.raw));
  const isForm = request.headers?.['content-type'] === FORM['content-type'];
  const plain = isForm ? `email=${'a'.repeat(size)}` : JSON.stringify({ email: 'a'.repeat(size), rewraps: 'x' });
  const control = await heldUpBy(() => client.request({ ...request, raw: plain }), BUDGET_MS);
  const most = BUDGET_MS + 2 * control.ms;
  const { ms, answer } = await heldUpBy(() => client.request(request), most);
  expect(statuses, answer.text.slice(0, 500)).toContain(answer.status);
  expect(ms).toBeLessThan(most);
  return answer;
}
