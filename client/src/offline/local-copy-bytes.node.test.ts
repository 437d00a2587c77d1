/**
 * Changes any byte of any part, or of data beside it, in each state of the part: only that part becomes
 * `download_required`, and `synchronized` once the server provides it (M33, docs/spec/product.md §4). Never a
 * crash, never another person's data.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CopyRecord, StoredPiece } from '../keyring/copy/copy-store.ts';
import { keptCopy } from '../testing/kept-copy.node.ts';
import type { OfflineTestPage } from '../testing/offline-page.node.ts';
import type { PartName } from './offline.ts';

const { kept, openOn, synchronized, record, pieces, setPieces, revealed } = keptCopy();

type Whole = { readonly record: CopyRecord; readonly pieces: readonly StoredPiece[]; readonly seen: unknown };
interface Damage {
  readonly name: string;
  readonly record?: CopyRecord;
  readonly pieces?: readonly StoredPiece[];
  readonly seen?: unknown;
}

const SHARES = [0, 0.29, 0.5, 0.71, 1];
const placeOf = (length: number, share: number) => Math.floor(share * (length - 1));
/** Replaces one character by another one valid in base64 and hex. */
const otherText = (text: string, share: number) => {
  const at = placeOf(text.length, share);
  return `${text.slice(0, at)}${text[at] === '7' ? '8' : '7'}${text.slice(at + 1)}`;
};
const otherBytes = (bytes: Uint8Array<ArrayBuffer>, share: number) => {
  const changed = new Uint8Array(bytes);
  const at = placeOf(bytes.length, share);
  changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
  return changed;
};

/** Damages each stored text, number and byte of the part. */
function damagesOf(part: PartName, whole: Whole): readonly Damage[] {
  const { key, salt } = whole.record;
  if (key === null || salt === null) throw new Error('not synchronized');
  const text = <Of extends object>(of: Of, name: keyof Of & string) =>
    SHARES.map((share) => [`${name} at ${share}`, { ...of, [name]: otherText(String(of[name]), share) }] as const);
  if (part === 'key') {
    const cases: (readonly [string, unknown])[] = [
      ...text(key, 'rsa_private_key_base64'),
      ...text(key, 'digest'),
      ['timestamp', { ...key, timestamp: key.timestamp + 1 }],
      ['none', null],
    ];
    return cases.map(([name, value]) => ({ name, record: { ...whole.record, key: value as CopyRecord['key'] } }));
  }
  if (part === 'salt') {
    const cases: (readonly [string, unknown])[] = [
      ...text(salt, 'salt_base64'),
      ...text(salt, 'digest'),
      ...text(salt, 'kdf'),
      ['timestamp', { ...salt, timestamp: salt.timestamp + 1 }],
      ['none', null],
    ];
    return cases.map(([name, value]) => ({ name, record: { ...whole.record, salt: value as CopyRecord['salt'] } }));
  }
  const [piece] = whole.pieces;
  if (piece === undefined) throw new Error('no pieces');
  return [
    ...SHARES.map((share) => ({
      name: `blob at ${share}`,
      pieces: [{ ...piece, blob: otherBytes(piece.blob, share) }],
    })),
    { name: 'step', pieces: [{ ...piece, step: piece.step + 4 }] },
    { name: 'timestamp', pieces: [{ ...piece, timestamp: piece.timestamp + 1 }] },
    { name: 'a later piece was seen', seen: { step: piece.step + 1, timestamp: piece.timestamp } },
    { name: 'a later time was seen', seen: { step: piece.step, timestamp: piece.timestamp + 1 } },
    { name: 'none', pieces: [] },
  ];
}

const DOWNLOADS = /entryGroupsWithFields|getCbcSalt|getPrivateRsa\?user_application_id/;
const withoutDownloads = (page: OfflineTestPage) => {
  page.real.refuse = (request) => (DOWNLOADS.test(request) ? { code: 'unavailable', status: 503 } : null);
};
function stored(): Whole {
  return { record: record(), pieces: pieces(), seen: kept.device.copies.kept.seen.get(kept.page.name) };
}
function store({ record: of, pieces: all, seen }: Omit<Whole, 'seen'> & { readonly seen: unknown }) {
  kept.device.copies.kept.records.set(kept.page.name, of);
  setPieces(all);
  kept.device.copies.kept.seen.set(kept.page.name, seen as never);
}
/** The server limits how often keys are sent per hour. */
const forgetAttempts = () => kept.app.deps.db.transact((tx) => tx.deleteFrom('attempts').execute());
beforeEach(forgetAttempts);
/**
 * The other parts, which must not change. Changed keys do not authenticate the salt, so the salt may be
 * checked again.
 */
