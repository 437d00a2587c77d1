/** Locking: what drops the keys, and what happens to pending calls (M32). */
import { expect, test } from 'vitest';
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import { GROUP, MASTER_PASSWORD, PLACE, withOwnKeyring } from '../../testing/own-keyring.node.ts';
import { sourcesOf } from '../../testing/group-sources.ts';
import { tabsOfOneBrowser } from '../../testing/tabs-of-one-browser.ts';

const { open, unlocked, openWithWorkers, rosterOf, sealed } = withOwnKeyring();

test('CL8 locking rejects pending calls, drops every key, and notifies listeners once', async () => {
  const keyring = await unlocked();
  const roster = await rosterOf(keyring);
  await keyring.openGroup(
    GROUP,
    sourcesOf(() => Promise.resolve(roster)),
  );
  const envelope = await sealed(keyring);
  let told = 0;
  keyring.onLocked(() => (told += 1));
  const waiting = keyring.call('openEnvelope', { place: PLACE, envelope });
  keyring.lock();
  keyring.lock();
  await expect(waiting).rejects.toMatchObject({ code: 'locked' });
  expect([keyring.isOpen(), told]).toEqual([false, 1]);
  await expect(keyring.call('openEnvelope', { place: PLACE, envelope })).rejects.toMatchObject({ code: 'locked' });
  await keyring.unlock(MASTER_PASSWORD);
  await expect(keyring.call('openEnvelope', { place: PLACE, envelope })).rejects.toMatchObject({
    code: 'key_mismatch',
  });
});

test('locking one tab locks all tabs, and the end of the session locks too', async () => {
  const tabs = tabsOfOneBrowser();
  const [here, there] = [open({ tabs: tabs.open() }), open({ tabs: tabs.open() })];
  await here.unlock(MASTER_PASSWORD);
  await there.unlock(MASTER_PASSWORD);
  here.lock();
  expect([here.isOpen(), there.isOpen()]).toEqual([false, false]);
  await there.unlock(MASTER_PASSWORD);
  there.endSession();
  expect(there.isOpen()).toBe(false);
});

test('a tab that was never unlocked locks the other tabs too', async () => {
  const tabs = tabsOfOneBrowser();
  const [here, there] = [open({ tabs: tabs.open() }), open({ tabs: tabs.open() })];
  await there.unlock(MASTER_PASSWORD);
  here.lock();
  expect(there.isOpen()).toBe(false);
});

test('a crashed worker rejects pending calls and locks; the next unlock starts a new worker', async () => {
  const { keyring, workers } = await openWithWorkers();
  let told = 0;
  keyring.onLocked(() => (told += 1));
  const waiting = rosterOf(keyring);
  workers[0]?.onerror?.({ preventDefault: () => undefined } as ErrorEvent);
  await expect(waiting).rejects.toMatchObject({ code: 'crashed' });
  expect([keyring.isOpen(), told]).toEqual([false, 1]);
  await keyring.unlock(MASTER_PASSWORD);
  expect([keyring.isOpen(), workers.length]).toEqual([true, 2]);
});

test('a late error event of a replaced worker does not affect its successor', async () => {
  const { keyring, workers } = await openWithWorkers();
  keyring.lock();
  await keyring.unlock(MASTER_PASSWORD);
  workers[0]?.onerror?.({ preventDefault: () => undefined } as ErrorEvent);
  expect(keyring.isOpen()).toBe(true);
});

test.each(['by hand', 'by another tab'])(
  'CL8 locked %s while the keys are fetched: nothing opens afterwards',
  async (how) => {
    const tabs = tabsOfOneBrowser();
    const [here, there] = [open({ tabs: tabs.open() }), open({ tabs: tabs.open() })];
    const opening = here.unlock(MASTER_PASSWORD);
    (how === 'by hand' ? here : there).lock();
    await expect(opening).rejects.toMatchObject({ code: 'locked' });
    expect(here.isOpen()).toBe(false);
  },
);

test('after a second unlock, a group is opened again in the worker that now holds the keys', async () => {
  const keyring = await unlocked();
  const roster = await rosterOf(keyring);
  await keyring.openGroup(
    GROUP,
    sourcesOf(() => Promise.resolve(roster)),
  );
  await keyring.unlock(MASTER_PASSWORD);
  await keyring.openGroup(
    GROUP,
    sourcesOf(() => Promise.resolve(roster)),
  );
  expect(await sealed(keyring)).toMatchObject({ gk_version: 1 });
});

test('an aborted reveal does not abort another one that waits for the same group', async () => {
  const keyring = await unlocked();
  const roster = await rosterOf(keyring);
  let answer = () => undefined as void;
  const fetched = new Promise<RosterAnswer>((resolve) => (answer = () => resolve(roster)));
  const stop = new AbortController();
  const given = keyring.openGroup(
    GROUP,
    sourcesOf(() => fetched),
    stop.signal,
  );
  const other = keyring.openGroup(
    GROUP,
    sourcesOf(() => fetched),
    new AbortController().signal,
  );
  stop.abort(new DOMException('gone', 'AbortError'));
  await expect(given).rejects.toMatchObject({ message: 'gone' });
  answer();
  expect(await other).toBe(1);
});

test('an aborted call rejects with the reason of the abort', async () => {
  const keyring = await unlocked();
  const roster = await rosterOf(keyring);
  await keyring.openGroup(
    GROUP,
    sourcesOf(() => Promise.resolve(roster)),
  );
  const envelope = await sealed(keyring);
  const stop = new AbortController();
  const waiting = keyring.call('openEnvelope', { place: PLACE, envelope }, { signal: stop.signal });
  stop.abort(new DOMException('gone', 'AbortError'));
  await expect(waiting).rejects.toMatchObject({ message: 'gone' });
});
