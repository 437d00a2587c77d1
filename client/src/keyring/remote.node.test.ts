import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { Port } from '../platform.ts';
import { connect, serve, type Services } from './remote.ts';

const STEPS = 1000;
const WHAT = { handle: 1, rootName: 'keepass', without: [] };

test('a thousand progress steps at once are throttled: the first and last are reported, in order and before the answer', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const sealImport: Services['sealImport'] = async (_, { onProgress }) => {
    for (let done = 1; done <= STEPS; done += 1) onProgress({ phase: 'sealing', done, total: STEPS });
    return { parts: [] };
  };
  serve(port1 as unknown as Port, { sealImport } as Services, () => ({ code: 'internal' }));
  const told: number[] = [];
  await connect(port2 as unknown as Port).call('sealImport', WHAT, { onProgress: ({ done }) => told.push(done) });
  expect([told[0], told.at(-1)]).toEqual([1, STEPS]);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(told.length).toBeLessThan(STEPS / 10);
});

/** A worker that answers with the group's id, and all messages in both directions. */
function echoing(answer: (groupId: string) => Promise<unknown>) {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const sent: unknown[][] = [];
  const counting = (port: typeof port1): Port => ({
    set onmessage(listener: Port['onmessage']) {
      port.on('message', (data: unknown) => listener?.({ data } as MessageEvent));
    },
    postMessage(message, transfer = []) {
      port.postMessage(message, transfer as never);
      sent.push(message as unknown[]);
    },
  });
  const mayUnasked: Services['mayUnasked'] = ({ groupId }) => answer(groupId) as Promise<boolean>;
  serve(counting(port1), { mayUnasked } as Services, () => ({ code: 'internal' }));
  const remote = connect(counting(port2));
  return { sent, ask: (groupId: unknown) => remote.call('mayUnasked', { groupId: groupId as string }) };
}

test('calls of one turn share a message, and so do their answers', async () => {
  const { ask, sent } = echoing((groupId) => Promise.resolve(groupId));
  const names = Array.from({ length: 100 }, (_, at) => `group ${at}`);
  expect(await Promise.all(names.map(ask))).toEqual(names);
  expect(sent.map((messages) => messages.length)).toEqual([100, 100]);
});

test('a call or answer that cannot be cloned fails alone', async () => {
  const { ask } = echoing((groupId) => Promise.resolve(groupId === 'uncopied' ? () => groupId : groupId));
  const outcomes = await Promise.allSettled(['first', () => 'none', 'uncopied', 'last'].map(ask));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(outcomes[2]).toMatchObject({ reason: { code: 'internal' } });
  expect(outcomes[3]).toMatchObject({ value: 'last' });
});

test('an answer does not wait for a slower one', async () => {
  let end: (() => void) | undefined;
  const { ask } = echoing((groupId) =>
    groupId === 'slow' ? new Promise<void>((resolve) => (end = resolve)) : Promise.resolve(groupId),
  );
  const slow = ask('slow');
  expect(await ask('quick')).toBe('quick');
  end?.();
  await slow;
});
