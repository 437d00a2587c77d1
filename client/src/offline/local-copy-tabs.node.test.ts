/** Two tabs of one browser share one copy; a setting in one tab applies to the other at once. */
import { describe, expect, test, vi } from 'vitest';
import { keptCopy } from '../testing/kept-copy.node.ts';
import type { OfflineTestPage } from '../testing/offline-page.node.ts';
import { newDevice } from '../testing/offline-page.node.ts';
import { tabsOfOneBrowser } from '../testing/tabs-of-one-browser.ts';

const { kept, openOn, synchronized } = keptCopy();

async function twoTabs() {
  const device = newDevice();
  const browser = tabsOfOneBrowser();
  const person = await kept.app.signIn(kept.ada);
  const open = async () => {
    const tab = await openOn(device, { tabs: browser.open(), person });
    await tab.unlock();
    return tab;
  };
  const [one, other] = [await open(), await open()];
  return { device, one, other, record: () => device.copies.kept.records.get(one.name) };
}
const agree = (other: OfflineTestPage, expected: object) =>
  vi.waitFor(() => expect(other.state()).toMatchObject(expected), 20_000);

test('a copy enabled in one tab is enabled in the other, which downloads nothing again', async () => {
  const { one, other, device } = await twoTabs();
  await one.engine.enable();
  await synchronized(one);
  await agree(other, { enabled: true });
  await synchronized(other);
  expect(device.copies.kept.pieces.get(one.name)).toHaveLength(1);
  await vi.waitFor(() => expect(other.state().copyOf).toBe(one.state().copyOf), 20_000);
});

test("a copy enabled in both tabs at once exists once, and neither tab removes the other's data", async () => {
  const { one, other, device, record } = await twoTabs();
  await Promise.all([one.engine.enable(), other.engine.enable()]);
  for (const tab of [one, other]) await synchronized(tab);
  const key = record()?.key?.digest;
  expect([device.copies.kept.records.size, key]).toEqual([1, expect.any(String)]);
});

test('enabling a copy that another tab enabled unnoticed keeps its settings and data', async () => {
  const { device, one, record } = await twoTabs();
  await one.engine.enable();
  await synchronized(one);
  await one.engine.setFileLimit(50_000);
  await one.engine.setKeepAtLogout(true);
  const before = record();
  // This page found no copy when it opened, and receives no messages of the other tab.
  const deaf = await openOn(newDevice(), { person: await kept.app.signIn(kept.ada) });
  Object.assign(deaf.device.copies, { ...device.copies });
  await deaf.unlock();
  await deaf.engine.enable();
  expect(deaf.state()).toMatchObject({ enabled: true, fileLimit: 50_000, keepAtLogout: true });
  expect(record()?.key?.digest).toBe(before?.key?.digest);
  await synchronized(deaf);
  expect(device.copies.kept.pieces.get(one.name)).toHaveLength(1);
});

test('enabling a copy while its owner logs out in another tab leaves nothing', async () => {
  const { one, other, device } = await twoTabs();
  const whole = { ...device.copies };
  device.copies.create = async (...made) => {
    await other.session.logOut();
    return whole.create(...made);
  };
  await one.engine.enable();
  await vi.waitFor(() => expect(device.copies.kept.records.size).toBe(0), 20_000);
  expect(one.state()).toMatchObject({ enabled: false });
});

test('the file limit, keeping at logout and switching off apply to the other tab', async () => {
  const { one, other, device } = await twoTabs();
  await one.engine.enable();
  await synchronized(one);
  await one.engine.setFileLimit(1_000_000);
  await agree(other, { fileLimit: 1_000_000, keepAtLogout: false });
  await other.engine.setKeepAtLogout(true);
  await agree(one, { fileLimit: 1_000_000, keepAtLogout: true });
  await other.engine.disable();
  await agree(one, {
    enabled: false,
    fileLimit: 0,
    keepAtLogout: false,
    copyOf: null,
    problem: null,
    syncMode: 'await',
  });
  expect(device.copies.kept.records.size).toBe(0);
});

test('persistent storage is requested when the copy is enabled, and the answer is shown', async () => {
  const { one } = await twoTabs();
  expect(one.state().isLasting).toBeNull();
  await one.engine.enable();
  await agree(one, { isLasting: true });
  await one.engine.disable();
  expect(one.state().isLasting).toBeNull();
});

describe('a copy removed in one tab while the other works from it', () => {
  async function opened() {
    const { one, other } = await twoTabs();
    await one.engine.enable();
    await synchronized(one);
    await agree(other, { enabled: true });
    await other.engine.switchToOffline();
    return { one, other };
  }

  test('the other tab continues with the server', async () => {
    const { one, other } = await opened();
    await one.engine.disable();
    await agree(other, { enabled: false, databaseMode: 'online', copyOf: null });
    expect(other.engine.vault()).toBeNull();
    await vi.waitFor(() => expect(other.session.view().sessionId).not.toBeNull(), 20_000);
    expect(await other.real.vault.read.tree()).toBeDefined();
  });

  test('the other tab is locked if the server does not answer', async () => {
    const { one, other } = await opened();
    other.setAway(true);
    await one.engine.disable();
    await agree(other, { enabled: false, databaseMode: 'online' });
    expect(other.engine.vault()).toBeNull();
    await vi.waitFor(() => expect(other.real.keyring.isOpen()).toBe(false), 20_000);
  });
});
