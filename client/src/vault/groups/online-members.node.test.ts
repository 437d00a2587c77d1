/**
 * Changes of members on the real server: keys are confirmed first, and wrapped for exactly the signed
 * members.
 */
import { describe, expect, test } from 'vitest';
import type { Certificate } from '@passwordbroker/core/contract/entities';
import {
  createSharedRsa,
  createSigner,
  renewSigner,
  withBrokenVouch,
  type Signer,
} from '@passwordbroker/core/testing/signers';
import type { SignedIn } from '../../../../server/src/testing/test-app.ts';
import { takeIn } from '../../testing/take-in.node.ts';
import { certificateWithId } from '../../testing/certificate-with-id.ts';
import { withOwnGroup } from '../../testing/own-group.node.ts';
import { groupWithSecret, mateOf, type Mate, trustGroup } from '../../testing/team.node.ts';
import type { FieldPath } from '../vault.ts';

let [ada, bob, eve, mallory]: SignedIn[] = [];
let her: Mate;
let path: FieldPath;
let group: string;
withOwnGroup(
  (people) => ([ada, bob, eve, mallory] = people),
  (own) => ({ her, path, group } = own),
);

/** The person's own trust record is written at any time. */
const isWrite = (request: string) => !request.startsWith('GET ') && !request.endsWith('documents/trust');
const certificateOf = async (person: SignedIn) =>
  (await her.read.members(group)).find(({ user_id }) => user_id === person.userId)?.certificate as Certificate;
async function fingerprintOf(person: SignedIn) {
  const trust = await her.read.keyTrust(person);
  if (trust.state === 'none') throw new Error('no keys');
  return trust.current.fingerprint;
}

describe('a person whose key was never confirmed (M15)', () => {
  test('is shown with the same eight words that the person sees; nothing is sent before the key is confirmed', async () => {
    const his = await mateOf(eve!);
    her.requests.length = 0;
    const trust = await her.read.keyTrust(eve!);
    if (trust.state !== 'unknown') throw new Error(trust.state);
    expect(trust.current.words).toHaveLength(8);
    expect(await his.read.ownKey()).toEqual(trust.current);
    const { fingerprint } = trust.current;
    const adding = her.write.members.add(group, { userId: eve!.userId, fingerprint }, 'member');
    await expect(adding).rejects.toMatchObject({ code: 'key_unconfirmed', userIds: [eve!.userId] });
    expect(her.requests.filter(isWrite)).toEqual([]);
  });

  test('once confirmed, is stored in the sealed record, also for the next device and with the way of confirmation', async () => {
    await takeIn(her, group, bob!, 'moderator');
    const elsewhere = await mateOf(ada!);
    expect(await elsewhere.read.keyTrust(bob!)).toMatchObject({ state: 'trusted', how: 'words', formerName: null });
    expect(await elsewhere.read.keyTrust({ ...bob!, name: 'Robert' })).toMatchObject({ formerName: bob!.name });
    const his = await mateOf(bob!);
    expect((await his.read.reveal(path)).text).toBe('q8-Rf3');
    expect(his.vault.memberships.of(group)).toEqual({ role: 'moderator', isOwnKey: true });
    expect(his.vault.memberships.trust(group)).toEqual({ state: 'unconfirmed', why: 'new' });
  });

  test('M15 still has to be confirmed before sharing after signing a group that was opened here', async () => {
    await takeIn(her, group, bob!, 'moderator');
    const his = await mateOf(bob!);
    await his.read.reveal(path);
    const met = await his.read.keyTrust(ada!);
    if (met.state !== 'unknown') throw new Error(met.state);
    expect((await his.read.keyStates(await his.read.members(group))).get(ada!.userId)).toBe('unknown');
    const own = (await groupWithSecret(his, 'x')).entryGroupId;
    const person = { userId: ada!.userId, fingerprint: met.current.fingerprint };
    his.requests.length = 0;
    await expect(his.write.members.add(own, person, 'member')).rejects.toMatchObject({ code: 'key_unconfirmed' });
    expect(his.requests.filter(isWrite)).toEqual([]);
    // Also on his next device, because reading decides nothing.
    const elsewhere = await mateOf(bob!);
    expect(await elsewhere.read.keyTrust(ada!)).toMatchObject({ state: 'unknown' });
    await elsewhere.write.members.confirmKey(ada!, person.fingerprint, 'first-use');
    expect(await elsewhere.read.keyTrust(ada!)).toMatchObject({ state: 'trusted', how: 'first-use' });
    await elsewhere.write.members.add(own, person, 'member');
    const other = await certificateWithId(ada!.userId);
    elsewhere.forge = (asked, answer) =>
      asked.includes(`${ada!.userId}/certificate`) ? { certificate: other, previous: [] } : answer;
    expect(await elsewhere.read.keyTrust(ada!)).toMatchObject({ state: 'changed', pinned: met.current });
  });

  test('needs no confirmation if it is the signed-in person', async () => {
    expect(await her.read.keyTrust(ada!)).toMatchObject({ state: 'trusted' });
  });
});

