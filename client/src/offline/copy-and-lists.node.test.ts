/**
 * Accepted lists of members that the device remembers stay after working from the copy (docs/spec/crypto.md
 * §9; M22).
 */
import { expect, test } from 'vitest';
import { roster } from '@passwordbroker/core/contract/groups/entry-groups';
import { entryGroupsWithFields } from '@passwordbroker/core/contract/account/offline';
import type { OfflineAnswer, OfflineHead } from '@passwordbroker/core/contract/account/offline';
import { utf8 } from '@passwordbroker/core/crypto/bytes';
import { createKeyVersion } from '@passwordbroker/core/domain/groups/group-keys';
import type { SignedIn } from '../../../server/src/testing/test-app.ts';
import { keptCopy } from '../testing/kept-copy.node.ts';
import { newDevice, ORIGIN } from '../testing/offline-page.node.ts';
import { takeIn } from '../testing/take-in.node.ts';
import { addSecret, groupWithSecret, mateOf, trustGroup } from '../testing/team.node.ts';
import type { Vault } from '../vault/vault.ts';

const { kept, openOn, synchronized } = keptCopy();

test('M22 a person who was demoted to member stays a member after using the copy, whatever earlier list is shown', async () => {
  const his = await mateOf(kept.bob);
  const path = await groupWithSecret(his, 'in the copy');
  const group = path.entryGroupId;
  await takeIn(his, group, kept.ada, 'admin');
  const asAdmin = await his.http.call(roster, { params: { g: group } });
  await his.write.members.changeRole(group, kept.ada.userId, 'member');

  const page = await openOn(newDevice());
  await page.unlock();
  await page.real.vault.read.reveal(path);
  await trustGroup({ ...page.real.vault, vault: page.real.vault, write: page.write() }, group);
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
  const shown = memberships.details(group)?.newest?.hash ?? null;
  expect(shown).not.toBeNull();
  await expect(write.trust.goOn(group, shown)).rejects.toMatchObject({ code: 'not_admin' });
});

test('M22, M56 a copy whose lists begin after the accepted one is not opened if their signer was never confirmed', async () => {
  const his = await mateOf(kept.bob);
  const { entryGroupId: group } = await groupWithSecret(his, 'of Bob');
  await takeIn(his, group, kept.ada, 'member');
  const device = newDevice();
  const page = await openOn(device);
  await page.unlock();
  const { http, keyring, vault } = page.real;
  await vault.read.reveal(await firstField(vault, group));
  await page.engine.enable();
  await synchronized(page);
  // From here on only this test writes to the copy.
  page.engine.stop();
  const { applicationId = '' } = device.copies.kept.records.get(page.name) ?? {};
  const honest = await http.call(entryGroupsWithFields, { query: { user_application_id: applicationId } });
  const opened = async (answer: OfflineAnswer) => {
    const bytes = utf8(JSON.stringify(answer)).buffer as ArrayBuffer;
    await keyring.call('takeCopy', { origin: ORIGIN, answer: bytes, since: null });
    await keyring.call('openCopy', { origin: ORIGIN });
    const copied = await keyring.call('openCopiedGroup', { groupId: group });
    return { trust: copied?.details.trust, names: copied?.signed?.length };
  };
  const { names, trust } = await opened(honest);
  expect([names, trust?.state === 'locked' || trust?.state === 'disputed']).toEqual([2, false]);
  const forged = await withListOf(kept.site, honest, group);
  expect(await opened(forged)).toEqual({ trust: { state: 'locked', why: 'proof' }, names: undefined });
});

async function firstField({ read }: Vault, entryGroupId: string) {
  const [entry] = await read.entries(entryGroupId);
  const place = { entryGroupId, entryId: entry?.entry_id ?? '' };
  const [field] = await read.fields(place);
  if (field === undefined) throw new Error('no field');
  return { ...place, field };
}

/** The group in the copy, with a forged list that has a higher sequence number than all others. */
async function withListOf(stranger: SignedIn, answer: OfflineAnswer, groupId: string): Promise<OfflineAnswer> {
  const members = [stranger, kept.ada].map(({ keyring }) => ({ identity: keyring.identity, role: 'admin' as const }));
  const place = { groupId, version: 1, seq: 9, prev: 'ab'.repeat(32) };
  const { wire } = await createKeyVersion(stranger.keyring, place, { members, now: Date.now() });
  const certificate = { ...stranger.bundle.certificate, fpr: stranger.keyring.fingerprint, created_at: '' };
  const forgedHead = (head: OfflineHead) => ({
    rosters: head.rosters.slice(-1).map((one) => ({
      ...one,
      seq: place.seq,
      signer: stranger.userId,
      roster_base64: wire.roster_base64,
      roster_sig_base64: wire.roster_sig_base64,
      signer_certificate: certificate,
    })),
    grants: head.grants.map((grant) => ({
      ...grant,
      encrypted_aes_password_base64:
        wire.grants.find(({ user_id }) => user_id === kept.ada.userId)?.encrypted_aes_password ?? '',
    })),
  });
  const groups = answer.data?.groups.map((one) =>
    one.entry_group_id === groupId ? { ...one, ...forgedHead(one) } : one,
  );
  return answer.data === undefined ? answer : { ...answer, data: { ...answer.data, groups: groups ?? [] } };
}