const others = (part: PartName) =>
  (['key', 'database', 'salt'] as const).filter((name) => name !== part && !(part === 'key' && name === 'salt'));

describe.each(['key', 'database', 'salt'] as const)('the part %s (M33)', (part) => {
  test('not_loaded: with any byte changed, this part alone is to be downloaded', { timeout: 180_000 }, async () => {
    const whole = stored();
    kept.page.close();
    for (const { name, ...damage } of damagesOf(part, whole)) {
      store({ ...whole, ...damage });
      await forgetAttempts();
      const next = await openOn(kept.device);
      withoutDownloads(next);
      await next.unlock();
      await vi.waitFor(() => expect(next.state().parts[part], name).toBe('download_required'), 20_000);
      for (const other of others(part))
        await vi.waitFor(() => expect(next.state().parts[other], `${name}: ${other}`).toBe('synchronized'), 20_000);
      next.close();
    }
    const last = await openOn(kept.device);
    await last.unlock();
    await synchronized(last);
    await last.engine.switchToOffline();
    expect(await revealed(last)).not.toBe('');
  });

  test(
    'synchronized: if changed under an open page it opens nothing, and all three parts are to be downloaded',
    { timeout: 180_000 },
    async () => {
      const { page } = kept;
      for (const at of damagesOf(part, stored()).keys()) {
        if (at % 3 > 0) continue;
        await synchronized(page);
        const whole = stored();
        const { name, ...damage } = damagesOf(part, whole)[at] ?? { name: 'none' };
        withoutDownloads(page);
        // No check runs in the meantime.
        page.setAway(true);
        store({ ...whole, ...damage });
        const before = page.states.length;
        await expect(page.engine.switchToOffline(), name).rejects.toMatchObject({ name: 'OfflineCopyError' });
        const since = page.states.slice(before);
        expect(
          since.map(({ databaseMode }) => databaseMode),
          name,
        ).not.toContain('offline');
        expect(
          since.some(({ parts }) => Object.values(parts).every((state) => state === 'download_required')),
          name,
        ).toBe(true);
        expect([page.engine.vault(), page.state().databaseMode]).toEqual([null, 'online']);
        page.setAway(false);
        page.real.refuse = null;
      }
      await synchronized(page);
      await page.engine.switchToOffline();
      expect(await revealed(page)).not.toBe('');
    },
  );

  test('download_required: changed again it stays in this state until the server provides it', async () => {
    const { page } = kept;
    const whole = stored();
    page.setAway(true);
    const [first, , second] = damagesOf(part, whole);
    store({ ...whole, ...first });
    await expect(page.engine.switchToOffline()).rejects.toMatchObject({ name: 'OfflineCopyError' });
    withoutDownloads(page);
    page.setAway(false);
    await vi.waitFor(() => expect(page.state().parts[part]).toBe('download_required'), 20_000);
    store({ ...whole, ...second });
    await vi.waitFor(() => expect(page.state().syncMode).toBe('error'), 20_000);
    expect(page.state().parts[part]).toBe('download_required');
    page.real.refuse = null;
    await synchronized(page);
    await page.engine.switchToOffline();
    expect(await revealed(page)).not.toBe('');
  });
});

describe('data stored beside the parts (M33)', () => {
  const elsewhere = 'https://elsewhere.example';
  const cases: readonly (readonly [keyof CopyRecord, readonly unknown[]])[] = [
    ['origin', [elsewhere, undefined]],
    ['userId', ['bob', null]],
    ['applicationId', [crypto.randomUUID(), undefined]],
    ['fileLimit', [Number.NaN]],
    ['keepAtLogout', ['x']],
    ['syncedAt', ['x', -1]],
    ['label', [new Uint8Array(60), undefined]],
  ];

  test.each(cases)(
    '%s: with any value, changed under an open or closed page, the copy stays its owner’s and becomes complete again',
    async (member, values) => {
      for (const value of values) {
        const page = await openOn(kept.device);
        await page.unlock();
        await synchronized(page);
        const change = { [member]: value === 'bob' ? kept.bob.userId : value };
        const put = () => kept.device.copies.kept.records.set(kept.page.name, { ...record(), ...change } as never);
        put();
        await new Promise((resolve) => setTimeout(resolve, 120));
        await synchronized(page);
        page.close();
        put();
        await forgetAttempts();
        const next = await openOn(kept.device);
        await next.unlock();
        await synchronized(next);
        expect(next.state(), String(value)).toMatchObject({ enabled: true, problem: null });
        await next.engine.switchToOffline();
        expect(await revealed(next)).not.toBe('');
        expect([...kept.device.copies.kept.records.keys()]).toEqual([kept.page.name]);
        next.close();
      }
    },
    120_000,
  );
});
