/** Signing the members of a group again adds the next list or changes nothing (T125). */
import { describe, expect, test } from 'vitest';
import type { Roster } from '@passwordbroker/core/contract/entities';
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { decodeBase64, encodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { openGroup, withOwnSecret } from '@passwordbroker/core/domain/groups/group-keys';
import { presentVersionOf } from '@passwordbroker/core/domain/groups/member-change';
import { type RosterContent, hashRoster, signRoster, isProofOf } from '@passwordbroker/core/domain/rosters/roster';
import { everything } from '../operations/testing/vault.ts';
import type { SealedPlace } from '../testing/sealed-place.ts';
import type { SignedIn, TestApp } from '../testing/test-app.ts';
import { callWithProof } from '../testing/test-proof.ts';
import { withSharedPlace } from './testing/shared-place.ts';
import type { Sharing } from './testing/sharing.ts';

let app: TestApp;
let as: Sharing;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let place: SealedPlace;
withSharedPlace(
  (people) => ({ app, as, ada, bob, eve } = people),
  (newPlace) => (place = newPlace),
);

const PROOF = encodeBase64(new Uint8Array(32).fill(7));
const put = (body: object, person = ada) =>
  callWithProof(app, person, members.signRoster, { params: { g: place.g }, body });
const signAgain = async (person = ada) => put(await as.signing(person, place.g), person);
/** Signs the next list as Ada, with a change. */
async function signed(change: Partial<RosterContent>, signer = ada) {
  const { content, hash } = (await as.view(ada, place.g)).shared.roster!;
  const next = { ...content, seq: content.seq + 1, prev: hash, ts: content.ts + 1, ...change };
  return { ...(await signRoster(signer.keyring, next)), roster_proof_base64: PROOF };
}
async function refused(body: object, problem: object, person = ada): Promise<void> {
  const before = await everything(app.deps);
  await expect(put(body, person)).rejects.toMatchObject(problem);
  expect(await everything(app.deps)).toBe(before);
}
const hashOf = ({ roster_base64 }: { readonly roster_base64: string }) => hashRoster(decodeBase64(roster_base64));
async function isProved({ roster_base64: rosterBase64, roster_proof_base64 }: Roster): Promise<boolean> {
  const { shared } = await as.view(ada, place.g);
  const list = { groupId: place.g, version: 1, rosterBase64 };
  return withOwnSecret(ada.keyring, shared.grants, presentVersionOf(shared), (secret) =>
    isProofOf(roster_proof_base64, secret, list),
  );
}
async function lastEvent() {
  const { event_type, target_id, details } = await app.deps.db.read
    .selectFrom('audit_log')
    .select(['event_type', 'target_id', 'details'])
    .orderBy('audit_id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return [event_type, target_id, JSON.parse(details ?? 'null') as unknown];
}

test('T125: signing the same members again adds the next list with a proof under the same key, and is recorded', async () => {
  await as.add(ada, place.g, bob, 'member');
  const before = await ada.call(groups.get, { params: { g: place.g } });
  const stored = await signAgain();
  const { rosters, gk_version } = await bob.call(groups.roster, { params: { g: place.g } });
  expect([rosters, gk_version, stored.seq]).toEqual([[stored], 1, 2]);
  expect(await lastEvent()).toEqual(['roster_signed', place.g, { seq: 2, roster_hash: await hashOf(stored) }]);
  expect(await ada.call(groups.get, { params: { g: place.g } })).toEqual(before);
  // Members can open it and check that its signer holds the key.
  const { groupKey } = await openGroup(
    bob.keyring,
    { ...(await bob.call(groups.roster, { params: { g: place.g } })) },
    place.g,
  );
  expect(groupKey.version).toBe(1);
});

test('T125: signing again gives a list of release 1.0 a proof', async () => {
  const { content } = (await as.view(ada, place.g)).shared.roster!;
  const { hasProof: _hasProof, ...old } = content;
  const { roster_base64, roster_sig_base64 } = await signRoster(ada.keyring, old);
  const [bytes, sig] = [roster_base64, roster_sig_base64].map((text) => Buffer.from(text, 'base64'));
  await app.deps.db.transact((tx) =>
    tx
      .updateTable('group_rosters')
      .set({ bytes: bytes!, sig: sig!, proof: null })
      .where('entry_group_id', '=', place.g)
      .execute(),
  );
  expect(await isProved(await signAgain())).toBe(true);
});

test('T125: a list that names the lists it supersedes is accepted', async () => {
  const supersedes = ['ab'.repeat(32)];
  expect(await put(await signed({ supersedes }))).toMatchObject({ seq: 1 });
});

test('T125: a removed person is left out; a list with them or with another person is refused', async () => {
  await as.add(ada, place.g, bob, 'member');
  const [withBob, { content }] = [await signed({}), (await as.view(ada, place.g)).shared.roster!];
  const withoutBob = content.members.filter(({ userId }) => userId !== bob.userId);
  const conflict = { status: 409, code: 'roster_conflict', details: { current_seq: 1 } };
  await refused(await signed({ members: withoutBob }), conflict);
  await as.remove(ada, place.g, bob);
  await refused(withBob, conflict);
  const stranger = { userId: eve.userId, role: 'member' as const, fingerprint: eve.keyring.fingerprint };
  await refused(await signed({ members: [...withoutBob, stranger] }), conflict);
  expect(await put(await signed({ members: withoutBob }))).toMatchObject({ seq: 2 });
  expect((await ada.call(groups.get, { params: { g: place.g } })).entryGroup.rotation_due).toBe(true);
});

describe('T125: refused without a change:', () => {
  const conflict = { status: 409, code: 'roster_conflict', details: { current_seq: 0 } };
  const malformed = (member: string) => ({ status: 422, errors: { [member]: [expect.any(String)] } });
  const bobs = () => [{ userId: ada.userId, role: 'admin' as const, fingerprint: bob.keyring.fingerprint }];
  test.each<[string, () => Promise<object>, object]>([
    ['a number that is taken already', () => signed({ seq: 0, prev: '' }), conflict],
    ['a number that is too high', () => signed({ seq: 2 }), conflict],
    ['another previous list', () => signed({ prev: '00'.repeat(32) }), conflict],
    ['another key version', () => signed({ gkVersion: 2 }), conflict],
    ['another commitment', () => signed({ gkCommit: '00'.repeat(32) }), conflict],
    ['another key of a member', () => signed({ members: bobs() }), malformed('roster_base64')],
    ['another group', () => signed({ groupId: app.deps.newId() }), malformed('roster_base64')],
    ['another signer', () => signed({}, bob), malformed('roster_base64')],
    [
      'no proof',
      async () => ({ ...(await signed({})), roster_proof_base64: undefined }),
      malformed('roster_proof_base64'),
    ],
    [
      'a proof of 31 bytes',
      async () => ({ ...(await signed({})), roster_proof_base64: encodeBase64(new Uint8Array(31)) }),
      malformed('roster_proof_base64'),
    ],
    [
      'a proof that the list does not mention',
      async () => {
        const { hasProof: _, ...unproved } = (await as.view(ada, place.g)).shared.roster!.content;
        const { hash } = (await as.view(ada, place.g)).shared.roster!;
        return { ...(await signRoster(ada.keyring, { ...unproved, seq: 1, prev: hash })), roster_proof_base64: PROOF };
      },
      malformed('roster_proof_base64'),
    ],
    [
      'no signature',
      async () => ({ ...(await signed({})), roster_sig_base64: undefined }),
      malformed('roster_sig_base64'),
    ],
    [
      'a signature of another list',
      async () => ({ ...(await signed({})), roster_sig_base64: (await signed({ seq: 9 })).roster_sig_base64 }),
      malformed('roster_base64'),
    ],
    [
      'no list',
      async () => ({ roster_base64: 'AAAA', roster_sig_base64: 'AAAA', roster_proof_base64: PROOF }),
      malformed('roster_base64'),
    ],
  ])('%s', async (_name, body, problem) => {
    await refused(await body(), problem);
  });

  test('a person who is no longer admin', async () => {
    await as.add(ada, place.g, bob, 'admin');
    const body = await as.signing(bob, place.g);
    await as.add(ada, place.g, bob, 'moderator');
    await refused(body, { status: 403 }, bob);
  });

  test('a group that the server made: only a rotation signs its members', async () => {
    const { entryGroup } = await ada.call(groups.create, {
      body: { name: 'Server', master_password: undefined } as never,
    });
    const body = { ...(await signed({ groupId: entryGroup.entry_group_id, seq: 0, prev: '' })) };
    await expect(
      callWithProof(app, ada, members.signRoster, { params: { g: entryGroup.entry_group_id }, body }),
    ).rejects.toMatchObject({ code: 'roster_conflict', details: { current_seq: null } });
  });
});

test('T125: of two concurrent signings one gets a conflict', async () => {
  await as.add(ada, place.g, bob, 'admin');
  const results = await Promise.allSettled([signAgain(ada), signAgain(bob)]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('T125: with a master password the server signs in the caller’s name', async () => {
  await as.add(ada, place.g, bob, 'member');
  const body = { master_password: ada.masterPassword };
  const stored = await ada.call(members.signRoster, { params: { g: place.g }, body });
  expect(stored).toMatchObject({ seq: 2, signer: ada.userId });
  expect(await isProved(stored)).toBe(true);
  await expect(ada.call(members.signRoster, { params: { g: place.g }, body: {} })).rejects.toMatchObject({
    errors: { master_password: ['MasterPassword is missing'] },
  });
});

test('T125: each event about members has the hash of the list that it created', async () => {
  const newest = async () => (await ada.call(groups.roster, { params: { g: place.g } })).rosters.at(-1)!;
  const events = await app.deps.db.read
    .selectFrom('audit_log')
    .select('details')
    .where('event_type', '=', 'group_created')
    .where('target_id', '=', place.g)
    .execute();
  expect(events.map(({ details }) => JSON.parse(details ?? 'null') as unknown)).toEqual([
    { roster_hash: await hashOf(await newest()) },
  ]);
  await as.add(ada, place.g, bob, 'member');
  expect(await lastEvent()).toMatchObject(['role_granted', place.g, { roster_hash: await hashOf(await newest()) }]);
  await as.add(ada, place.g, bob, 'moderator');
  expect(await lastEvent()).toMatchObject(['role_changed', place.g, { roster_hash: await hashOf(await newest()) }]);
  await as.rotate(ada, place.g);
  expect(await lastEvent()).toMatchObject(['key_rotated', place.g, { roster_hash: await hashOf(await newest()) }]);
});
