import type { rotate } from '@passwordbroker/core/contract/groups/members';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import { rewrapRows, startRotation } from '@passwordbroker/core/domain/groups/rotation';
import type { Context } from '../http/context.ts';
import {
  type RotatedGroup,
  refuseOtherVersion,
  rotateGroup,
  pendingRewraps,
  rewrapBatch,
} from '../members/rotation/rotate-group.ts';
import { type OpenedCaller, withCallerKeyring } from './caller-keyring.ts';
import { openAllKeys } from './group-key.ts';
import { acceptOwnList, openAccepted } from './trust/judged-group.ts';
import { recipientsOf, unsignedMembers } from './trust/recipients.ts';
import { AppError } from '@passwordbroker/core/contract/problem';

type Rotating = Context<typeof rotate, PlainBodyOf<typeof rotate>>;

type Rewrapping = Pick<Rotating, 'deps' | 'group' | 'actor' | 'origin'>;

/**
 * Rotates a group's key in several transactions (docs/spec/crypto.md §12). Revisions that do not open count
 * as pending. @throws AppError as `rotateGroup` and `openAccepted`
 */
export async function rotateWithMasterPassword(context: Rotating): Promise<RotatedGroup> {
  return withCallerKeyring(context, context.body.master_password, async (opened) => {
    const rotated = await rotateAnyway(context, opened);
    return { ...rotated, pending: await rewrapAll(context, opened, rotated) };
  });
}

async function rotateAnyway(context: Rotating, opened: OpenedCaller): Promise<RotatedGroup> {
  const { keyring, trust, deps } = opened;
  const groupId = context.group.entry_group_id;
  for (let tries = 1; ; tries += 1) {
    trust.restart();
    const group = await openAccepted(opened, groupId);
    // Of two concurrent rotations the second would be useless.
    refuseOtherVersion({ gk_version: group.shared.gkVersion }, context.group.gk_version);
    const members = group.newest === null ? await unsignedMembers(opened, group) : await recipientsOf(opened, group);
    const { wire } = await startRotation(keyring, group.shared, { members, now: context.deps.clock.now() });
    await acceptOwnList(opened, group, wire.roster_base64);
    try {
      return await rotateGroup(deps, context, groupId, { ...wire, grants: [...wire.grants] });
    } catch (error) {
      if (!isBehind(error) || tries === TRIES) throw error;
    }
  }
}

/** Wraps revisions for the current key. @returns how many do not open */
export async function rewrapAll(
  context: Rewrapping,
  opened: OpenedCaller,
  rotated: Pick<RotatedGroup, 'entry_group_id' | 'gk_version' | 'pending'>,
): Promise<number> {
  const { deps } = context;
  const { entry_group_id, gk_version } = rotated;
  if (rotated.pending === 0) return 0;
  const group = await openAccepted(opened, entry_group_id);
  const byVersion = await openAllKeys(deps, opened.keyring, group, { withUncommitted: true });
  const present = group.groupKey;
  let behind: { fieldId: string; rev: number } | undefined;
  for (;;) {
    const { rows, pending } = await pendingRewraps(deps.db, { entry_group_id, gk_version }, { behind });
    const last = rows.at(-1);
    if (last === undefined || present.version !== gk_version) return pending;
    await rewrapSome(context, rows, { present, byVersion });
    behind = { fieldId: last.field_id, rev: last.rev };
  }
}

async function rewrapSome(
  context: Rewrapping,
  rows: Parameters<typeof rewrapRows>[0],
  keys: { readonly present: GroupKey; readonly byVersion: ReadonlyMap<number, GroupKey> },
): Promise<void> {
  const { rewraps } = await rewrapRows(rows, keys.byVersion, keys.present);
  const batch = { gk_version: keys.present.version, rewraps: [...rewraps] };
  try {
    await rewrapBatch(context.deps, context, context.group.entry_group_id, batch);
  } catch (error) {
    if (!isBehind(error)) throw error;
  }
}

export const TRIES = 20;

/** Whether a retry on the current state can succeed. */
export function isBehind(error: unknown): boolean {
  const codes = ['roster_conflict', 'key_version_conflict', 'rewrap_set_mismatch'];
  return error instanceof AppError && codes.includes(error.code);
}
