/** The groups of a batch: one root, parents before children, each with a key from birth that the caller alone holds (`crypto.md` §19). */
import type { ImportBatch } from '@passwordbroker/core/contract/import';
import { AppError } from '@passwordbroker/core/contract/problem';
import { decodeBase64, encodeHex } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { PublicIdentity } from '@passwordbroker/core/domain/certificate';
import { foldText } from '@passwordbroker/core/domain/fold-text';
import { GRANT_ALGORITHM } from '@passwordbroker/core/domain/grants';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { verifyRosterOf } from '@passwordbroker/core/domain/roster';
import { isGroupSecretWrapShape } from '@passwordbroker/core/domain/sealed-shape';
import type { Tables } from '../db/schema.ts';
import { misplaced, unknownReference } from './batch-problem.ts';
import { malformed } from './malformed-tmp.ts';
import { timeOf } from './batch-time.ts';

type BatchGroup = ImportBatch['groups'][number];

/** Who imports, with the present keys. */
export interface Importer {
  readonly userId: string;
  readonly identity: PublicIdentity;
  readonly now: number;
  newId(): string;
}

export interface GroupRows {
  readonly group: Tables['entry_groups'];
  readonly member: Tables['group_members'];
  readonly key: Tables['group_keys'];
  readonly grant: Tables['group_grants'];
  readonly roster: Tables['group_rosters'];
}

const VERSION = 1;

/** Checks one group after another and answers its rows; keeps the paths of those before. */
export function groupReader(importer: Importer) {
  const paths = new Map<string, string>();
  const pathOf = (group: BatchGroup, at: number): string => {
    const { entry_group_id: id, parent_entry_group_id: parent } = group;
    if (paths.has(id)) throw new AppError('id_taken');
    if ((parent === undefined) !== (at === 0)) throw unknownReference('batch', 'groups', at, 'parent_entry_group_id');
    if (parent === undefined) return id;
    const above = paths.get(parent);
    if (above === undefined) throw unknownReference('batch', 'groups', at, 'parent_entry_group_id');
    if (above.split('.').length >= LIMITS.treeDepth) {
      throw misplaced(
        `The tree is deeper than ${LIMITS.treeDepth} groups.`,
        'batch',
        'groups',
        at,
        'parent_entry_group_id',
      );
    }
    return `${above}.${id}`;
  };
  return {
    has: (groupId: string) => paths.has(groupId),
    async read(group: BatchGroup, at: number): Promise<GroupRows> {
      const path = pathOf(group, at);
      paths.set(group.entry_group_id, path);
      return rowsOf(importer, group, path, await checkKey(importer, group, at));
    },
  };
}

interface CheckedKey {
  readonly commit: Buffer;
  readonly wrapped: Buffer;
  readonly roster: Buffer;
  readonly signature: Buffer;
}

async function checkKey({ userId, identity }: Importer, group: BatchGroup, at: number): Promise<CheckedKey> {
  const place = ['batch', 'groups', at] as const;
  const bytes = (name: 'gk_commit_base64' | 'roster_base64' | 'roster_sig_base64') =>
    decoded(group[name], ...place, name);
  const [commit, roster, signature] = [bytes('gk_commit_base64'), bytes('roster_base64'), bytes('roster_sig_base64')];
  if (commit.length !== 32) throw malformed(...place, 'gk_commit_base64');
  const [grant, ...others] = group.grants;
  const isOwn = grant?.user_id === userId && grant.role === 'admin' && grant.recipient_fpr === identity.fingerprint;
  if (grant === undefined || others.length > 0 || !isOwn) throw new AppError('rewrap_set_mismatch');
  const wrapped = decoded(grant.encrypted_aes_password, ...place, 'grants', 0, 'encrypted_aes_password');
  if (!isGroupSecretWrapShape(wrapped, identity.rsa.bits)) {
    throw malformed(...place, 'grants', 0, 'encrypted_aes_password');
  }
  const content = await verifyRosterOf(identity, group, group.entry_group_id).catch((error: unknown) => {
    throw error instanceof CryptoError ? malformed(...place, 'roster_base64') : error;
  });
  const [member, ...more] = content.members;
  const isBirth = content.seq === 0 && content.gkVersion === VERSION && content.gkCommit === encodeHex(commit);
  const isAlone = more.length === 0 && member?.userId === userId && member.fingerprint === identity.fingerprint;
  if (!isBirth || !isAlone) throw new AppError('roster_conflict', { details: { current_seq: null } });
  return { commit, wrapped, roster, signature };
}

/** Strictly decoded base64. */
export function decoded(text: string, ...place: readonly (string | number)[]): Buffer {
  try {
    return Buffer.from(decodeBase64(text).buffer);
  } catch {
    throw malformed(...place);
  }
}

function rowsOf(importer: Importer, group: BatchGroup, path: string, key: CheckedKey): GroupRows {
  const { userId, identity, now } = importer;
  const { entry_group_id, name } = group;
  const created_at = timeOf(group.created_at, now);
  return {
    group: {
      entry_group_id,
      parent_entry_group_id: group.parent_entry_group_id ?? null,
      materialized_path: path,
      name,
      name_folded: foldText(name),
      gk_version: VERSION,
      origin: 'client',
      rotation_due: 0,
      roster_seq: 0,
      created_by: userId,
      created_at,
      updated_at: timeOf(group.updated_at, now),
      trashed_by: null,
    },
    member: { id: importer.newId(), entry_group_id, user_id: userId, role: 'admin', created_at: now, updated_at: now },
    key: { entry_group_id, gk_version: VERSION, gk_commit: key.commit, created_at: now },
    grant: {
      entry_group_id,
      gk_version: VERSION,
      user_id: userId,
      alg: GRANT_ALGORITHM,
      wrapped: key.wrapped,
      role: 'admin',
      recipient_fpr: identity.fingerprint,
      granted_by: userId,
      created_at: now,
    },
    roster: {
      entry_group_id,
      seq: 0,
      bytes: key.roster,
      sig: key.signature,
      signer: userId,
      signer_fpr: identity.fingerprint,
      created_at: now,
    },
  };
}
