/** Operations of a person in a browser, and the answers that three kinds of people give to its questions. */
import fc from 'fast-check';
import type { Field, TreeNode } from '@passwordbroker/core/contract/entities';
import type { Vault, VaultWrite } from '../../vault/vault.ts';
import type { Attackers } from './attackers.node.ts';
import type { Past } from './past.node.ts';

/** `never` confirms nothing, `careful` only true keys and lists, `hasty` everything. */
export type Kind = 'never' | 'careful' | 'hasty';

const ACTS = [
  'read',
  'write',
  'edit',
  'add',
  'role',
  'remove',
  'rotate',
  'move',
  'undo',
  'undo from journal',
  'child',
  'history',
  'confirm',
  'account',
] as const;

/** Operations that seal a value or wrap a key. */
const ASKING: ReadonlySet<Act['what']> = new Set(['write', 'edit', 'add', 'role', 'rotate', 'move', 'child']);

export interface Act {
  readonly what: (typeof ACTS)[number];
  /** A number to choose a group by; above 5: one that the server lies about. */
  readonly group: number;
  readonly other: number;
}

export const act: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom(...ACTS),
  group: fc.nat({ max: 11 }),
  other: fc.nat({ max: 11 }),
});

/** Something that the person has confirmed. */
export interface Decision {
  readonly what: 'key' | 'list' | 'record' | 'members' | 'given';
  readonly groupId: string | null;
  /** `user fingerprint`. */
  readonly key: string | null;
  /** It is not true. */
  readonly isFalse: boolean;
  readonly unlock: number;
  /** Whether the client has accepted the decision. */
  isTaken: boolean;
}

export interface Revelation {
  readonly groupId: string;
  readonly text: string;
  readonly isConfirmed: boolean;
}

export interface Scene {
  readonly past: Past;
  readonly attackers: Attackers;
  readonly kind: Kind;
  /** Groups that the server lies about. */
  readonly lied: readonly string[];
  readonly vault: Vault;
  readonly decide: (decision: Omit<Decision, 'unlock' | 'isTaken'>) => Decision;
  readonly shown: (revelation: Revelation) => void;
  /** A value that is being written: its text. */
  readonly newText: () => string;
  readonly moves: { last: Parameters<VaultWrite['undoEntryMove']>[0] | null };
}

/** @throws the refusal of the vault */
export async function perform(scene: Scene, { what, group: at, other }: Act): Promise<void> {
  const { vault, past } = scene;
  const { read } = vault;
  const write = vault.write as VaultWrite;
  const groups = flat(await read.tree());
  const chosen = (index: number) => {
    const lied = groups.filter(({ entry_group_id }) => scene.lied.includes(entry_group_id));
    const among = index > 5 && lied.length > 0 ? lied : groups;
    return among[index % Math.max(1, among.length)];
  };
  const group = chosen(at);
  if (group === undefined) return;
  const g = group.entry_group_id;
  const target = chosen(other)?.entry_group_id ?? g;
  // Operations that seal or wrap ask first, once for each group.
  if (ASKING.has(what)) await ask(scene, g, group.title);
  if (what === 'move') await ask(scene, target, group.title);
  switch (what) {
    case 'read':
      return reveal(scene, g);
    case 'write': {
      const place = await firstEntry(scene, g);
      const field = { type: 'password', title: 'Root', login: 'root', value: scene.newText() } as const;
      await write.createField(place, field);
      return;
    }
    case 'edit': {
      const { place, field } = await firstField(scene, g);
      const change = { type: 'password', title: 'Root', login: 'root', value: scene.newText() } as const;
      await write.updateField({ ...place, field }, change);
      return;
    }
    case 'add':
      return addSomebody(scene, g, other);
    case 'role': {
      const person = past.people[other % past.people.length];
      if (person !== undefined) await write.members.changeRole(g, person.userId, 'moderator');
      return;
    }
    case 'remove': {
      const person = past.people[other % past.people.length];
      if (person !== undefined && person !== past.victim) await write.members.remove(g, person.userId);
      return;
    }
    case 'rotate':
      await write.members.rotate(g, { force: true });
      return;
    case 'move': {
      const place = await firstEntry(scene, g);
      const moved = await write.moveEntries(g, [place.entryId], target);
      const { operationId } = moved;
      if (operationId !== null)
        scene.moves.last = { operationId, fromGroupId: g, toGroupId: target, entryIds: [place.entryId] };
      return;
    }
    case 'undo': {
      const { last } = scene.moves;
      if (last !== null) await write.undoEntryMove(last);
      return;
    }
    case 'undo from journal':
      return undoFromJournal(scene);
    case 'child': {
      const listed = await read.members(g);
      await write.createGroup({ name: 'Child', parentId: g, sameMembers: listed });
      return;
    }
    case 'history': {
      const { place, field } = await firstField(scene, g);
      for (const row of (await read.history({ ...place, field })).slice(0, 3)) {
        const { text } = await read.revealRevision({ ...place, field }, row);
        tell(scene, g, text);
      }
      return;
    }
    case 'confirm':
      return confirm(scene, g, group.title);
    case 'account':
      return settleAccount(scene);
  }
}

