/** Effects of a logout on local copies (docs/spec/product.md §4). */
import { describe, expect, test, vi } from 'vitest';
import { keptCopy } from '../testing/kept-copy.node.ts';
import { NetworkError } from '../transport/exchange.ts';

const { kept, openOn, gone, copyOfBob } = keptCopy();

describe('a logout', () => {
  test('removes the person’s own copy and no other', async () => {
    const his = await copyOfBob();
    await kept.page.session.logOut();
    expect([...kept.device.copies.kept.records.keys()]).toEqual([his.name]);
    expect([...kept.device.copies.kept.pieces.keys()]).toEqual([his.name]);
  });

  test('finds out whether there is a copy before the server has answered about it', async () => {
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

  test('removes the copy at once, also if the page closes before the server answers', async () => {
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

  test('without an answer of the server leaves a copy that is kept at logout', async () => {
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

  test('reports a refusal of the server before a copy that could not be removed; a second try succeeds with both', async () => {
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

  test('on a newly opened page finds the owner of the copy', async () => {
    kept.page.close();
    const opened = await openOn(kept.device, { isUnchecked: true });
    expect(opened.session.view().status).toBe('loading');
    await opened.session.logOut();
    await gone();
  });

  test('reports a copy that could not be removed, and removes it at the second try', async () => {
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
