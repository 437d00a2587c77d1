/**
 * Opening a group key with grants that the signed roster authenticates: M17, M20 (docs/spec/crypto.md §8,
 * §9).
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodeBase64, encodeBase64, encodeHex } from '../../crypto/bytes.ts';
import { type TestPerson, somePeople } from '../../testing/keyrings.ts';
import { errorCodeOf } from '../../testing/error-code.ts';
import { groupId, otherGroup, listOf, member, signedBy } from '../../testing/groups/two-members.ts';
import {
  type GroupSecret,
  commitmentOf,
  createGroupSecret,
  deriveGroupKey,
  unwrapGroupSecret,
  wrapGroupSecret,
} from './grants.ts';
import { type GroupKeysWire, createGroupKeys, openGroup, withOwnSecret } from './group-keys.ts';
import type { RosterContent } from '../rosters/roster.ts';

let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  [ada, bob] = await somePeople(2);
});

const content = (change?: Partial<RosterContent>) => listOf(ada, bob, change);
const signed = (change?: Partial<RosterContent>) => signedBy(ada, content(change));
describe('the key of a group', () => {
  const made = () =>
    createGroupKeys(ada.keyring, {
      groupId,
      members: [
        { identity: ada.keyring.identity, role: 'admin' },
        { identity: bob.keyring.identity, role: 'member' },
      ],
      now: 1_795_219_200_000,
    });
  const answerFor = ({ userId }: TestPerson, { wire }: Awaited<ReturnType<typeof made>>): GroupKeysWire => ({
    gk_version: 1,
    origin: 'client',
    rosters: [{ ...wire, signer_certificate: ada.bundle.certificate }],
    grants: wire.grants
      .filter((grant) => grant.user_id === userId)
      .map((grant) => ({
        user_id: grant.user_id,
        gk_version: 1,
        alg: 'rsa-oaep-256',
        encrypted_aes_password_base64: grant.encrypted_aes_password,
      })),
  });
  const withGrant = (answer: GroupKeysWire, change: object): GroupKeysWire => ({
    ...answer,
    grants: answer.grants.map((grant) => ({ ...grant, ...change })),
  });
  const wrapped = async (secret: GroupSecret, { keyring }: TestPerson) => ({
    encrypted_aes_password_base64: encodeBase64(await wrapGroupSecret(secret, keyring.identity)),
  });

  test('opens for each member, and roster and commitment agree', async () => {
    const keys = await made();
    for (const person of [ada, bob]) {
      const { groupKey, roster, self } = await openGroup(person.keyring, answerFor(person, keys), groupId);
      expect([groupKey.groupId, groupKey.version]).toEqual([groupId, 1]);
      expect(self).toEqual(member(person, person === ada ? 'admin' : 'member'));
      expect(roster?.gkCommit).toBe(encodeHex(decodeBase64(keys.wire.gk_commit_base64)));
    }
    expect(await errorCodeOf(() => openGroup(bob.keyring, answerFor(ada, keys), groupId))).toBe('grant');
  });

  /** A roster signed by ada with the secret of an existing group, and a grant for bob. */
  const rosterWith = async (members: RosterContent['members']): Promise<GroupKeysWire> => {
    const secret = createGroupSecret();
    const gkCommit = encodeHex(await commitmentOf(secret, groupId, 1));
    const grant = { user_id: bob.userId, gk_version: 1, alg: 'rsa-oaep-256', ...(await wrapped(secret, bob)) };
    return { gk_version: 1, origin: 'client', rosters: [await signed({ gkCommit, members })], grants: [grant] };
  };

  test.each(['client', 'server'] as const)(
    'a person who is not in the newest roster is refused, even with the right secret (origin %s)',
    async (origin) => {
      const answer = { ...(await rosterWith([member(ada, 'admin')])), origin };
      expect(await errorCodeOf(() => openGroup(bob.keyring, answer, groupId))).toBe('roster');
    },
  );

  test('another role or key than the person’s own opens, and is reported', async () => {
    const other = { ...member(bob, 'moderator'), fingerprint: 'cd'.repeat(32) };
    const { self } = await openGroup(bob.keyring, await rosterWith([member(ada, 'admin'), other]), groupId);
    expect(self).toEqual(other);
  });

  test('M17 another secret under the same roster is rejected', async () => {
    const answer = answerFor(bob, await made());
    const injected = await wrapped(createGroupSecret(), bob);
    expect(await errorCodeOf(() => openGroup(bob.keyring, withGrant(answer, injected), groupId))).toBe('grant');
  });

  test('M20 a second secret for another member under one roster is rejected', async () => {
    const [one, other] = [await made(), await made()];
    expect((await openGroup(ada.keyring, answerFor(ada, one), groupId)).groupKey.version).toBe(1);
    const mixed = { ...answerFor(bob, one), grants: answerFor(bob, other).grants };
    expect(await errorCodeOf(() => openGroup(bob.keyring, mixed, groupId))).toBe('grant');
  });

  test('M45 a roster with a key proof is rejected if the proof is missing, wrong or of another roster', async () => {
    const [keys, others] = [await made(), await made()];
    const answer = answerFor(bob, keys);
    const show = (proof: string | null) =>
      openGroup(
        bob.keyring,
        { ...answer, rosters: answer.rosters.map((one) => ({ ...one, roster_proof_base64: proof })) },
        groupId,
      );
    const right = keys.wire.roster_proof_base64;
    expect((await show(right ?? null)).groupKey.version).toBe(1);
    const flipped = decodeBase64(right ?? '').map((byte, at) => (at === 0 ? byte ^ 1 : byte));
    for (const wrong of [null, '', '!', encodeBase64(flipped), others.wire.roster_proof_base64 ?? null])
      expect(await errorCodeOf(() => show(wrong))).toBe('roster');
  });

  test('M45 a copied commitment does not open, because the proof needs the secret', async () => {
    const keys = await made();
    const gkCommit = encodeHex(decodeBase64(keys.wire.gk_commit_base64));
    const forged = await signed({ gkCommit, members: [member(ada, 'admin'), member(bob, 'admin')], hasProof: true });
    const answer = answerFor(bob, keys);
    const [roster] = answer.rosters;
    const rosters = [{ ...forged, roster_proof_base64: roster?.roster_proof_base64 ?? null }];
    expect(await errorCodeOf(() => openGroup(bob.keyring, { ...answer, rosters }, groupId))).toBe('roster');
  });

  test('a commitment is bound to group and version', async () => {
    const secret = createGroupSecret();
    const commits = await Promise.all([
      commitmentOf(secret, groupId, 1),
      commitmentOf(secret, groupId, 2),
      commitmentOf(secret, otherGroup, 1),
      commitmentOf(createGroupSecret(), groupId, 1),
    ]);
    expect(new Set(commits.map(encodeHex)).size).toBe(4);
    expect((await deriveGroupKey(secret, groupId, 1)).groupId).toBe(groupId);
  });

  test('P16 a grant is rejected with another secret, group or version', async () => {
    const secret = createGroupSecret();
    const commit = encodeHex(await commitmentOf(secret, groupId, 1));
    const opened = async () => 'opened';
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.record({ id: fc.uuid() }),
          fc.record({ version: fc.integer({ min: 2, max: 2 ** 40 }) }),
          fc.record({ flip: fc.nat(8 * 64 - 1) }),
        ),
        async (change: { id?: string; version?: number; flip?: number }) => {
          const other = secret.slice() as GroupSecret;
          if (change.flip !== undefined)
            other[change.flip >> 3] = (other[change.flip >> 3] ?? 0) ^ (1 << (change.flip & 7));
          const place = { groupId: change.id ?? groupId, version: change.version ?? 1, gkCommit: commit };
          const grant = {
            user_id: bob.userId,
            gk_version: place.version,
            alg: 'rsa-oaep-256',
            ...(await wrapped(other, bob)),
          };
          expect(await errorCodeOf(() => withOwnSecret(bob.keyring, [grant], place, opened))).toBe('grant');
        },
      ),
      { numRuns: 60 },
    );
    const grant = { user_id: bob.userId, gk_version: 1, alg: 'rsa-oaep-256', ...(await wrapped(secret, bob)) };
    const place = { groupId, version: 1, gkCommit: commit };
    expect(await withOwnSecret(bob.keyring, [grant], place, opened)).toBe('opened');
  });

  test('uses the person’s own grant, in any order of grants', async () => {
    const keys = await made();
    const grants = [...answerFor(ada, keys).grants, ...answerFor(bob, keys).grants];
    for (const person of [ada, bob]) {
      const { groupKey } = await openGroup(person.keyring, { ...answerFor(person, keys), grants }, groupId);
      expect(groupKey.version).toBe(1);
    }
  });

  test('the secret is wiped after the work, also if it fails', async () => {
    const { grants } = answerFor(bob, await made());
    const place = { groupId, version: 1, gkCommit: null };
    const seen: GroupSecret[] = [];
    const keep = (secret: GroupSecret) => {
      expect(secret.some((byte) => byte !== 0)).toBe(true);
      seen.push(secret);
      return seen.length === 1 ? Promise.resolve() : Promise.reject(new Error('work failed'));
    };
    await withOwnSecret(bob.keyring, grants, place, keep);
    await expect(withOwnSecret(bob.keyring, grants, place, keep)).rejects.toThrow('work failed');
    expect(seen.map((secret) => secret.every((byte) => byte === 0))).toEqual([true, true]);
  });

  test('is rejected without or with another roster, grant, version or algorithm, and with a short or damaged wrap', async () => {
    const answer = answerFor(bob, await made());
    const open = (change: Partial<GroupKeysWire>, id = groupId) => openGroup(bob.keyring, { ...answer, ...change }, id);
    expect(await errorCodeOf(() => open({ rosters: [] }))).toBe('roster');
    expect(await errorCodeOf(() => open({}, otherGroup))).toBe('roster');
    expect(await errorCodeOf(() => open({ grants: [] }))).toBe('grant');
    expect(await errorCodeOf(() => open(withGrant(answer, { gk_version: 2 })))).toBe('grant');
    for (const alg of ['rsa-oaep-512', 'hpke-x25519-hkdf256-aes256gcm', '', null]) {
      expect(await errorCodeOf(() => open(withGrant(answer, { alg })))).toBe('grant');
    }
    expect(
      await errorCodeOf(async () => open(withGrant(answer, await wrapped(new Uint8Array(63) as GroupSecret, bob)))),
    ).toBe('grant');
    const zeros = { encrypted_aes_password_base64: encodeBase64(new Uint8Array(384)) };
    expect(await errorCodeOf(() => open(withGrant(answer, zeros)))).toBe('grant');
    expect(await errorCodeOf(() => unwrapGroupSecret(bob.keyring, new Uint8Array(0)))).toBe('grant');
  });

  test('a group that the server created opens by its grant, without a roster', async () => {
    const grant = {
      user_id: bob.userId,
      gk_version: 4,
      alg: 'rsa-oaep-256',
      ...(await wrapped(createGroupSecret(), bob)),
    };
    const answer: GroupKeysWire = { gk_version: 4, origin: 'server', rosters: [], grants: [grant] };
    const { groupKey, roster, self } = await openGroup(bob.keyring, answer, groupId);
    expect([groupKey.version, roster, self]).toEqual([4, null, null]);
    const short = { ...grant, ...(await wrapped(new Uint8Array(63) as GroupSecret, bob)) };
    expect(await errorCodeOf(() => openGroup(bob.keyring, { ...answer, grants: [short] }, groupId))).toBe('grant');
  });

  test('the newest roster determines the key version, not the response', async () => {
    const answer = answerFor(bob, await made());
    expect((await openGroup(bob.keyring, { ...answer, gk_version: 9 }, groupId)).groupKey.version).toBe(1);
  });
});