const flat = (nodes: readonly TreeNode[]): TreeNode[] => nodes.flatMap((node) => [node, ...flat(node.children)]);

async function firstEntry({ vault }: Scene, g: string) {
  const [entry] = await vault.read.entries(g);
  if (entry === undefined) throw new Nothing();
  return { entryGroupId: g, entryId: entry.entry_id };
}

async function firstField(scene: Scene, g: string) {
  const place = await firstEntry(scene, g);
  const [field] = await scene.vault.read.fields(place);
  if (field === undefined) throw new Nothing();
  return { place, field: field as Field };
}

/** The operation has no object, for example no field. */
export class Nothing extends Error {}

async function reveal(scene: Scene, g: string): Promise<void> {
  const { place, field } = await firstField(scene, g);
  const { text } = await scene.vault.read.reveal({ ...place, field });
  tell(scene, g, text);
}

function tell(scene: Scene, groupId: string, text: string) {
  scene.shown({ groupId, text, isConfirmed: isConfirmed(scene.vault, groupId) });
}

/** Whether the group may be written to, as the page shows it. */
function isConfirmed({ trust }: Vault, groupId: string): boolean {
  return trust?.details(groupId)?.trust.state === 'confirmed';
}

const keyName = (userId: string, fingerprint: string) => `${userId} ${fingerprint}`;

/** Whether this key is the person's own. */
const isTrueKey = ({ past }: Pick<Scene, 'past'>, userId: string, fingerprint: string): boolean =>
  past.people.some((one) => one.userId === userId && one.keyring.fingerprint === fingerprint);

async function addSomebody(scene: Scene, g: string, other: number): Promise<void> {
  const { past, vault, kind, decide } = scene;
  const person = past.people[other % past.people.length];
  if (person === undefined || person === past.victim) return;
  const { userId, name } = person;
  const trust = await vault.read.keyTrust({ userId, name });
  if (trust.state === 'none') return;
  const { fingerprint } = trust.current;
  const isTrue = isTrueKey(scene, userId, fingerprint);
  const write = vault.write as VaultWrite;
  if (trust.state !== 'trusted') {
    if (kind === 'never' || (kind === 'careful' && !isTrue)) return;
    const decision = decide({ what: 'key', groupId: null, key: keyName(userId, fingerprint), isFalse: !isTrue });
    const how = kind === 'careful' || trust.state === 'changed' ? 'words' : 'first-use';
    await write.members.confirmKey({ userId, name }, fingerprint, how);
    decision.isTaken = true;
  }
  // The added person may read the group from now on.
  decide({ what: 'given', groupId: g, key: keyName(userId, fingerprint), isFalse: !isTrue });
  await write.members.add(g, { userId, fingerprint }, 'member');
}

async function undoFromJournal(scene: Scene): Promise<void> {
  const { vault } = scene;
  const { data } = await vault.read.journal(1);
  const row = data.find(({ kind, target_kind }) => kind === 'move' && target_kind === 'entry');
  if (row === undefined || row.from === null || row.to === null) return;
  const { operation_id: operationId, from, to, target_ids: entryIds } = row;
  await (vault.write as VaultWrite).undoEntryMove({ operationId, fromGroupId: from, toGroupId: to, entryIds });
}

