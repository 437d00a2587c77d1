/** Sharing a group of the demonstration team: the secret wrapped for each member, and the next roster signed, by the same functions as in a client. */
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { GRANT_ALGORITHM, unwrapGroupSecret, wrapGroupSecret } from '@passwordbroker/core/domain/grants';
import type { NewGroupKeyWire } from '@passwordbroker/core/domain/group-keys';
import type { Role } from '@passwordbroker/core/domain/policy';
import { hashRoster, readRoster, signRoster } from '@passwordbroker/core/domain/roster';
import type { Deps } from '../http/context.ts';
import type { SeededPerson } from './people.ts';
import { insertMember, insertRoster } from './seed-repository.ts';

export interface Share {
  readonly person: SeededPerson;
  readonly role: Role;
}

/** Adds the members to a group that its maker has just made with this key. */
export async function shareGroup(
  deps: Deps,
  maker: SeededPerson,
  groupId: string,
  key: NewGroupKeyWire,
  shares: readonly Share[],
): Promise<void> {
  const own = key.grants[0];
  if (own === undefined || shares.length === 0) return;
  const birth = decodeBase64(key.roster_base64);
  const { gkVersion, gkCommit, members } = readRoster(birth);
  const now = deps.clock.now();
  const roster = await signRoster(maker.keyring, {
    groupId,
    seq: 1,
    prev: await hashRoster(birth),
    gkVersion,
    gkCommit,
    members: [
      ...members,
      ...shares.map(({ person, role }) => ({
        userId: person.keyring.userId,
        role,
        fingerprint: person.keyring.fingerprint,
      })),
    ],
    ts: Math.floor(now / 1000),
  });
  const secret = await unwrapGroupSecret(maker.keyring, decodeBase64(own.encrypted_aes_password));
  const wrapped = await Promise.all(
    shares.map(async ({ person }) => Buffer.from(await wrapGroupSecret(secret, person.keyring.identity))),
  );
  secret.fill(0);
  const signer = maker.keyring;
  await deps.db.transact(async (tx) => {
    for (const [at, { person, role }] of shares.entries()) {
      await insertMember(tx, {
        id: deps.newId(),
        groupId,
        userId: person.keyring.userId,
        role,
        wrapped: wrapped[at] ?? Buffer.alloc(0),
        fingerprint: person.keyring.fingerprint,
        grantedBy: signer.userId,
        alg: GRANT_ALGORITHM,
        now,
      });
    }
    await insertRoster(tx, {
      entry_group_id: groupId,
      seq: 1,
      bytes: Buffer.from(decodeBase64(roster.roster_base64)),
      sig: Buffer.from(decodeBase64(roster.roster_sig_base64)),
      signer: signer.userId,
      signer_fpr: signer.fingerprint,
      created_at: now,
    });
  });
}
