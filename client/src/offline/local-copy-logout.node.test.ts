/** What a logout does with the copy of whoever leaves (docs/spec/product.md §4). */
import { describe, expect, test, vi } from 'vitest';
import { keptCopy } from '../testing/kept-copy.node.ts';
import { NetworkError } from '../transport/exchange.ts';

const { kept, openOn, gone, copyOfBob } = keptCopy();

describe('a logout', () => {
  test('takes one’s own copy, and no other’s', async () => {
    const his = await copyOfBob();
    await kept.page.session.logOut();
    expect([...kept.device.copies.kept.records.keys()]).toEqual([his.name]);
    expect([...kept.device.copies.kept.pieces.keys()]).toEqual([his.name]);
  });

  test('is asked about the copy also where it comes before the server has answered anything about it', async () => {
    await kept.page.engine.setKeepAtLogout(true);
    kept.page.close();
    const next = await openOn(kept.device, { isUnchecked: true });
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    next.real.before = (request) => (request.endsWith('/standing') ? answered : Promise.resolve());
    await next.session.check();
    expect(await next.engine.keepsCopy()).toBe(true);
    expect(next.state()).toMatchObject({ enabled: true, keepAtLogout: true });
    answer();
  });

  test('takes it at once: also where the page is closed before the server has answered', async () => {
    let isAsked = false;
    kept.page.real.before = async (request) => {
      if (!request.endsWith('/logout')) return;
      isAsked = true;
      await new Promise(() => undefined);
    };
    void kept.page.session.logOut();
    await vi.waitFor(() => expect(isAsked).toBe(true), 20_000);
    await gone();
    kept.page.close();
    const next = await openOn(kept.device, { isAway: true });
    expect(await next.engine.localCopies()).toEqual([]);
  });

  test('without the server’s answer leaves a copy that is to stay', async () => {
    await kept.page.engine.setKeepAtLogout(true);
    let fail: (failure: Error) => void = () => undefined;
    kept.page.real.before = (request) =>
      request.endsWith('/logout') ? new Promise((_, reject) => (fail = reject)) : Promise.resolve();
    const left = expect(kept.page.session.logOut()).rejects.toMatchObject({ name: 'NetworkError' });
    await kept.page.engine.keepsCopy();
    fail(new NetworkError('Failed to fetch'));
    await left;
    expect(kept.device.copies.kept.records.size).toBe(1);
    expect(kept.device.copies.kept.pieces.size).toBe(1);
  });

  test('that the server did not confirm says that, also where the copy could not be removed; tried again, both are done', async () => {
    const { copies } = kept.device;
    const whole = { ...copies };
    copies.remove = () => Promise.reject(new DOMException('The disk failed', 'UnknownError'));
    kept.page.real.refuse = (request) => (request.endsWith('/logout') ? { code: 'internal', status: 500 } : null);
    await expect(kept.page.session.logOut()).rejects.toMatchObject({ name: 'AppError' });
    copies.remove = (name) => whole.remove(name);
    kept.page.real.refuse = null;
    await kept.page.session.logOut();
    await gone();
  });

  test('on a page that was opened for it finds out whose copy it is', async () => {
    kept.page.close();
    const opened = await openOn(kept.device, { isUnchecked: true });
    expect(opened.session.view().status).toBe('loading');
    await opened.session.logOut();
    await gone();
  });

  test('says so where the copy could not be removed, and removes it when it is tried again', async () => {
    const { copies } = kept.device;
    const whole = { ...copies };
    copies.remove = () => Promise.reject(new DOMException('The disk failed', 'UnknownError'));
    await expect(kept.page.session.logOut()).rejects.toMatchObject({ name: 'CopyLeftError' });
    expect(kept.page.session.view()).toMatchObject({ status: 'login', user: null });
    expect(copies.kept.records.size).toBe(1);
    copies.remove = (name) => whole.remove(name);
    await kept.page.session.logOut();
    await gone();
  });
});
