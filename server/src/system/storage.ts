/** Stored bytes, quotas and free disk space, for site admins. */
import type { storage } from '@passwordbroker/core/contract/site/system';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import { storedByAll } from '../fields/storage-repository.ts';
import type { Deps } from '../http/context.ts';
import { readSiteLimits } from '../platform/site-settings-repository.ts';

const MIB = 1024 * 1024;

export async function lookAtStorage({ db, space }: Pick<Deps, 'db' | 'space'>): Promise<AnswerOf<typeof storage>> {
  const [stored, limits, disk, problem] = await Promise.all([
    storedByAll(db.read),
    readSiteLimits({ db }),
    space.look(),
    space.problem(),
  ]);
  return {
    stored_bytes: stored,
    site_quota_bytes: limits.site_quota_mib * MIB,
    person_quota_bytes: limits.person_quota_mib * MIB,
    disk: { total_bytes: disk.total, free_bytes: disk.free, margin_bytes: disk.margin, problem },
  };
}