describe('a key that is not the confirmed one', () => {
  test('M13 another RSA key under the same certificate is refused, and nothing is sent', async () => {
    const { rsa_spki_base64 } = await certificateOf(ada!);
    her.forge = (asked, answer) => {
      if (!asked.endsWith('/certificate')) return answer;
      const { certificate, previous } = answer as { certificate: Certificate; previous: Certificate[] };
      return { certificate: { ...certificate, rsa_spki_base64 }, previous };
    };
    her.requests.length = 0;
    await expect(her.read.keyTrust(mallory!)).rejects.toMatchObject({ code: 'integrity' });
    expect(her.requests.filter(isWrite)).toEqual([]);
  });

  test('M14 another certificate of a pinned person is blocked, with both word lists, until it is compared', async () => {
    await takeIn(her, group, bob!, 'member');
    const before = await her.read.keyTrust(bob!);
    if (before.state !== 'trusted') throw new Error(before.state);
    const other = await certificateWithId(bob!.userId);
    her.forge = (asked, answer) => {
      if (asked.includes(`${bob!.userId}/certificate`)) return { certificate: other, previous: [] };
      return answer;
    };
    const trust = await her.read.keyTrust(bob!);
    expect(trust).toMatchObject({ state: 'changed', pinned: before.current });
    if (trust.state !== 'changed') throw new Error(trust.state);
    expect(trust.current.words).not.toEqual(trust.pinned.words);
    const { entryGroup } = await her.write.createGroup({ name: 'Other', parentId: null, sameMembers: false });
    her.requests.length = 0;
    const person = { userId: bob!.userId, fingerprint: trust.current.fingerprint };
    const adding = her.write.members.add(entryGroup.entry_group_id, person, 'member');
    await expect(adding).rejects.toMatchObject({ code: 'key_changed' });
    // "Trust for now" is no comparison.
    const trusting = her.write.members.confirmKey(bob!, person.fingerprint, 'first-use');
    await expect(trusting).rejects.toMatchObject({ code: 'key_changed' });
    expect(her.requests.filter(isWrite)).toEqual([]);
  });

  test('M16 a newer key with a valid signature of the pinned one is accepted with a notice; with an invalid one it is blocked', async () => {
    const rsa = await createSharedRsa();
    const first = await createSigner(rsa, eve!.userId);
    const second = await renewSigner(rsa, first, true);
    const showing = ({ certificates }: Signer, newest = certificates.at(-1)!) => {
      const wires = [newest, ...certificates.slice(0, -1)].map((one) => ({ ...one, created_at: '' }));
      her.forge = (asked, answer) =>
        asked.includes(`${eve!.userId}/certificate`) ? { certificate: wires[0], previous: wires.slice(1) } : answer;
    };
    const someone = { userId: eve!.userId, name: `somebody of ${group}` };
    showing(first);
    const before = await her.read.keyTrust(someone);
    // Eve may have been confirmed in another test; the comparison replaces that.
    if (before.state === 'none') throw new Error('no keys');
    await her.write.members.confirmKey(someone, first.keyring.fingerprint, 'words');
    expect(await her.read.keyTrust(someone)).toMatchObject({ state: 'trusted', renewed: false });
    showing(second);
    expect(await her.read.keyTrust(someone)).toMatchObject({
      state: 'trusted',
      how: 'words',
      renewed: true,
      current: { fingerprint: second.keyring.fingerprint },
    });
    showing(second, withBrokenVouch(second.certificate));
    expect(await her.read.keyTrust(someone)).toMatchObject({
      state: 'changed',
      pinned: { fingerprint: first.keyring.fingerprint },
    });
    her.requests.length = 0;
    const person = { userId: eve!.userId, fingerprint: second.keyring.fingerprint };
    await expect(her.write.members.add(group, person, 'member')).rejects.toMatchObject({ code: 'key_changed' });
    expect(her.requests.filter(isWrite)).toEqual([]);
    her.forge = null;
    const real = await her.read.keyTrust(eve!);
    if (real.state === 'none') throw new Error('no keys');
    await her.write.members.confirmKey(eve!, real.current.fingerprint, 'words');
  });

  test('M16 the pin moves to a key that it vouches for, and to no other', async () => {
    const rsa = await createSharedRsa();
    const first = await createSigner(rsa, eve!.userId);
    const second = await renewSigner(rsa, first, true);
    const third = await renewSigner(rsa, second, true);
    const showing = ({ certificates }: Signer) => {
      const wires = certificates.toReversed().map((one) => ({ ...one, created_at: '' }));
      her.forge = (asked, answer) =>
        asked.includes(`${eve!.userId}/certificate`) ? { certificate: wires[0], previous: wires.slice(1) } : answer;
    };
    showing(first);
    await her.read.keyTrust(eve!);
    await her.write.members.confirmKey(eve!, first.keyring.fingerprint, 'words');
    showing(second);
    const renewed = (one: Signer) => her.write.members.confirmKey(eve!, one.keyring.fingerprint, 'renewed');
    // No key chain has been fetched yet.
    await expect(renewed(second)).rejects.toMatchObject({ code: 'key_changed' });
    expect(await her.read.keyTrust(eve!)).toMatchObject({ state: 'trusted', renewed: true });
    await expect(renewed(third)).rejects.toMatchObject({ code: 'key_changed' });
    await renewed(second);
    expect(await her.read.keyTrust(eve!)).toMatchObject({ state: 'trusted', how: 'words', renewed: false });
    showing(first);
    expect(await her.read.keyTrust(eve!)).toMatchObject({ state: 'changed' });
    her.forge = null;
    await her.write.members.confirmKey(eve!, await fingerprintOf(eve!), 'words');
  });

  test('exactly the confirmed key is wrapped for, not one shown later', async () => {
    const fingerprint = await fingerprintOf(eve!);
    await her.write.members.confirmKey(eve!, fingerprint, 'words');
    const wrong = { userId: eve!.userId, fingerprint: 'a'.repeat(64) };
    await expect(her.write.members.add(group, wrong, 'member')).rejects.toMatchObject({ code: 'key_changed' });
  });
});

