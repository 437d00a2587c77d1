/**
 * Rotates a group's key, then wraps older content keys in batches. May stop after any step; any admin's
 * browser continues.
 */
import * as groups from '@passwordbroker/core/contract/groups/entry-groups';
import * as members from '@passwordbroker/core/contract/groups/members';
import { AppError } from '@passwordbroker/core/contract/problem';
import { ROTATION_BATCH } from '@passwordbroker/core/domain/groups/rotation';
import type { Certificate } from '@passwordbroker/core/contract/entities';
import type { InputOf } from '../../keyring/calls.ts';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import { type ListedMembers, shownKeysOf, memberDifferences } from '../trust/listed-members.ts';
import type { OnlineKeys } from '../online-keys.ts';
import type { RotateOptions, Rotated } from './people.ts';
import { trustError } from '../../keyring/keyring-error.ts';
import type { TrustSync } from '../trust/trust-sync.ts';
import { signRoster } from '@passwordbroker/core/contract/groups/members';

/** @returns the present version and the number of values that did not open. Throws like `startRotation`. */
export type Rotate = (groupId: string, options?: RotateOptions) => Promise<Rotated>;

const CONFLICTS = new Set(['key_version_conflict', 'roster_conflict', 'rewrap_set_mismatch']);
const isConflict = (failure: unknown) => failure instanceof AppError && CONFLICTS.has(failure.code);

interface Behind {
  readonly after_field_id?: string;
  readonly after_rev?: number;
}

/** Attempts against concurrent rotations. */
const TRIES = 3;

interface Parts {
  readonly keys: OnlineKeys;
  readonly lists: ListedMembers;
  readonly sync: TrustSync;
}

export function onlineRotation(http: Http, keyring: VaultKeyring, { keys, lists, sync }: Parts): Rotate {
  /** Makes a new key unless one newer than `base` exists. */
  async function renew(
    groupId: string,
    base: number,
    { signal, confirmed, isUnasked = false }: RotateOptions,
  ): Promise<void> {
    const params = { g: groupId };
    for (let tries = 1; ; tries += 1) {
      keyring.forgetGroup(groupId);
      await keys.open(groupId, undefined, signal);
      const listed = await shownKeysOf(http, await lists.read(groupId, signal));
      signal?.throwIfAborted();
      const body = await keyring.call('startRotation', {
        groupId,
        listed,
        confirmed: confirmed ?? null,
        isUnasked,
      });
      if (body.base_gk_version > base) return;
      try {
        // Not cancelled by the signal: the answer of this write is needed.
        await http.call(members.rotate, { params, body });
        await keyring.keepOwnList(groupId, body);
        sync.soon();
        return;
      } catch (failure) {
        if (!isConflict(failure) || tries === TRIES) throw failure;
      } finally {
        keyring.forgetGroup(groupId);
        lists.forget(groupId);
      }
    }
  }

  async function finish(groupId: string, { signal, onProgress, isUnasked = false }: RotateOptions): Promise<Rotated> {
    const params = { g: groupId };
    /** Rows after the last attempted one, so that rows that do not open are not repeated. */
    const ask = (behind: Behind) => {
      const answer = http.call(members.pending, { params, query: { limit: ROTATION_BATCH, ...behind }, signal });
      // Fetched ahead; a failure matters only if the rows are used.
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
      if (rows.length === ROTATION_BATCH) next = ask({ after_field_id: last.field_id, after_rev: last.rev });
      await keys.open(groupId, version, signal);
      await keys.openOlder(groupId, signal);
      const body = await keyring.call('rewrapOlder', { groupId, rows, isUnasked }, { signal });
      try {
        ({ pending: left } = await http.call(members.rewraps, { params, body, signal }));
        onProgress?.(1 - left / total);
        // The remaining rows do not open here.
        if (rows.length < ROTATION_BATCH) return { version, skipped: left };
      } catch (failure) {
        conflicts += 1;
        if (!isConflict(failure) || conflicts === TRIES) throw failure;
        // There is a newer key: start over.
        keyring.forgetGroup(groupId);
        next = ask({});
        left = null;
      }
    }
  }

  return async (groupId, options = {}) => {
    const { entryGroup } = await http.call(groups.get, { params: { g: groupId }, signal: options.signal });
    await keys.open(groupId, undefined, options.signal);
    if (options.isUnasked === true && !(await keyring.call('mayUnasked', { groupId }))) throw trustError('unasked');
    const isUnsigned = keyring.memberships.trust(groupId)?.state === 'unsigned';
    if (isUnsigned) await decideConfirmed(keyring, lists, { groupId, confirmed: options.confirmed });
    const isDue = entryGroup.rotation_due || isUnsigned || options.force === true;
    if (isDue) await renew(groupId, entryGroup.gk_version, options);
    return finish(groupId, options);
  };
}

/**
 * Trusts the keys of the confirmed people on first use, as shown to the person. Keys that are trusted already
 * stay.
 */
async function decideConfirmed(
  keyring: VaultKeyring,
  lists: ListedMembers,
  { groupId, confirmed = [] }: { groupId: string; confirmed: RotateOptions['confirmed'] | undefined },
): Promise<void> {
  const { userId: ownId } = await keyring.call('ownKey', null);
  const others = confirmed.filter(({ userId }) => userId !== ownId);
  if (others.length === 0) return;
  const listed = await lists.recent(groupId);
  const shownAs = new Map(listed.map((one) => [one.user_id, one]));
  const people: NamedKey[] = [];
  for (const { userId, fingerprint } of others) {
    const row = shownAs.get(userId);
    const name = row?.user.name ?? '';
    const judged = row?.certificate?.fpr === fingerprint ? await judgedKey(keyring, name, row.certificate) : null;
    if (judged?.state !== 'trusted') people.push({ userId, fingerprint, name });
  }
  if (people.length > 0) keyring.applyJudgements(await keyring.call('decideKeys', { people, how: 'first-use' }));
}

type NamedKey = InputOf<'decideKeys'>['people'][number];

const judgedKey = (keyring: VaultKeyring, name: string, certificate: Certificate) =>
  keyring.call('judgeKey', { userId: certificate.user_id, name, certificate });

/**
 * Signs the same members and key again, for a key proof or to supersede lists that a person replaced.
 * @throws KeyringError 'unasked' if `isUnasked` and the server's members differ
 */
export type SignAgain = (groupId: string, options?: { readonly isUnasked?: boolean }) => Promise<void>;

interface SigningParts {
  readonly keys: OnlineKeys;
  readonly lists: ListedMembers;
  readonly sync: TrustSync;
}

export function onlineSigning(http: Http, keyring: VaultKeyring, { keys, lists, sync }: SigningParts): SignAgain {
  return async (groupId, { isUnasked = false } = {}) => {
    await keys.open(groupId);
    const rows = await lists.read(groupId);
    const differences = memberDifferences(keyring.memberships.signed(groupId), rows);
    if (isUnasked && differences.length > 0) throw trustError('unasked');
    const listed = await shownKeysOf(http, rows, lists.formerOf);
    const body = await keyring.call('signAgain', { groupId, listed, isUnasked });
    try {
      await http.call(signRoster, { params: { g: groupId }, body });
      await keyring.keepOwnList(groupId, body);
      sync.soon();
    } catch (failure) {
      keyring.forgetGroup(groupId);
      throw failure;
    }
  };
}
