/** One revision and the key that it is under: during a rotation that may still be a former one. */
import { AppError } from '@passwordbroker/core/contract/problem';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { findRevision } from '../../fields/reveal-repository.ts';
import type { Deps } from '../../http/context.ts';
import type { GroupInPath } from '../../http/auth/path-repository.ts';
import { openKeyOfVersion } from '../group-key.ts';

/** It may be wrapped anew between two looks; not many times. */
const READS = 3;

/** `opened`: the group's present key, where it is at hand. Throws `CryptoError` when the caller has no key for it. @throws AppError `not_found` for a revision that there is not */
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
