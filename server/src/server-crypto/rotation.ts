/** Rotating a group's key with a master password: both phases in one call, each act a transaction of its own (`crypto.md` §12). */
import type { rotate } from '@passwordbroker/core/contract/members';
import type { PlainBodyOf } from '@passwordbroker/core/contract/endpoint';
import type { GroupKey } from '@passwordbroker/core/domain/grants';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import { rewrapRows, startRotation } from '@passwordbroker/core/domain/rotation';
import type { Context, Deps } from '../http/context.ts';
import { type Rotated, refuseOtherVersion, rotateGroup } from '../members/rotate-group.ts';
import { pendingRewraps, rewrapBatch } from '../members/rotation-batches.ts';
import { withCallerKeyring } from './caller-keyring.ts';
import { openAllKeys } from './group-key.ts';
import { isBehind, readGroupForAct } from './shared-group.ts';

type Rotating = Context<typeof rotate, PlainBodyOf<typeof rotate>>;

type Rewrapping = Pick<Rotating, 'deps' | 'group' | 'actor' | 'origin'>;

/** How often the first phase is made anew because others changed the members meanwhile. */
const TRIES = 20;

/**
 * What cannot be opened stays under its version and counts as pending.
 * @throws AppError as `rotateGroup`
 */
export async function rotateWithMasterPassword(context: Rotating): Promise<Rotated> {
  return withCallerKeyring(context, context.body.master_password, async ({ keyring, deps }) => {
    const rotated = await rotateAnyway(context, keyring, deps);
    return { ...rotated, pending: await rewrapAll(context, keyring, rotated) };
  });
}

async function rotateAnyway(context: Rotating, keyring: Keyring, recording: Deps): Promise<Rotated> {
  const groupId = context.group.entry_group_id;
  for (let tries = 1; ; tries += 1) {
    const { shared, members } = await readGroupForAct(context.deps, keyring, groupId);
    // Of two who rotate at once one is told: a second rotation would serve nobody.
    refuseOtherVersion({ gk_version: shared.gkVersion }, context.group.gk_version);
    const { wire } = await startRotation(keyring, shared, { members, now: context.deps.clock.now() });
    try {
      return await rotateGroup(recording, context, groupId, { ...wire, grants: [...wire.grants] });
    } catch (error) {
      if (!isBehind(error) || tries === TRIES) throw error;
    }
  }
}

/** Wraps everything that is under a former version for the present one. @returns how many revisions do not open, and stay */
export async function rewrapAll(
  context: Rewrapping,
  keyring: Keyring,
  rotated: Pick<Rotated, 'entry_group_id' | 'gk_version' | 'pending'>,
): Promise<number> {
  const { deps, group } = context;
  const { entry_group_id, gk_version } = rotated;
  if (rotated.pending === 0) return 0;
  const { present, byVersion } = await openAllKeys(deps, keyring, group);
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