/** Answers the question about the signer if the group is unconfirmed. */
async function ask(scene: Scene, g: string, title: string): Promise<void> {
  await scene.vault.read.examine(g).catch(() => undefined);
  if (scene.vault.trust?.details(g)?.trust.state === 'unconfirmed') await confirm(scene, g, title);
}

/** Answers the questions about a group: its signer, its members, another list, a returned person. */
async function confirm(scene: Scene, g: string, title: string): Promise<void> {
  const { vault, kind, past, decide } = scene;
  if (kind === 'never') return;
  const write = vault.write as VaultWrite;
  await vault.read.examine(g).catch(() => undefined);
  if (vault.trust === null || write.trust === null) return;
  const details = vault.trust.details(g);
  if (details === undefined) return;
  const { trust, newest, returned } = details;
  const signerKey = newest === null ? null : keyName(newest.signer.userId, newest.signer.fingerprint);
  const isTrueSigner = newest !== null && isTrueKey(scene, newest.signer.userId, newest.signer.fingerprint);
  const isHonest = newest !== null && past.groups.some(({ lists }) => lists.some(({ hash }) => hash === newest.hash));
  const isHasty = kind === 'hasty';
  if (trust.state === 'unconfirmed' && newest !== null && (isHasty || isTrueSigner)) {
    const decision = decide({ what: 'key', groupId: g, key: signerKey, isFalse: !isTrueSigner });
    const { userId, fingerprint, name } = newest.signer;
    const signer = { userId, fingerprint, name: name ?? title };
    const how = isHasty && trust.why !== 'same-path' ? 'first-use' : 'words';
    await write.trust.confirmSigner(g, { hash: newest.hash, signer }, how);
    decision.isTaken = true;
    return;
  }
  if (trust.state === 'unsigned') {
    const listed = await vault.read.members(g);
    const members = listed.flatMap(({ user_id: userId, role, certificate }) =>
      certificate === null ? [] : [{ userId, role, fingerprint: certificate.fpr }],
    );
    const real = past.groups.find(({ id }) => id === g)?.members;
    const isTrue = members.every(
      ({ userId, fingerprint }) => isTrueKey(scene, userId, fingerprint) && real?.has(userId) === true,
    );
    if (!isHasty && !isTrue) return;
    decide({ what: 'members', groupId: g, key: null, isFalse: !isTrue });
    return write.trust.signMembers(g, members);
  }
  if (trust.state !== 'disputed') return;
  const [back] = returned;
  if (trust.why === 'returned' && back !== undefined && newest !== null) {
    const decision = isHasty ? 'may-stay' : 'keep-out';
    decide({ what: 'list', groupId: g, key: signerKey, isFalse: isHasty });
    return write.trust.decideReturned(g, newest.hash, back.userId, decision);
  }
  if (!isHasty && !isHonest) return;
  decide({ what: 'list', groupId: g, key: signerKey, isFalse: !isHonest });
  const compared =
    details.mayGoOn !== 'comparing' || newest === null
      ? undefined
      : {
          userId: newest.signer.userId,
          fingerprint: newest.signer.fingerprint,
          name: newest.signer.name ?? title,
          how: 'words' as const,
        };
  return write.trust.goOn(g, newest?.hash ?? null, compared);
}

/** Answers the questions about the account: last use, setting the record up, a new record. */
async function settleAccount(scene: Scene): Promise<void> {
  const { vault, kind, decide } = scene;
  const write = (vault.write as VaultWrite).trust;
  const account = vault.trust?.account();
  if (write === null || account === undefined || kind === 'never') return;
  const isHasty = kind === 'hasty';
  if (account.asksLastUse) return write.answerLastUse(true);
  if (account.state === 'none-yet') {
    const { groups, people } = await write.proposeRecord();
    const isTrue = people.every(({ userId, fingerprint }) => isTrueKey(scene, userId, fingerprint));
    if (!isHasty && !isTrue) return;
    decide({ what: 'record', groupId: null, key: null, isFalse: !isTrue });
    return write.setUpRecord({
      groupIds: groups.map(({ groupId }) => groupId),
      userIds: people.map(({ userId }) => userId),
    });
  }
  if (account.state === 'missing' || account.state === 'doubted') {
    if (!isHasty) return write.readAgain();
    decide({ what: 'record', groupId: null, key: null, isFalse: true });
    return write.beginNewRecord();
  }
}
