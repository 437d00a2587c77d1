import { AppError } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { findRevision } from '../../fields/reveal-repository.ts';
import type { Deps } from '../../http/context.ts';
import type { GroupInPath } from '../../http/auth/path-repository.ts';
import { openKeyOfVersion } from '../group-key.ts';

/** A rotation may wrap the revision anew between two reads. */
const READS = 3;

/**
 * Reads a revision and opens its key, during a rotation possibly a former one. `opened`: the group's current
 * key, if known.
 * @throws AppError `not_found`; CryptoError if the caller has no key for it
 */
export async function openKeyOfRevision(
  deps: Pick<Deps, 'db'>,
  keyring: Keyring,
  group: Pick<GroupInPath, 'entry_group_id'>,
  { fieldId, rev, opened }: { readonly fieldId: string; readonly rev: number; readonly opened?: GroupKey },
) {
  for (let reads = 1; reads <= READS; reads += 1) {
    const revision = await findRevision(deps.db, fieldId, rev);
    if (revision === undefined) throw new AppError('not_found');
    if (revision.gk_version === opened?.version) return { revision, groupKey: opened };
    const groupKey = await openKeyOfVersion(deps, keyring, group, revision.gk_version);
    if (groupKey !== null) return { revision, groupKey };
  }
  throw new CryptoError('grant');
}
