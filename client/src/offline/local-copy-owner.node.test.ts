/**
 * The owner's name on a copy, and sign-in and sign-out while the copy is looked up (docs/spec/product.md §4).
 */
import { describe, expect, test, vi } from 'vitest';
import { entryGroupsWithFields, forgetApplication } from '@passwordbroker/core/contract/account/offline';
import { createDeviceKey } from '../keyring/device-seal.ts';
import { keptCopy } from '../testing/kept-copy.node.ts';
import { tabsOfOneBrowser } from '../testing/tabs-of-one-browser.ts';

const { kept, openOn, synchronized, copyOn, revealed, record } = keptCopy();

describe('without the server, a copy is listed', () => {
  const opensAway = async () => {
    kept.page.close();
    const away = await openOn(kept.device, { isAway: true });
    await away.engine.logIn(await copyOn(away), kept.ada.masterPassword);
    expect(await revealed(away)).toBe('first value');
  };

  test('again after its label was damaged and its owner signed in', async () => {
    kept.page.close();
    await kept.device.copies.change(kept.page.name, { label: new Uint8Array(100) });
    const back = await openOn(kept.device);
    await back.engine.keepsCopy();
    back.close();
    await opensAway();
  });

  test('again after the device key was lost and its owner signed in', async () => {
    kept.page.close();
    const another = await createDeviceKey();
    kept.device.copies.deviceKey = () => Promise.resolve(another);
    const lost = await openOn(kept.device, { isAway: true });
    expect(await lost.engine.localCopies()).toEqual([]);
    const back = await openOn(kept.device);
    await back.engine.keepsCopy();
    back.close();
    await opensAway();
  });

  test('under the current name of its owner', async () => {
    const { user } = kept.page.session.view();
    if (user === null) throw new Error('nobody is signed in');
    const label = record().label;
    kept.page.session.know({ ...user, name: 'Ada King' });
    await kept.page.engine.keepsCopy();
    expect(record().label).not.toEqual(label);
    kept.page.close();
    const away = await openOn(kept.device, { isAway: true });
    expect(await away.engine.localCopies()).toMatchObject([{ name: 'Ada King', email: kept.ada.email }]);
  });

  test('with the same label as long as nothing has changed', async () => {
    const { label } = record();
    kept.page.close();
    const back = await openOn(kept.device);
    await back.engine.keepsCopy();
    expect(record().label).toBe(label);
  });
});

describe('a person who signs out', () => {
  test('before the copy was found does not start its sync', async () => {
    kept.page.close();
    const { copies } = kept.device;
    const whole = { ...copies };
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    copies.records = () => held.then(() => whole.records());
    const browser = tabsOfOneBrowser();
    const next = await openOn(kept.device, { isUnchecked: true, tabs: browser.open() });
    await next.session.check();
    expect(next.session.view().user?.user_id).toBe(kept.ada.userId);
    browser.open().tell('signed out');
    expect(next.session.view().user).toBeNull();
    go();
    expect(await next.engine.keepsCopy()).toBe(false);
    expect(next.states.some(({ enabled }) => enabled)).toBe(false);
    await expect(next.engine.setKeepAtLogout(true)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('and signs in again before that starts its sync once', async () => {
    kept.page.close();
    const { copies } = kept.device;
    const whole = { ...copies };
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    copies.records = () => held.then(() => whole.records());
    const next = await openOn(kept.device, { isUnchecked: true });
    await next.session.check();
    await next.session.check();
    go();
    expect(await next.engine.keepsCopy()).toBe(true);
    expect(next.states.filter(({ enabled }, at) => enabled && next.states[at - 1]?.enabled !== true)).toHaveLength(1);
    await next.unlock();
    await synchronized(next);
    expect(next.real.requests.filter((request) => request.endsWith('/standing'))).toHaveLength(1);
  });
});

test('a download that ends after the copy was switched off changes no state', async () => {
  const { real, engine, states } = kept.page;
  const isDownload = (request: string) => request.includes(entryGroupsWithFields.path);
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  let isAsked = false;
  real.before = async (request) => {
    if (!isDownload(request)) return;
    isAsked = true;
    await held;
  };
  await engine.wipe();
  await vi.waitFor(() => expect(isAsked).toBe(true), 20_000);
  // The request to the server fails, so the download continues.
  real.refuse = (request) => (request.startsWith('PUT') ? { code: 'unavailable', status: 503 } : null);
  await expect(engine.disable()).rejects.toMatchObject({ code: 'unavailable' });
  const after = states.length;
  const answered = new Promise<void>((resolve) => {
    real.forge = (path, answer) => {
      if (isDownload(path)) resolve();
      return answer;
    };
  });
  go();
  await answered;
  // Progress is reported in the same turn; the worker then refuses to store the data.
  await vi.waitFor(() => expect(real.requests.some(isDownload)).toBe(true), 20_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(states.slice(after)).toEqual([]);
});

test('a copy that could not be removed after a refusal is removed later', async () => {
  const { copies } = kept.device;
  const whole = { ...copies };
  let tries = 0;
  copies.remove = () => {
    tries += 1;
    return Promise.reject(new DOMException('The disk failed', 'UnknownError'));
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await kept.ada.call(forgetApplication, { params: { id: record().applicationId } });
    await kept.page.engine.wipe();
    await vi.waitFor(() => expect(tries).toBeGreaterThan(0), 20_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    process.off('unhandledRejection', note);
    copies.remove = (name) => whole.remove(name);
  }
  expect(unhandled).toEqual([]);
  kept.page.close();
  await openOn(kept.device);
  await vi.waitFor(() => expect(copies.kept.records.size).toBe(0), 20_000);
});
