/**
 * Data in the browser is changed, exchanged or rolled back, and the server lies (M33, R48): never a crash,
 * never another person's data.
 */
import { describe, expect, test, vi } from 'vitest';
import type { StoredPiece } from '../keyring/copy/copy-store.ts';
import { keptCopy } from '../testing/kept-copy.node.ts';
import { ORIGIN } from '../testing/offline-page.node.ts';
import { groupWithSecret, mateOf } from '../testing/team.node.ts';

const { kept, openOn, synchronized, copyOn, copyOfBob, pieces, setPieces } = keptCopy();
const check = () => kept.page.real.keyring.call('checkCopy', { origin: ORIGIN });
let names = 0;
const rename = () => kept.elsewhere.write.renameEntry(kept.path, `Ledger ${(names += 1)}`);
const steps = (count: number) => vi.waitFor(() => expect(pieces()).toHaveLength(count), 20_000);
const flipped = (bytes: Uint8Array, at: number) => {
  const changed = new Uint8Array(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
  return changed;
};
/** About `count` evenly spaced indices, including the first and the last. */
const sampled = (length: number, count: number) =>
  Array.from({ length: count }, (_, at) => Math.floor((at * (length - 1)) / (count - 1)));

describe('the database part (M33)', () => {
  test('is corrupted if any byte of any piece is changed', async () => {
    await rename();
    await steps(2);
    kept.page.setAway(true);
    const whole = pieces();
    for (const [index, { blob }] of whole.entries()) {
      for (const at of sampled(blob.length, 60)) {
        setPieces(whole.map((piece, which) => (which === index ? { ...piece, blob: flipped(blob, at) } : piece)));
        expect(await check(), `piece ${index}, byte ${at}`).toEqual({ state: 'corrupted', reason: 'damaged' });
      }
    }
    setPieces(whole);
    expect(await check()).toMatchObject({ state: 'found' });
  });

  test('is corrupted if truncated, reordered, rolled back or incomplete', async () => {
    await rename();
    await steps(2);
    await rename();
    await steps(3);
    kept.page.setAway(true);
    const whole = pieces();
    const [a, b, c] = whole;
    const cases: readonly [string, readonly unknown[], string][] = [
      ['cut', [{ ...a, blob: a?.blob.slice(0, -1) }, b, c], 'damaged'],
      ['empty', [{ ...a, blob: new Uint8Array() }, b, c], 'damaged'],
      ['no bytes at all', [{ ...a, blob: 'text' }, b, c], 'damaged'],
      ['nothing', [{ ...a, blob: undefined }], 'damaged'],
      ['of another time', [{ ...a, timestamp: (a?.timestamp ?? 0) + 1 }, b, c], 'damaged'],
      ['of another step', [{ ...a, step: 9 }, b, c], 'damaged'],
      ['without its beginning', [b, c], 'damaged'],
      ['without its middle', [a, c], 'damaged'],
      ['in another order', [a, c, b], 'damaged'],
      ['twice the same', [a, b, b], 'damaged'],
      ['without its end', [a, b], 'rolled back'],
      ['as it was at first', [a], 'rolled back'],
    ];
    for (const [name, changed, reason] of cases) {
      setPieces(changed as StoredPiece[]);
      expect(await check(), name).toEqual({ state: 'corrupted', reason });
    }
    setPieces([]);
    expect(await check()).toEqual({ state: 'missing' });
    setPieces(whole);
    expect(await check()).toMatchObject({ state: 'found' });
  });

  test('is downloaded again if it is damaged and the server is reachable', async () => {
    kept.page.close();
    setPieces(pieces().map((piece) => ({ ...piece, blob: flipped(piece.blob, 200) })));
    const next = await openOn(kept.device);
    await next.unlock();
    await synchronized(next);
    const downloads = next.real.requests.filter((request) => request.includes('entryGroupsWithFields'));
    expect(downloads).toHaveLength(1);
    expect(next.states.some(({ parts }) => parts.database === 'download_required')).toBe(true);
  });

  test('ends the switch to offline if it is damaged: online again, all three parts to be downloaded', async () => {
    kept.page.setAway(true);
    setPieces(pieces().map((piece) => ({ ...piece, blob: flipped(piece.blob, 300) })));
    await expect(kept.page.engine.switchToOffline()).rejects.toMatchObject({ name: 'OfflineCopyError' });
    const failed = kept.page.states.find(({ problem, databaseMode }) => problem !== null && databaseMode === 'online');
    expect(failed?.parts).toEqual({
      key: 'download_required',
      database: 'download_required',
      salt: 'download_required',
    });
    expect(kept.page.states.map(({ databaseMode }) => databaseMode)).toContain('switching_to_offline');
    expect(kept.page.states.map(({ databaseMode }) => databaseMode)).not.toContain('offline');
    expect(kept.page.engine.vault()).toBeNull();
    kept.page.setAway(false);
    await synchronized(kept.page);
    await kept.page.engine.switchToOffline();
    expect(kept.page.state().databaseMode).toBe('offline');
  });

  test.each<[string, unknown]>([
    ['a time far in the future', { step: 1, timestamp: 9_999_999_999 }],
    ['a record without a time', { step: 1 }],
    ['a step that is too large', { step: Number.MAX_SAFE_INTEGER, timestamp: 1 }],
    ['of an unknown form', 'seen'],
  ])('continues if the stored last version is %s', async (_, seen) => {
    kept.device.copies.kept.seen.set(kept.page.name, seen as never);
    await rename();
    await steps(2);
    await kept.page.engine.wipe();
    expect(kept.device.copies.kept.seen.get(kept.page.name)).not.toEqual(seen);
    await synchronized(kept.page);
    expect(await check()).toMatchObject({ state: 'found' });
  });

  test('is refused if it belongs to another person or server', async () => {
    const his = await mateOf(await kept.app.signIn(kept.bob));
    await groupWithSecret(his, 'of bob');
    const hisPage = await copyOfBob();
    kept.page.setAway(true);
    const hisPieces = kept.device.copies.kept.pieces.get(hisPage.name) ?? [];
    setPieces(hisPieces);
    expect(await check()).toEqual({ state: 'corrupted', reason: 'damaged' });
    const { keyring } = hisPage.real;
    kept.device.copies.kept.pieces.set(`https://other.example ${kept.bob.userId}`, hisPieces);
    expect(await keyring.call('checkCopy', { origin: 'https://other.example' })).toMatchObject({ state: 'corrupted' });
    expect(await keyring.call('checkCopy', { origin: ORIGIN })).toMatchObject({ state: 'found' });
  });
});

describe('key and salt (M33)', () => {
  async function without(change: (record: Record<string, unknown>) => void) {
    kept.page.close();
    const record = structuredClone(kept.device.copies.kept.records.get(kept.page.name)) as unknown as Record<
      string,
      unknown
    >;
    change(record);
    kept.device.copies.kept.records.set(kept.page.name, record as never);
  }

  test('are unusable with any character changed, whatever is typed; the server restores them', async () => {
    const away = await openOn(kept.device, { isAway: true });
    const copy = await copyOn(away);
    const whole = kept.device.copies.kept.records.get(kept.page.name);
    if (!whole?.key || !whole.salt) throw new Error('not synchronized');
    const [text, salt] = [whole.key.rsa_private_key_base64, whole.salt.salt_base64];
    kept.page.close();
    const other = (from: string, at: number) =>
      `${from.slice(0, at)}${from[at] === 'A' ? 'B' : 'A'}${from.slice(at + 1)}`;
    const damaged = [
      ...sampled(text.length, 40).map((at) => ({
        ...whole,
        key: { ...whole.key, rsa_private_key_base64: other(text, at) },
      })),
      ...sampled(salt.length, 20).map((at) => ({ ...whole, salt: { ...whole.salt, salt_base64: other(salt, at) } })),
      { ...whole, key: { ...whole.key, timestamp: 1 } },
      { ...whole, salt: { ...whole.salt, kdf: 'T9' } },
      { ...whole, key: 7 },
      { ...whole, salt: undefined },
    ];
    for (const record of damaged) {
      kept.device.copies.kept.records.set(kept.page.name, record as never);
      await expect(away.engine.logIn(copy, kept.ada.masterPassword)).rejects.toMatchObject({
        name: 'OfflineCopyError',
      });
      expect(away.state().databaseMode).toBe('online');
      expect(away.session.view().user).toBeNull();
    }
    const back = await openOn(kept.device);
    await back.unlock();
    await synchronized(back);
    expect(kept.device.copies.kept.records.get(kept.page.name)?.salt?.salt_base64).toBe(salt);
  });

  test('of another person are refused', async () => {
    const hisPage = await openOn(kept.device, { person: await kept.app.signIn(kept.bob) });
    await hisPage.engine.enable();
    await vi.waitFor(
      () => expect(hisPage.state().parts).toMatchObject({ key: 'synchronized', salt: 'synchronized' }),
      20_000,
    );
    const his = kept.device.copies.kept.records.get(hisPage.name);
    await without((record) => Object.assign(record, { key: his?.key, salt: his?.salt }));
    const away = await openOn(kept.device, { isAway: true });
    const copy = (await away.engine.localCopies()).find(({ userId }) => userId === kept.ada.userId);
    if (copy === undefined) throw new Error('no copy');
    await expect(away.engine.logIn(copy, kept.bob.masterPassword)).rejects.toMatchObject({ name: 'OfflineCopyError' });
    expect(away.session.view().user).toBeNull();
  });

  test('with the label of another person, the copy is not listed', async () => {
    const hisPage = await openOn(kept.device, { person: await kept.app.signIn(kept.bob) });
    await hisPage.engine.enable();
    const his = kept.device.copies.kept.records.get(hisPage.name);
    await without((record) => Object.assign(record, { label: his?.label }));
    const away = await openOn(kept.device, { isAway: true });
    expect((await away.engine.localCopies()).map(({ userId }) => userId)).not.toContain(kept.ada.userId);
  });
});

test('with any byte of all parts changed, all three are download_required and are downloaded when the server answers', async () => {
  const whole = kept.device.copies.kept.records.get(kept.page.name);
  const stored = pieces();
  if (!whole?.key || !whole.salt) throw new Error('not synchronized');
  kept.page.close();
  const { key, salt } = whole;
  const changed = (base64: string, share: number) => {
    const bytes = Buffer.from(base64, 'base64');
    return Buffer.from(flipped(bytes, Math.floor(share * (bytes.length - 1)))).toString('base64');
  };
  for (const share of [0, 0.21, 0.5, 0.83, 1]) {
    kept.device.copies.kept.records.set(kept.page.name, {
      ...whole,
      key: { ...key, rsa_private_key_base64: changed(key.rsa_private_key_base64, share) },
      salt: { ...salt, salt_base64: changed(salt.salt_base64, share) },
    });
    setPieces(
      stored.map((piece) => ({ ...piece, blob: flipped(piece.blob, Math.floor(share * (piece.blob.length - 1))) })),
    );
    const next = await openOn(kept.device);
    next.real.refuse = (name) =>
      /entryGroupsWithFields|getCbcSalt|getPrivateRsa\?user_application_id/.test(name)
        ? { code: 'unavailable', status: 503 }
        : null;
    await next.unlock();
    await vi.waitFor(
      () =>
        expect(next.state().parts, `at ${share}`).toEqual({
          key: 'download_required',
          database: 'download_required',
          salt: 'download_required',
        }),
      20_000,
    );
    if (share === 1) {
      next.real.refuse = null;
      await synchronized(next);
    }
    next.close();
  }
});

describe('a server that lies', () => {
  const forged = (change: (answer: Record<string, unknown>) => unknown) => {
    kept.page.real.forge = (url, answer) =>
      url.includes('entryGroupsWithFields') ? change(answer as Record<string, unknown>) : answer;
  };

  test.each<[string, (answer: Record<string, unknown>) => unknown]>([
    ['an answer outside the contract', () => ({ data: 7 })],
    ['an answer without copy and change', ({ timestamp, cursor }) => ({ timestamp, cursor })],
    ['a time before that of the copy', (answer) => ({ ...answer, timestamp: 1 })],
    ['a change that was not requested', (answer) => ({ ...answer, delta: { trees: null, groups: [] } })],
  ])('%s: nothing of it is stored, and an error is shown', async (_, change) => {
    const before = pieces();
    forged(change);
    await rename();
    await vi.waitFor(() => expect(kept.page.state().syncMode).toBe('error'), 20_000);
    expect(kept.page.state().parts.database).not.toBe('synchronized');
    expect(pieces()).toEqual(before);
    kept.page.real.forge = null;
    await synchronized(kept.page);
    await vi.waitFor(() => expect(pieces().length + (pieces().at(-1)?.step ?? 0)).toBeGreaterThan(2), 20_000);
  });

  test('keys of another person are refused', async () => {
    const others = await (await kept.app.signIn(kept.bob)).request({ path: '/identity/api/getPrivateRsa' });
    kept.page.real.forge = (url, answer) => (url.includes('getPrivateRsa') ? others.json<unknown>() : answer);
    kept.page.engine.stop();
    await kept.device.copies.change(kept.page.name, { key: null });
    const again = await openOn(kept.device);
    again.real.forge = kept.page.real.forge;
    await vi.waitFor(() => expect(again.state().problem).toMatch(/keys that are not yours/), 20_000);
    expect(again.state().parts.key).toBe('download_required');
    again.real.forge = null;
    await vi.waitFor(
      () => expect(kept.device.copies.kept.records.get(kept.page.name)?.key?.digest).toBeDefined(),
      20_000,
    );
  });
});
