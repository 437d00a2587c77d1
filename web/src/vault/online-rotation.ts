/**
 * Rotating a group's key (crypto.md §12): a new one for the members who are left, then batches of what is still under former ones. Every step may be
 * the last: whoever is admin goes on from what the server shows.
 */
import * as groups from '@passwordbroker/core/contract/entry-groups';
import * as members from '@passwordbroker/core/contract/members';
import { AppError } from '@passwordbroker/core/contract/problem';
import { ROTATION_BATCH } from '@passwordbroker/core/domain/rotation';
import type { VaultKeyring } from '../keyring/group-openings.ts';
import type { Http } from '../lib/http.ts';
import type { ListedMembers } from './listed-members.ts';
import { onlineKeys } from './online-keys.ts';
import type { RotateOptions, Rotated } from './people.ts';
import { shownKeysOf } from './shown-keys.ts';
import { writePins } from './write-pins.ts';

export type Rotate = (groupId: string, options?: RotateOptions) => Promise<Rotated>;

const CONFLICTS = new Set(['key_version_conflict', 'roster_conflict', 'rewrap_set_mismatch']);
const isConflict = (failure: unknown) => failure instanceof AppError && CONFLICTS.has(failure.code);

interface Behind {
  readonly after_field_id?: string;
  readonly after_rev?: number;
}

/** How often somebody else may come first before it is told. */
const TRIES = 3;

export function onlineRotation(http: Http, keyring: VaultKeyring, lists: ListedMembers): Rotate {
  const keys = onlineKeys(http, keyring);

  /** A new key, unless there is a newer one than `base` by now: somebody else was faster. */
  async function renew(groupId: string, base: number, { signal, confirmed }: RotateOptions): Promise<void> {
    const params = { g: groupId };
    for (let tries = 1; ; tries += 1) {
      keyring.forgetGroup(groupId);
      await keys.open(groupId, undefined, signal);
      const listed = await shownKeysOf(http, await lists.read(groupId, signal));
      signal?.throwIfAborted();
      const body = await keyring.call('startRotation', { groupId, listed, confirmed: confirmed ?? null });
      if (body.base_gk_version > base) return;
      try {
        // From here on it counts: a stop would leave its answer unread.
        await http.call(members.rotate, { params, body });
        await keyring.keepOwnList(groupId, body);
        return;
      } catch (failure) {
        if (!isConflict(failure) || tries === TRIES) throw failure;
      } finally {
        keyring.forgetGroup(groupId);
        lists.forget(groupId);
      }
    }
  }

  async function finish(groupId: string, { signal, onProgress }: RotateOptions): Promise<Rotated> {
    const params = { g: groupId };
    /** Behind the last row that was tried: what does not open is left behind. */
    const ask = (behind: Behind) => {
      const answer = http.call(members.pending, { params, query: { limit: ROTATION_BATCH, ...behind }, signal });
      // It may be asked for and not be needed any more.
      answer.catch(() => undefined);
      return answer;
    };
    let next = ask({});
    let left: number | null = null;
    let total = 0;
    let conflicts = 0;
    for (;;) {
      const { gk_version: version, pending, rows } = await next;
      total = Math.max(total, pending);
      const last = rows.at(-1);
      if (last === undefined) {
        if (total > 0) onProgress?.(1);
        return { version, skipped: left ?? pending };
      }
      // Listed by the server while this page wraps.
      if (rows.length === ROTATION_BATCH) next = ask({ after_field_id: last.field_id, after_rev: last.rev });
      await keys.open(groupId, version, signal);
      await keys.openOlder(groupId, signal);
      const body = await keyring.call('rewrapOlder', { groupId, rows }, { signal });
      try {
        ({ pending: left } = await http.call(members.rewraps, { params, body, signal }));
        onProgress?.(1 - left / total);
        // The last ones: what is left does not open here.
        if (rows.length < ROTATION_BATCH) return { version, skipped: left };
      } catch (failure) {
        conflicts += 1;
        if (!isConflict(failure) || conflicts === TRIES) throw failure;
        // Somebody has made a newer key meanwhile: everything is under a former one again.
        keyring.forgetGroup(groupId);
        next = ask({});
        left = null;
      }
    }
  }

  return async (groupId, options = {}) => {
    const { entryGroup } = await http.call(groups.get, { params: { g: groupId }, signal: options.signal });
    const isUnsigned = entryGroup.origin === 'server';
    if (isUnsigned) await pinConfirmed(http, keyring, lists, { groupId, confirmed: options.confirmed });
    const isDue = entryGroup.rotation_due || isUnsigned || options.anew === true;
    if (isDue) await renew(groupId, entryGroup.gk_version, options);
    return finish(groupId, options);
  };
}

/** Who is taken into the first signed list is somebody whose key the person has been shown. */
async function pinConfirmed(
  http: Http,
  keyring: VaultKeyring,
  lists: ListedMembers,
  { groupId, confirmed = [] }: { groupId: string; confirmed: RotateOptions['confirmed'] | undefined },
): Promise<void> {
  const { userId: ownId } = await keyring.call('ownKey', null);
  const others = confirmed.filter(({ userId }) => userId !== ownId);
  if (others.length === 0) return;
  const listed = await lists.recent(groupId);
  const nameOf = (id: string) => listed.find(({ user_id }) => user_id === id)?.user.name ?? '';
  const people = others.map(({ userId, fingerprint }) => ({ userId, fingerprint, name: nameOf(userId) }));
  await writePins(http, keyring, people, 'first-use');
}
