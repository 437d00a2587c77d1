// @vitest-environment node
/** What the device remembers of lists of members outlives reading from its copy (crypto.md §9; M22). */
import { expect, test } from 'vitest';
import { roster } from '@passwordbroker/core/contract/entry-groups';
import { keptCopy } from '../testing/kept-copy.node.ts';
import { newDevice } from '../testing/offline-page.node.ts';
import { takeIn } from '../testing/take-in.node.ts';
import { addSecret, groupWithSecret, mateOf } from '../testing/team.node.ts';

const { kept, openOn, synchronized } = keptCopy();

test('M22 who was made a member stays one after a look into the copy, whatever earlier list is shown', async () => {
  const his = await mateOf(kept.bob);
  const path = await groupWithSecret(his, 'in the copy');
  const group = path.entryGroupId;
  await takeIn(his, group, kept.ada, 'admin');
  const asAdmin = await his.http.call(roster, { params: { g: group } });
  await his.write.members.changeRole(group, kept.ada.userId, 'member');

  const page = await openOn(newDevice());
  await page.unlock();
  await page.real.vault.read.reveal(path);
  await page.engine.enable();
  await synchronized(page);
  await page.engine.switchToOffline();
  expect((await page.engine.vault()?.read.reveal(path))?.text).toBe('in the copy');
  await page.engine.switchToOnline();

  const { real } = page;
  real.keyring.lock();
  real.forge = (asked, honest) =>
    asked.includes(`${group}/roster`) ? { ...(honest as object), rosters: asAdmin.rosters } : honest;
  await page.unlock();
  const { write, memberships } = real.vault;
  if (write === null) throw new Error('The online vault writes');
  await expect(addSecret({ ...his, write }, path, 'never')).rejects.toMatchObject({ detail: 'rolled-back' });
  const shown = memberships.newest(group)?.hash ?? null;
  expect(shown).not.toBeNull();
  await expect(write.members.confirmGroup(group, shown)).rejects.toMatchObject({ code: 'not_admin' });
});
