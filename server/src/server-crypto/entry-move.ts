import type { move, moveMany, rewrapped } from '@passwordbroker/core/contract/entries/entries';
import type { BodyOf, PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import { TEXTS } from '@passwordbroker/core/contract/inputs';
import { AppError, refuse } from '@passwordbroker/core/contract/problem';
import { rewrapField } from '@passwordbroker/core/domain/fields/field';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { can } from '@passwordbroker/core/domain/policy';
import { chosenEntries } from '../entries/entry-checks.ts';
import { type WrapRow, listWraps } from '../entries/wrap-repository.ts';
import { NO_RIGHT_THERE } from '../groups/change-group.ts';
import { type SealedForm, sealedForm } from '../http/answer/answer.ts';
import type { Actor, Context, Deps } from '../http/context.ts';
import { type GroupInPath, findGroup } from '../http/auth/path-repository.ts';
import type * as z from 'zod/mini';
import { withCallerKeyring } from './caller-keyring.ts';
import { openAllKeys } from './group-key.ts';
import { openAccepted, type TrustingCaller } from './trust/judged-group.ts';

type Rewrapped = z.output<z.ZodMiniObject<typeof rewrapped>>;
const PORTION = 200;

async function findTarget(deps: Deps, actor: Actor, groupId: string): Promise<GroupInPath> {
  const target = await findGroup(deps.db, groupId, actor.userId);
  if (target === undefined) throw refuse('entryGroupTarget', TEXTS.unknown('entryGroupTarget'));
  const { role } = target;
  if (role === null || !can(role, 'entry.write')) throw new AppError('forbidden', { message: NO_RIGHT_THERE });
  return { ...target, role };
}

/**
 * Wraps every revision of these entries for the other group. @throws AppError `key_version_conflict` for a
 * revision whose key the caller lacks
 */
export async function rewrapEntries(
  caller: TrustingCaller,
  {
    from,
    to,
    entryIds,
    isByJournal = false,
  }: {
    readonly from: GroupInPath;
    readonly to: GroupInPath;
    readonly entryIds: readonly string[];
    /** True if the journal names the groups: the trust record must know them. */
    readonly isByJournal?: boolean;
  },
): Promise<Rewrapped> {
  const { deps, keyring } = caller;
  const [source, target] = [
    await openAccepted(caller, from.entry_group_id, { mayBeNew: !isByJournal }),
    await openAccepted(caller, to.entry_group_id, { mayBeNew: !isByJournal }),
  ];
  const keys = { from: await openAllKeys(deps, keyring, source, { withUncommitted: false }), to: target.groupKey };
  const rows = await listWraps(deps.db, entryIds);
  const rewraps = [];
  for (let at = 0; at < rows.length; at += PORTION) {
    rewraps.push(...(await Promise.all(rows.slice(at, at + PORTION).map((row) => rewrapRow(keys, row)))));
  }
  return { target_gk_version: keys.to.version, rewraps };
}

/** During a rotation a revision may still be under a former key. */
async function rewrapRow(
  { from, to }: { readonly from: ReadonlyMap<number, GroupKey>; readonly to: GroupKey },
  row: WrapRow,
) {
  const key = from.get(row.gk_version);
  if (key === undefined) {
    const current_gk_version = Math.max(...from.keys());
    throw new AppError('key_version_conflict', { details: { current_gk_version } });
  }
  const { entry_id: entryId, field_id: fieldId, type, rev } = row;
  const place = { entryGroupId: key.groupId, entryId, fieldId, type, rev };
  return {
    field_id: fieldId,
    rev,
    cek_wrapped: await rewrapField(key, to, place, row.cek_wrapped.toString('base64')),
  };
}

async function rewrapForMove(
  context: Pick<Context<typeof moveMany, unknown>, 'deps' | 'actor' | 'origin' | 'group'>,
  masterPassword: unknown,
  { targetId, entryIds }: { readonly targetId: string; readonly entryIds: readonly string[] },
) {
  const { deps, actor, group } = context;
  const target = await findTarget(deps, actor, targetId);
  const chosen = await chosenEntries(deps.db.read, group.entry_group_id, entryIds);
  return withCallerKeyring(context, masterPassword, async (opened) => {
    const isSame = target.entry_group_id === group.entry_group_id;
    const way = { from: group, to: target, entryIds: chosen.map(({ entry_id }) => entry_id) };
    const sealed = isSame ? { target_gk_version: group.gk_version, rewraps: [] } : await rewrapEntries(opened, way);
    return { sealed, recording: opened.deps };
  });
}

export async function sealMoveMany(
  context: Context<typeof moveMany, PlainBodyOf<typeof moveMany>>,
): Promise<SealedForm<BodyOf<typeof moveMany>>> {
  const { entries, entryGroupTarget, master_password } = context.body;
  const request = { targetId: entryGroupTarget, entryIds: entries };
  const { sealed, recording } = await rewrapForMove(context, master_password, request);
  return sealedForm({ entries, entryGroupTarget, ...sealed }, { deps: recording });
}

export async function sealMove(
  context: Context<typeof move, PlainBodyOf<typeof move>>,
): Promise<SealedForm<BodyOf<typeof move>>> {
  const { entryGroupTarget, master_password } = context.body;
  const request = { targetId: entryGroupTarget, entryIds: [context.entry.entry_id] };
  const { sealed, recording } = await rewrapForMove(context, master_password, request);
  return sealedForm({ entryGroupTarget, ...sealed }, { deps: recording });
}
