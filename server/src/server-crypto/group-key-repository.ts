/** What one member needs to open a group: the newest roster with its signer's certificate, and the own grants. */
import type { GroupKeysWire } from '@passwordbroker/core/domain/group-keys';
import type { Database } from '../db/database.ts';
import type { GroupInPath } from '../http/path-repository.ts';
import { asCertificate } from '../users/key-repository.ts';

type Group = Pick<GroupInPath, 'entry_group_id' | 'gk_version' | 'origin'>;

export async function readGroupKeys(db: Database, group: Group, userId: string): Promise<GroupKeysWire> {
  const [grants, roster] = await Promise.all([
    db.read
      .selectFrom('group_grants')
      .select(['user_id', 'gk_version', 'alg', 'wrapped'])
      .where('entry_group_id', '=', group.entry_group_id)
      .where('user_id', '=', userId)
      .execute(),
    db.read
      .selectFrom('group_rosters')
      .select(['bytes', 'sig', 'signer_fpr'])
      .where('entry_group_id', '=', group.entry_group_id)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst(),
  ]);
  const { gk_version, origin } = group;
  return {
    gk_version,
    origin,
    rosters: roster === undefined ? [] : [await withSigner(db, roster)],
    grants: grants.map(({ wrapped, ...grant }) => ({
      ...grant,
      encrypted_aes_password_base64: wrapped.toString('base64'),
    })),
  };
}

async function withSigner(db: Database, roster: { bytes: Buffer; sig: Buffer; signer_fpr: string }) {
  const signer = await db.read
    .selectFrom('user_certificates')
    .selectAll()
    .where('fpr', '=', roster.signer_fpr)
    .executeTakeFirst();
  return {
    roster_base64: roster.bytes.toString('base64'),
    roster_sig_base64: roster.sig.toString('base64'),
    signer_certificate: signer === undefined ? null : asCertificate(signer),
  };
}
