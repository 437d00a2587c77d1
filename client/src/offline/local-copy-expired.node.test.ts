/**
 * A copy expires after thirty days without a sync, and its owner is told at the next visit
 * (docs/spec/crypto.md §16).
 */
import { describe, expect, test, vi } from 'vitest';
import { keptCopy } from '../testing/kept-copy.node.ts';

const DAY_MS = 24 * 3_600_000;

const { kept, openOn, synchronized, gone, record } = keptCopy();

describe('a local copy', () => {
  test('without a sync for thirty days is not offered, not opened, and downloaded again', async () => {
    kept.page.close();
    await kept.device.copies.change(kept.page.name, { syncedAt: Date.now() - 30 * DAY_MS });
    const away = await openOn(kept.device, { isAway: true });
    // The copy is removed when the first page opens, without a request for it.
    await vi.waitFor(() => expect(kept.device.copies.kept.pieces.size).toBe(0), 20_000);
    expect(kept.device.copies.kept.seen.size).toBe(0);
    expect(record()).toMatchObject({ key: null, salt: null });
    expect(await away.engine.localCopies()).toEqual([]);
    // The sign-in page says why there is no copy.
    expect(await away.engine.expiredCopies()).toMatchObject([{ userId: kept.ada.userId, email: kept.ada.email }]);
    const copy = { userId: kept.ada.userId, name: '', email: '', server: null, copyOf: null, passkeyHosts: [] };
    await expect(away.engine.logIn(copy, kept.ada.masterPassword)).rejects.toMatchObject({
      name: 'OfflineCopyError',
      message: 'The local copy cannot be used: it was not updated for 30 days',
    });
    const back = await openOn(kept.device);
    await back.unlock();
    await synchronized(back);
    expect(await back.engine.expiredCopies()).toEqual([]);
    const days = (Date.now() - (kept.device.copies.kept.records.get(back.name)?.syncedAt ?? 0)) / DAY_MS;
    expect(days).toBeLessThan(1);
  });

  test('that expired is reported for thirty days after it was removed, and then forgotten', async () => {
    kept.page.close();
    const { copies } = kept.device;
    const { name } = kept.page;
    const whole = { ...copies };
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    copies.wipeParts = (wiped) => held.then(() => whole.wipeParts(wiped));
    await copies.change(name, { syncedAt: Date.now() - 59 * DAY_MS });
    const next = await openOn(kept.device, { isAway: true });
    const told = next.engine.expiredCopies().then((expired) => ({ expired, pieces: copies.kept.pieces.size }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    go();
    expect(await told).toMatchObject({ expired: [{ userId: kept.ada.userId }], pieces: 0 });
    next.close();
    await copies.change(name, { toldSince: Date.now() - 29 * DAY_MS });
    const again = await openOn(kept.device, { isAway: true });
    expect(await again.engine.expiredCopies()).toHaveLength(1);
    again.close();
    const now = Date.now();
    await copies.change(name, { toldSince: now - 30 * DAY_MS, syncedAt: now - 60 * DAY_MS });
    const later = await openOn(kept.device, { isAway: true });
    expect(await later.engine.expiredCopies()).toEqual([]);
    await gone();
  });

  test('that expired is reported for thirty days from the first visit, also after a year', async () => {
    kept.page.close();
    await kept.device.copies.change(kept.page.name, { syncedAt: Date.now() - 365 * DAY_MS });
    for (let days = 1; days <= 2; days += 1) {
      const next = await openOn(kept.device, { isAway: true });
      expect(await next.engine.expiredCopies()).toMatchObject([{ userId: kept.ada.userId }]);
      expect(kept.device.copies.kept.pieces.size).toBe(0);
      next.close();
    }
    expect((Date.now() - (record().toldSince ?? 0)) / DAY_MS).toBeCloseTo(0, 1);
  });

  test('that expired a second time is reported again', async () => {
    await kept.device.copies.change(kept.page.name, {
      syncedAt: Date.now() - 31 * DAY_MS,
      toldSince: Date.now() - 40 * DAY_MS,
    });
    kept.page.close();
    const next = await openOn(kept.device, { isAway: true });
    expect(await next.engine.expiredCopies()).toMatchObject([{ userId: kept.ada.userId }]);
    expect(record().key).toBeNull();
  });

  test('that expired but could not be removed is not reported', async () => {
    kept.page.close();
    const { copies } = kept.device;
    copies.wipeParts = () => Promise.reject(new DOMException('The disk failed', 'UnknownError'));
    await copies.change(kept.page.name, { syncedAt: Date.now() - 30 * DAY_MS });
    const next = await openOn(kept.device, { isAway: true });
    expect(await next.engine.expiredCopies()).toEqual([]);
    expect(record().key).not.toBeNull();
  });

  test('without a valid time is reported no longer than others', async () => {
    kept.page.close();
    await kept.device.copies.change(kept.page.name, { syncedAt: Number.NaN });
    const next = await openOn(kept.device, { isAway: true });
    expect(await next.engine.expiredCopies()).toMatchObject([{ userId: kept.ada.userId }]);
    expect((Date.now() - record().syncedAt) / DAY_MS).toBeCloseTo(30, 1);
    expect(kept.device.copies.kept.pieces.size).toBe(0);
  });

  test('that expired is removed also if its record names another owner', async () => {
    kept.page.close();
    const syncedAt = Date.now() - 30 * DAY_MS;
    await kept.device.copies.change(kept.page.name, { syncedAt, userId: kept.bob.userId });
    const next = await openOn(kept.device, { isAway: true });
    await next.engine.expiredCopies();
    expect(kept.device.copies.kept.pieces.size).toBe(0);
    expect(record().key).toBeNull();
  });
});