describe('members', () => {
  test('get another role with the same wrap and lose access at once; refusals are reported', async () => {
    await takeIn(her, group, bob!, 'member');
    await takeIn(her, group, eve!, 'admin');
    await her.write.members.changeRole(group, bob!.userId, 'moderator');
    const his = await mateOf(bob!);
    expect((await his.read.reveal(path)).text).toBe('q8-Rf3');
    expect(his.vault.memberships.of(group)?.role).toBe('moderator');
    await expect(takeIn(her, group, bob!, 'moderator')).rejects.toMatchObject({ code: 'conflict' });
    await expect(her.write.members.remove(group, eve!.userId)).rejects.toMatchObject({ code: 'forbidden' });
    await her.write.members.remove(group, bob!.userId);
    await expect(his.read.reveal(path)).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('can be added by two admins at once: both succeed, one after the other', async () => {
    await takeIn(her, group, eve!, 'admin');
    const his = await mateOf(eve!);
    await trustGroup(his, group);
    await takeIn(his, (await groupWithSecret(his, 'x')).entryGroupId, mallory!, 'member');
    await takeIn(her, (await groupWithSecret(her, 'x')).entryGroupId, bob!, 'member');
    await Promise.all([takeIn(her, group, bob!, 'member'), takeIn(his, group, mallory!, 'member')]);
    const users = (await her.read.members(group)).map(({ user_id }) => user_id);
    expect(users.toSorted()).toEqual([ada!, bob!, eve!, mallory!].map(({ userId }) => userId).toSorted());
    const late = await mateOf(mallory!);
    expect((await late.read.reveal(path)).text).toBe('q8-Rf3');
  });

  test('of an open group are added with one request, under the key just confirmed', async () => {
    await takeIn(her, group, bob!, 'member');
    const fingerprint = await fingerprintOf(eve!);
    await her.write.members.confirmKey(eve!, fingerprint, 'first-use');
    await her.read.members(group);
    her.requests.length = 0;
    await her.write.members.add(group, { userId: eve!.userId, fingerprint }, 'member');
    expect(her.requests.map((request) => request.replace(/^(\w+) .*\//, '$1 '))).toEqual(['POST users']);
  });
});
