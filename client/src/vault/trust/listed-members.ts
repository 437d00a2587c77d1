/**
 * Cached lists of members. The server's list is no source of trust (docs/spec/crypto.md §8); it refuses
 * changes of an outdated one.
 */
import type { Certificate, GroupUser, GroupUserWithCertificate } from '@passwordbroker/core/contract/entities';
import type { ShownKey, SignedRow } from '../../keyring/calls.ts';
import type { Http } from '../../transport/http.ts';
import type { ManyGroups } from '../groups/many-groups.ts';
import type { Role } from '@passwordbroker/core/domain/policy';
import { AppError } from '@passwordbroker/core/contract/problem';
import { certificates } from '@passwordbroker/core/contract/users/users';

/** About the time that two people take to compare the words of a key. */
const FRESH_MS = 120_000;

export interface ListedMembers {
  readonly read: (groupId: string, signal?: AbortSignal) => Promise<readonly GroupUserWithCertificate[]>;
  /** Cached for two minutes, like `keyOf` and `formerOf`. */
  recent(groupId: string): Promise<readonly GroupUserWithCertificate[]>;
  readonly readKey: (userId: string, signal?: AbortSignal) => Promise<ShownKey | null>;
  keyOf(userId: string): Promise<ShownKey | null>;
  readonly formerOf: (certificate: Certificate) => Promise<readonly Certificate[]>;
  /** Puts the answer of a change into the cached list. */
  updateCached(groupId: string, user: GroupUser): void;
  forget(groupId: string): void;
  forgetKeys(): void;
  readonly clear: () => void;
}

export function listedMembers(
  http: Http,
  many: Pick<ManyGroups, 'members'>,
  now: () => number = Date.now,
): ListedMembers {
  const lists = new Map<string, Cached<readonly GroupUserWithCertificate[]>>();
  const keys = new Map<string, Cached<ShownKey | null>>();
  const read = (groupId: string, signal?: AbortSignal) => keep(lists, groupId, many.members(groupId, signal), now());
  const readKey = (userId: string, signal?: AbortSignal) => keep(keys, userId, shownKeyOf(http, userId, signal), now());
  const keyOf = (userId: string) => fresh(keys, userId, now()) ?? readKey(userId);
  return {
    read,
    recent: (groupId) => fresh(lists, groupId, now()) ?? read(groupId),
    readKey,
    keyOf,
    async formerOf({ user_id: userId, fpr }) {
      const kept = await keyOf(userId);
      // The cached person has another key, so the former ones differ too.
      const shown = kept?.certificate.fpr === fpr ? kept : await readKey(userId);
      return shown?.former ?? [];
    },
    updateCached(groupId, user) {
      const known = lists.get(groupId);
      if (known === undefined) return;
      const changed = known.value.then(async (rows) => {
        const others = rows.filter(({ user_id }) => user_id !== user.user_id);
        const own = rows.find(({ user_id }) => user_id === user.user_id) ?? (await keys.get(user.user_id)?.value);
        const certificate = own?.certificate ?? null;
        return certificate?.fpr === user.fpr ? [...others, { ...user, certificate }] : many.members(groupId);
      });
      void keep(lists, groupId, changed, known.at);
    },
    forget: (groupId) => void lists.delete(groupId),
    forgetKeys: () => keys.clear(),
    clear() {
      lists.clear();
      keys.clear();
    },
  };
}

interface Cached<T> {
  readonly at: number;
  readonly value: Promise<T>;
}

function fresh<T>(kept: ReadonlyMap<string, Cached<T>>, name: string, now: number): Promise<T> | null {
  const known = kept.get(name);
  return known !== undefined && now - known.at < FRESH_MS ? known.value : null;
}

function keep<T>(kept: Map<string, Cached<T>>, name: string, value: Promise<T>, at: number): Promise<T> {
  const one = { at, value };
  for (const [other, { at: then }] of kept) if (at - then >= FRESH_MS) kept.delete(other);
  kept.set(name, one);
  value.catch(() => {
    if (kept.get(name) === one) kept.delete(name);
  });
  return value;
}

/**
 * Differences between the server's list of members and the signed one (docs/spec/crypto.md §9, client rules 2
 * and 5).
 */
export interface MemberDifference {
  readonly userId: string;
  /** `added-unsigned`: gets no key; `removed`: signed, but gone or without a key on the server. */
  readonly kind: 'added-unsigned' | 'removed' | 'role' | 'key';
  /** null: not in the signed list. */
  readonly signedRole: Role | null;
}

type Listed = Pick<GroupUserWithCertificate, 'user_id' | 'role' | 'fpr' | 'certificate'>;

/** @param signed null: an unsigned group, which has no differences */
export function memberDifferences(
  signed: readonly SignedRow[] | null | undefined,
  listed: readonly Listed[],
): readonly MemberDifference[] {
  if (signed === null || signed === undefined) return [];
  const rows = new Map(listed.map((row) => [row.user_id, row]));
  const ofSigned = signed.flatMap(({ userId, role, fingerprint }): MemberDifference[] => {
    const row = rows.get(userId);
    if (row === undefined || row.certificate === null) return [{ userId, kind: 'removed', signedRole: role }];
    const hasOtherKey = row.certificate.fpr !== fingerprint || row.fpr !== fingerprint;
    return [
      ...(row.role === role ? [] : [{ userId, kind: 'role', signedRole: role } as const]),
      ...(hasOtherKey ? [{ userId, kind: 'key', signedRole: role } as const] : []),
    ];
  });
  const known = new Set(signed.map(({ userId }) => userId));
  const ofListed = listed
    .filter(({ user_id }) => !known.has(user_id))
    .map(({ user_id }) => ({ userId: user_id, kind: 'added-unsigned', signedRole: null }) as const);
  return [...ofSigned, ...ofListed];
}

/** null: no keys yet, or no account. */
async function shownKeyOf(http: Http, userId: string, signal?: AbortSignal): Promise<ShownKey | null> {
  try {
    const { certificate, previous } = await http.call(certificates, { params: { id: userId }, signal });
    return { certificate, former: previous };
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'not_found') return null;
    throw failure;
  }
}

export async function certificatesOf(http: Http, userId: string): Promise<readonly Certificate[]> {
  const shown = await shownKeyOf(http, userId);
  return shown === null ? [] : [shown.certificate, ...(shown.former ?? [])];
}

type FormerOf = (certificate: Certificate) => Promise<readonly Certificate[]>;

/** Keys of a list; changed keys come with their former ones, which may vouch for them. */
export function shownKeysOf(
  http: Http,
  listed: readonly GroupUserWithCertificate[],
  formerOf: FormerOf = async ({ user_id }) => (await shownKeyOf(http, user_id))?.former ?? [],
) {
  const withKeys = listed.flatMap(({ certificate, role, user_id }) =>
    certificate === null || certificate.user_id !== user_id ? [] : [{ certificate, role }],
  );
  return Promise.all(
    withKeys.map(async ({ certificate, role }) =>
      certificate.prev_fpr === '' ? { certificate, role } : { certificate, role, former: await formerOf(certificate) },
    ),
  );
}
