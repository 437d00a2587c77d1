/** Releasing the wrapped keys of entries for a move: no values, so nothing is revealed and no history row is written (docs/spec/api.md §3.8). */
import type { Wrap } from '@passwordbroker/core/contract/entities';
import type { Deps } from '../http/context.ts';
import type { GroupInPath } from '../http/auth/path-repository.ts';
import { chosenEntries } from './chosen-entries.ts';
import { listWraps } from './wrap-repository.ts';

/** @throws AppError `validation` for an entry that is not of the group */
export async function wrapsOf(
  { deps, group }: { readonly deps: Deps; readonly group: GroupInPath },
  entryIds: readonly string[],
): Promise<{ gk_version: number; rows: Wrap[] }> {
  const chosen = await chosenEntries(deps.db.read, group.entry_group_id, entryIds);
  const rows = await listWraps(
    deps.db,
    chosen.map(({ entry_id }) => entry_id),
  );
  return {
    gk_version: group.gk_version,
    rows: rows.map(({ cek_wrapped, ...row }) => ({ ...row, cek_wrapped_base64: cek_wrapped.toString('base64') })),
  };
}
