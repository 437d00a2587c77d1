/** What attackers must not be able to open, and what no client may wrap unasked (M80, rules (a) to (d)). */
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { unwrapGroupSecret } from '@passwordbroker/core/domain/groups/grants';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/rosters/roster';
import type { TrustRecord } from '@passwordbroker/core/domain/trust/trust-record';
import type { Attackers } from './attackers.node.ts';
import type { View } from './lies.node.ts';
import type { Leak, Sent } from './oracle.node.ts';
import type { Decision } from './person.node.ts';
import type { Past } from './past.node.ts';
import type { History } from './history.node.ts';

interface Case {
  readonly past: Past;
  /** The victim's record after the past: groups with an accepted list, people with a decided key. */
  readonly accepted: { readonly groups: ReadonlySet<string>; readonly decided: ReadonlySet<string> };
  readonly attackers: Attackers;
  readonly told: History;
  readonly decisions: readonly Decision[];
  /** Invented groups. */
  readonly twins: ReadonlyMap<string, View>;
}

/** (a), (b), (d): adds a violation if the attackers must not be able to open this. */
export function judge(scene: Case, leak: Leak, violations: string[]) {
  const { past, attackers, told, decisions } = scene;
  const taken = decisions.slice(0, leak.sent.decisions);
  const where = `unlock ${leak.sent.unlock}, browser ${leak.sent.browser}, ${leak.sent.act ?? 'unasked'}: ${leak.sent.method} ${leak.sent.path}`;
  const { colluder } = attackers;
  const isFalse = taken.some((one) => one.isFalse);
  // An added member reads everything in the group, also older values.
  const isGiven = (groupId: string) =>
    decisions.some(
      (one) => one.what === 'given' && one.groupId === groupId && (one.isFalse || isOf(colluder, one.key)),
    );
  if (leak.kind === 'secret') {
    const [groupId = ''] = leak.place.split(' ');
    if (isGiven(groupId) || isLegitimate(scene, groupId, leak)) return;
    violations.push(`(a) the secret of ${leak.place} is wrapped for attackers, ${where}`);
    return;
  }
  const { groupId } = leak;
  if (isGiven(groupId)) return;
  if (colluder !== null) {
    const held = past.held(colluder.userId);
    const knew = past.revisions.some(
      (one) => `${one.fieldId} ${one.rev}` === leak.piece && held.has(`${one.groupId} ${one.gkVersion}`),
    );
    if (leak.kind === 'rewrap' && knew) return;
    if (isLegitimate(scene, groupId, leak)) return;
  }
  const isMove = leak.sent.path.includes('/bulkEdit/move') || leak.sent.path.includes('/undo');
  const isAfter = leak.kind === 'new' || isMove;
  // After a hasty person confirms a false key, values that are written or moved there later are readable.
  if (told.kind === 'hasty' && isFalse && isAfter) return;
  violations.push(
    `(${told.kind === 'hasty' ? 'b' : 'a'}) “${leak.text}” of ${groupId} version ${leak.gkVersion} can be opened, ${leak.kind}, ${where}`,
  );
}

const isOf = (colluder: Attackers['colluder'], key: string | null) =>
  colluder !== null && key !== null && key.startsWith(colluder.userId);

/**
 * Whether the colluder is a member there, or signed the first list that the account saw of the group, or limit L1
 * applies (docs/security.md): the browser was shown no record and no list newer than that membership.
 */
function isLegitimate(scene: Case, groupId: string, leak: Leak): boolean {
  const { past, accepted, attackers, decisions, twins } = scene;
  const { colluder } = attackers;
  if (colluder === null) return false;
  const group = past.groups.find(({ id }) => id === groupId);
  const taken = decisions.slice(0, leak.sent.decisions);
  if (group === undefined) {
    if (taken.some((one) => one.groupId === groupId)) return true;
    // A group at a known path always asks.
    const original = [...twins.values()].find((view) => view.groupId === groupId)?.twinOf?.id;
    if (original !== undefined && leak.sent.rows.has(original)) return false;
    return isColluderKnown(scene, taken);
  }
  if (group.members.has(colluder.userId)) return true;
  if (!accepted.groups.has(groupId) && !leak.sent.rows.has(groupId)) return isColluderKnown(scene, taken);
  if (taken.some((one) => one.groupId === groupId && isOf(colluder, one.key))) return true;
  const removedAt = group.lists.findLast(({ content }) =>
    content.members.some(({ userId }) => userId === colluder.userId),
  )?.content.seq;
  if (removedAt === undefined) return false;
  return (leak.sent.seen.get(groupId) ?? -1) <= removedAt;
}

/**
 * Whether the account trusts the colluder's key, so that it trusts a first list by it: the key is decided, or an
 * accepted group has the colluder as an admin.
 */
const isColluderKnown = ({ past, accepted, attackers: { colluder } }: Case, taken: readonly Decision[]): boolean =>
  colluder !== null &&
  (accepted.decided.has(colluder.userId) ||
    past.groups.some(({ id, members }) => accepted.groups.has(id) && members.get(colluder.userId) === 'admin') ||
    taken.some(({ key }) => isOf(colluder, key)));

/** Members of all lists by hash: honest lists, forged ones, and those that clients have sent. */
export type KnownLists = Map<string, { readonly groupId: string; readonly members: ReadonlySet<string> }>;

export async function listsIn(lists: KnownLists, rosters: readonly string[]) {
  for (const base64 of rosters) {
    try {
      const bytes = decodeBase64(base64);
      const { groupId, members } = readRoster(bytes);
      lists.set(await hashRoster(bytes), { groupId, members: new Set(members.map(({ userId }) => userId)) });
    } catch {
      // Not a list.
    }
  }
}

/** (c): without a person, keys are wrapped only by a browser with memory, for members of the list that it had accepted before the unlock. */
export async function checkUnasked(past: Past, sent: readonly Sent[], before: TrustRecord | null, lists: KnownLists) {
  const violations: string[] = [];
  for (const one of sent) {
    const groupId = /entryGroups\/([0-9a-f-]{36})/.exec(one.path)?.[1] ?? '';
    const heads = Object.keys(before?.groups[groupId]?.heads ?? {});
    for (const base64 of valuesOf(one.body, 'encrypted_aes_password')) {
      const reader = await readerOf(past, base64);
      const isKnown = heads.some((hash) => lists.get(hash)?.members.has(reader ?? '') === true);
      if (!isKnown)
        violations.push(
          `(c) ${one.method} ${one.path} wraps unasked for ${reader ?? 'nobody known'}, unlock ${one.unlock}, heads ${heads.map((h) => `${h.slice(0, 8)}:${lists.has(h)}`).join()} memory ${before !== null} ${past.groups.find(({ id }) => id === groupId)?.name}`,
        );
    }
  }
  return violations;
}

/** All texts of members with this name in the body, at any depth. */
export function valuesOf(body: unknown, name: string): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, inner]) =>
    key === name && typeof inner === 'string' ? [inner] : valuesOf(inner, name),
  );
}

async function readerOf({ people }: Past, base64: string): Promise<string | null> {
  for (const { userId, keyring } of people) {
    try {
      await unwrapGroupSecret(keyring, decodeBase64(base64));
      return userId;
    } catch {
      // Wrapped for another key.
    }
  }
  return null;
}
