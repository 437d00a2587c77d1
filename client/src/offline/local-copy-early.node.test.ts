/** Reading the sealed copy during key derivation has the same result as reading it afterwards. */
import { expect, test, vi } from 'vitest';
import { ORIGIN } from '../testing/offline-page.node.ts';
import { keptCopy } from '../testing/kept-copy.node.ts';

const { kept, openOn, copyOn, revealed } = keptCopy();

test('the copy is read once, while the master password is typed', async () => {
  kept.page.close();
  const away = await openOn(kept.device, { isAway: true });
  const pieces = vi.spyOn(kept.device.copies, 'pieces');
  const seen = vi.spyOn(kept.device.copies, 'seen');
  const copy = await copyOn(away);
  seen.mockClear();
  away.engine.prepareLogIn(copy);
  await vi.waitFor(() => expect(pieces).toHaveBeenCalledTimes(1), 20_000);
  await away.engine.logIn(copy, kept.ada.masterPassword);
  expect(pieces).toHaveBeenCalledTimes(1);
  expect(pieces.mock.invocationCallOrder[0]).toBeLessThan(seen.mock.invocationCallOrder[0] ?? 0);
  expect(await revealed(away)).toBe('first value');
});

test('a wrong master password before the right one does not reuse what was read for it', async () => {
  kept.page.close();
  const away = await openOn(kept.device, { isAway: true });
  const copy = await copyOn(away);
  await expect(away.engine.logIn(copy, 'not hers')).rejects.toMatchObject({ code: 'wrong_master_password' });
  const [piece] = kept.device.copies.kept.pieces.get(kept.page.name) ?? [];
  // Damage after the first try must be detected.
  if (piece !== undefined) piece.blob[piece.blob.length >> 1] = (piece.blob[piece.blob.length >> 1] ?? 0) ^ 1;
  await expect(away.engine.logIn(copy, kept.ada.masterPassword)).rejects.toThrow(
    'The local copy cannot be used: damaged',
  );
});

test('changes that another tab wrote after the early read are opened', async () => {
  const place = { origin: ORIGIN, userId: kept.ada.userId };
  const first = kept.device.copies.kept.pieces.get(kept.page.name)?.length ?? 0;
  const tab = await openOn(kept.device);
  const pieces = vi.spyOn(kept.device.copies, 'pieces');
  tab.real.keyring.prepare(place);
  await vi.waitFor(() => expect(pieces).toHaveBeenCalledTimes(1), 20_000);
  await kept.elsewhere.write.renameEntry(kept.path, 'Renamed meanwhile');
  await vi.waitFor(
    () => expect(kept.device.copies.kept.pieces.get(kept.page.name)?.length).toBeGreaterThan(first),
    20_000,
  );
  tab.engine.stop();
  await tab.unlock();
  const { timestamp } = await tab.real.keyring.call('openCopy', { origin: ORIGIN });
  expect(timestamp).toBe(kept.device.copies.kept.pieces.get(kept.page.name)?.at(-1)?.timestamp);
  const entries = await tab.real.keyring.call('copiedEntries', { groupId: kept.path.entryGroupId });
  expect(pieces).toHaveBeenCalledTimes(2);
  expect(entries?.map(({ title }) => title)).toEqual(['Renamed meanwhile']);
});

test('a failed early read is repeated when the copy is opened', async () => {
  kept.page.close();
  const away = await openOn(kept.device, { isAway: true });
  const copy = await copyOn(away);
  vi.spyOn(kept.device.copies, 'pieces').mockRejectedValueOnce(new DOMException('busy', 'UnknownError'));
  await away.engine.logIn(copy, kept.ada.masterPassword);
  expect(await revealed(away)).toBe('first value');
});
