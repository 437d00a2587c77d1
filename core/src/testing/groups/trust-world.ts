/**
 * A model of groups, keys and attackers for property tests of the trust rules. Keys, secrets and
 * lists are names; attackers use only those that they hold. The model knows which lists are honest.
 */
import type { RosterContent, RosterMember } from '../../domain/rosters/roster.ts';
import type { Role } from '../../domain/policy.ts';
import type { ShownGroup, ShownList } from '../../domain/trust/judge-group.ts';

export const [ME, ALICE, BOB, CAROL, GHOST] = [1, 2, 3, 4, 5].map(
  (digit) => `00000000-0000-4000-8000-00000000000${digit}`,
) as [string, string, string, string, string];

/**
 * Each person has one key; the ghost, an account that the server invents, also has one that it
 * calls Alice's.
 */
export const keyOf = (userId: string): string => userId.slice(-1).repeat(64);
export const FALSE_ALICE = 'f'.repeat(64);

const member = (userId: string, role: Role): RosterMember => ({ userId, role, fingerprint: keyOf(userId) });

/** One list of the model, with the secret of its version. */
export interface ModelList {
  readonly shown: ShownList;
  readonly isHonest: boolean;
  /** Names the secret of the list's version; its commitment is the same text. */
  readonly secret: string;
  readonly signer: string;
}

export type HonestAct = 'add-bob' | 'add-carol' | 'promote-carol' | 'remove-carol' | 'remove-bob' | 'rotate';
export const HONEST_ACTS: readonly HonestAct[] = [
  'add-bob',
  'add-carol',
  'promote-carol',
  'remove-carol',
  'remove-bob',
  'rotate',
];

let counter = 0;
/** A hash that no other list has. */
const newHash = () => (counter += 1).toString(16).padStart(64, '0');

export const groupId = (digit: number): string => `10000000-0000-4000-8000-00000000000${digit}`;

/**
 * An honest group of Alice's, with one list for each act. `proofFrom`: lists before this one are of
 * release 1.0.
 */
export function honestLists(group: string, acts: readonly HonestAct[], proofFrom: number): readonly ModelList[] {
  const lists = [
    nextList(null, { group, members: [member(ALICE, 'admin'), member(ME, 'admin')], signer: ALICE, proofFrom }),
  ];
  for (const act of acts) {
    const before = lists.at(-1) as ModelList;
    const members = afterAct(before.shown.content.members, act);
    const isRotation = act === 'rotate' || act.startsWith('remove');
    lists.push(nextList(before, { group, members, signer: ALICE, proofFrom, isRotation }));
  }
  return lists;
}

function afterAct(members: readonly RosterMember[], act: HonestAct): readonly RosterMember[] {
  const without = (userId: string) => members.filter((one) => one.userId !== userId);
  switch (act) {
    case 'add-bob':
      return [...without(BOB), member(BOB, 'member')];
    case 'add-carol':
      return [...without(CAROL), member(CAROL, 'admin')];
    case 'promote-carol':
      return members.map((one) => (one.userId === CAROL ? member(CAROL, 'admin') : one));
    case 'remove-carol':
      return without(CAROL);
    case 'remove-bob':
      return without(BOB);
    case 'rotate':
      return members;
  }
}

interface NextList {
  readonly group: string;
  readonly members: readonly RosterMember[];
  readonly signer: string;
  readonly key?: string;
  readonly proofFrom?: number;
  readonly isRotation?: boolean;
  readonly isHonest?: boolean;
  readonly supersedes?: readonly string[];
  /** The secret of the version where the list does not rotate. */
  readonly secret?: string;
}

/** Makes the list that follows this one; null begins a chain. */
export function nextList(before: ModelList | null, next: NextList): ModelList {
  const { group, members, signer, key = keyOf(signer), isRotation = false, isHonest = true, proofFrom = 0 } = next;
  const content = before?.shown.content;
  const seq = content === undefined ? 0 : content.seq + 1;
  const gkVersion = content === undefined ? 1 : content.gkVersion + Number(isRotation);
  const secret = before === null || isRotation ? newHash() : (next.secret ?? before.secret);
  const marks: Partial<RosterContent> = {
    ...(seq >= proofFrom ? { hasProof: true } : {}),
    ...(next.supersedes === undefined ? {} : { supersedes: next.supersedes }),
  };
  const list: RosterContent = {
    groupId: group,
    seq,
    prev: before?.shown.hash ?? '',
    gkVersion,
    gkCommit: secret,
    members: members.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)),
    signer,
    ts: 1_795_219_200 + seq,
    ...marks,
  };
  return { shown: { content: list, hash: newHash(), signedBy: [key] }, isHonest, secret, signer };
}

export const asGhost = (userId: string, role: Role): RosterMember => ({ userId, role, fingerprint: keyOf(GHOST) });
export { member as modelMember };

/**
 * The group as a server shows it, with this list as the newest. The proof is right if an accomplice
 * holds the secret, or if the list is honest.
 */
export function shownWith(
  lists: readonly ModelList[],
  { group, path, isSecretHeld, isKeyGranted = true }: ShowOptions,
): ShownGroup {
  const newest = lists.at(-1);
  const proof = newest?.shown.content.hasProof !== true ? 'none' : newest.isHonest || isSecretHeld ? 'right' : 'wrong';
  return {
    groupId: group,
    path,
    origin: 'client',
    lists: lists.map(({ shown }) => shown),
    keyFits: isKeyGranted,
    proof,
  };
}

interface ShowOptions {
  readonly group: string;
  readonly path: readonly string[];
  /** Whether the server or its helper holds the secret of the newest list's version. */
  readonly isSecretHeld: boolean;
  readonly isKeyGranted?: boolean;
}
