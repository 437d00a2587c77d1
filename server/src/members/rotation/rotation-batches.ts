import type { pending as pendingCall, rewraps as rewrapsCall } from '@passwordbroker/core/contract/groups/members';
import type { BodyOf, QueryOf } from '@passwordbroker/core/contract/endpoint';
import type { Wrap } from '@passwordbroker/core/contract/entities';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { readWraps } from '../../entries/move-call.ts';
import type { Database } from '../../db/database.ts';
import type { Deps } from '../../http/context.ts';
import type { GroupInPath } from '../../http/auth/path-repository.ts';
import type { Caller } from '../../operations/caller.ts';
import { forgetFormer, refuseOtherVersion, rotatableInAct } from './rotate-group.ts';
import {
  type Behind,
  type Rewrap,
  countFormer,
  listFormer,
  listVersions,
  writeRewraps,
} from './rotation-repository.ts';

/** @throws AppError `validation` for one without the other */
export function behindOf({ after_field_id, after_rev }: QueryOf<typeof pendingCall>): Behind | undefined {
  if (after_field_id === undefined && after_rev === undefined) return undefined;
  if (after_field_id === undefined) throw refuse('after_field_id', TEXTS.required('after field id'));
  if (after_rev === undefined) throw refuse('after_rev', TEXTS.required('after rev'));
  return { fieldId: after_field_id, rev: after_rev };
}

export async function pendingRewraps(
  db: Database,
  group: Pick<GroupInPath, 'entry_group_id' | 'gk_version'>,
  {
    limit = LIMITS.rotationBatch,
    behind,
  }: { readonly limit?: number | undefined; readonly behind?: Behind | undefined },
): Promise<{ gk_version: number; pending: number; rows: Wrap[] }> {
  const { entry_group_id: groupId, gk_version: version } = group;
  const [former, rows] = await Promise.all([
    countFormer(db.read, groupId, version),
    listFormer(db, { groupId, version, limit, behind }),
  ]);
  return {
    gk_version: version,
    pending: [...former.values()].reduce((sum, revisions) => sum + revisions, 0),
    rows: rows.map(({ cek_wrapped, ...row }) => ({ ...row, cek_wrapped_base64: cek_wrapped.toString('base64') })),
  };
}

/**
 * All or nothing, repeatable (docs/spec/crypto.md §12, phase 2): skips revisions that are rewrapped already.
 * @throws AppError `bad_sealed_value`, `validation`, `key_version_conflict`; `rewrap_set_mismatch` for
 * another group's revision
 */
export async function rewrapBatch(
  deps: Deps,
  caller: Caller,
  groupId: string,
  sent: BodyOf<typeof rewrapsCall>,
): Promise<{ gk_version: number; pending: number; written: number }> {
  const { gk_version } = sent;
  const rewraps = await readRewraps(sent);
  return deps.db.transact(async (tx) => {
    refuseOtherVersion(await rotatableInAct(tx, caller, groupId), gk_version);
    const fieldIds = [...new Set(rewraps.map(({ field_id }) => field_id))];
    const known = new Set((await listVersions(tx, groupId, fieldIds)).map(keyOf));
    if (!rewraps.every((row) => known.has(keyOf(row)))) throw new AppError('rewrap_set_mismatch');
    const written = await writeRewraps(tx, rewraps, gk_version);
    return { gk_version, pending: await forgetFormer(tx, groupId, gk_version), written };
  });
}

const keyOf = ({ field_id, rev }: { readonly field_id: string; readonly rev: number }) => `${field_id} ${rev}`;

async function readRewraps({ gk_version, rewraps }: BodyOf<typeof rewrapsCall>): Promise<Rewrap[]> {
  const wrongAt = rewraps.findIndex(({ from_gk_version }) => from_gk_version >= gk_version);
  if (wrongAt !== -1) {
    throw refuse(`rewraps.${wrongAt}.from_gk_version`, TEXTS.between(1, gk_version - 1)('from gk version'));
  }
  if (new Set(rewraps.map(keyOf)).size !== rewraps.length) throw new AppError('rewrap_set_mismatch');
  return (await readWraps(rewraps)).map((wrap, at) => ({
    ...wrap,
    from_gk_version: rewraps[at]?.from_gk_version ?? 0,
  }));
}
