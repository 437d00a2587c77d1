/** Lies of a hostile server. They are the same in all answers between an unlock and the next, so that the answers are consistent. */
import type {
  Certificate,
  Envelope,
  EntryGroup,
  GroupUserWithCertificate,
  ListedEntry,
  RosterAnswer,
} from '@passwordbroker/core/contract/entities';
import { createGroupSecret, type GroupSecret } from '@passwordbroker/core/domain/groups/grants';
import fc from 'fast-check';
import { makeEnvelope, makeField, makeGrant, makeList, type Attacker, type Attackers } from './attackers.node.ts';
import type { KnownPast, PastGroup } from './past.node.ts';

const LIE_KINDS = [
  'append',
  'anew',
  'own',
  'vanish',
  'older',
  'all older',
  'twin',
  'keys',
  'ghosts',
  'undo',
  'version',
  'values',
  'record',
  'unremoved',
  'due',
] as const;
type LieKind = (typeof LIE_KINDS)[number];

export interface Lie {
  readonly kind: LieKind;
  readonly group: number;
  readonly by: 'ghost' | 'false' | 'colluder';
  readonly isRotated: boolean;
  readonly proof: 'own' | 'copied' | 'none';
  /** A number to choose by: the list that it follows, counted from the newest; an older state; a version. */
  readonly at: number;
  readonly supersedes: boolean;
}

export const lie: fc.Arbitrary<Lie> = fc.record({
  kind: fc.constantFrom(...LIE_KINDS),
  group: fc.nat({ max: 5 }),
  by: fc.constantFrom('ghost', 'false', 'colluder'),
  isRotated: fc.boolean(),
  proof: fc.constantFrom('own', 'copied', 'none'),
  at: fc.nat({ max: 5 }),
  supersedes: fc.boolean(),
});

/** Changes to the answers about one group. */
export interface View {
  readonly groupId: string;
  /** The whole chain; null: the real one. */
  readonly lists: RosterAnswer['rosters'] | null;
  readonly change: Partial<Pick<RosterAnswer, 'gk_version' | 'origin'>>;
  readonly grants: RosterAnswer['grants'];
  /** More people in the list of members. */
  readonly added: readonly { readonly who: Attacker; readonly role: 'admin' | 'member' }[];
  readonly isDue: boolean;
  /** A group that does not exist, shown beside the one it is named after. */
  readonly twinOf: PastGroup | null;
  /** Forged values by field id; a twin has exactly one. */
  readonly envelopes: ReadonlyMap<string, Envelope>;
  /** Version that wraps of fields are labelled with; null: the real one. */
  readonly wrapVersion: number | null;
  /** Fingerprint of the key that signed the shown list. */
  readonly signerPrint: string | null;
}

/** All lies between an unlock and the next. */
export interface Lies {
  readonly views: readonly View[];
  /** By group id: index of the older server that answers for it. `allOlder`: for everything. */
  readonly older: ReadonlyMap<string, number>;
  readonly allOlder: number | null;
  readonly certificates: ReadonlyMap<string, Certificate>;
  /** Moves are claimed to have come from this group, or these entries. */
  readonly undo: { readonly from: string; readonly entryIds: readonly string[] | null } | null;
  readonly record: 'missing' | 'older' | 'damaged' | null;
  readonly isUnremoved: boolean;
}

const NOTHING: Omit<View, 'groupId'> = {
  lists: null,
  change: {},
  grants: [],
  added: [],
  isDue: false,
  twinOf: null,
  envelopes: new Map(),
  wrapVersion: null,
  signerPrint: null,
};

/** Makes the lists, grants and values of the chosen lies. Twins keep their ids over the whole history. */
export async function prepareLies(
  past: KnownPast,
  attackers: Attackers,
  chosen: readonly Lie[],
  twins: Map<string, View>,
): Promise<Lies> {
  const views: View[] = [];
  const older = new Map<string, number>();
  const certificates = new Map<string, Certificate>();
  let allOlder: number | null = null;
  let undo: Lies['undo'] = null;
  let record: Lies['record'] = null;
  let isUnremoved = false;
  for (const one of chosen) {
    const group = past.groups[one.group % past.groups.length] as PastGroup;
    switch (one.kind) {
      case 'older':
        older.set(group.id, one.at % past.older.length);
        break;
      case 'all older':
        allOlder = one.at % past.older.length;
        break;
      case 'keys': {
        const person = past.people[one.at % past.people.length];
        if (person !== undefined && person !== past.victim)
          certificates.set(person.userId, attackers.falseOf(person.userId).certificate);
        break;
      }
      case 'undo': {
        const twin = [...twins.values()].at(0)?.groupId;
        const entries = past.revisions.filter(({ groupId }) => groupId === group.id).map(({ entryId }) => entryId);
        undo = {
          from: one.isRotated ? (twin ?? group.id) : group.id,
          entryIds: one.supersedes ? entries.slice(0, 1) : null,
        };
        break;
      }
      case 'record':
        record = (['missing', 'older', 'damaged'] as const)[one.at % 3] ?? null;
        break;
      case 'unremoved':
        isUnremoved = true;
        break;
      case 'append':
      case 'anew':
      case 'own':
      case 'vanish':
      case 'twin':
      case 'version':
      case 'values':
      case 'ghosts':
      case 'due': {
        const key = JSON.stringify([one, group.id]);
        const view = twins.get(key) ?? (await viewOf(past, attackers, group, one));
        if (one.kind === 'twin') twins.set(key, view);
        views.push(view);
      }
    }
  }
  return { views, older, allOlder, certificates, undo, record, isUnremoved };
}

async function viewOf(past: KnownPast, attackers: Attackers, group: PastGroup, one: Lie): Promise<View> {
  const { victim } = past;
  const signer = attackers.signer(one.by, group);
  const common = { past, attackers, group, signer, proof: one.proof, supersedes: one.supersedes };
  const newest = group.lists.at(-1 - (one.at % Math.max(1, group.lists.length))) ?? null;
  const view: View = { ...NOTHING, groupId: group.id };
  switch (one.kind) {
    case 'append': {
      const made = await makeList({ ...common, base: newest, isRotated: one.isRotated });
      const before = newest === null ? [] : group.lists.slice(0, group.lists.indexOf(newest) + 1);
      const version = made.content.gkVersion;
      const grants =
        one.isRotated && made.secret !== null
          ? [await makeGrant(made.secret, { groupId: group.id, version, reader: victim })]
          : [];
      return {
        ...view,
        lists: [...before.map(({ wire }) => wire), made.wire],
        change: { gk_version: version },
        grants,
        added: withGhost(attackers, signer),
        isDue: one.supersedes,
        signerPrint: signer.keyring.fingerprint,
      };
    }
    case 'anew':
    case 'own': {
      const made = await makeList({ ...common, base: null, isRotated: one.kind === 'own' });
      const version = made.content.gkVersion;
      const grants =
        one.kind === 'own' && made.secret !== null
          ? [await makeGrant(made.secret, { groupId: group.id, version, reader: victim })]
          : [];
      return {
        ...view,
        lists: [made.wire],
        change: { gk_version: version, origin: 'client' },
        grants,
        added: withGhost(attackers, signer),
        isDue: one.supersedes,
        signerPrint: signer.keyring.fingerprint,
      };
    }
    case 'vanish': {
      // It comes with a key of the server, or with the real one.
      const version = one.isRotated ? 1 : (newest?.content.gkVersion ?? 1);
      const secret = newSecret(attackers);
      const grants = one.isRotated ? [await makeGrant(secret, { groupId: group.id, version, reader: victim })] : [];
      return { ...view, lists: [], change: { origin: 'server', gk_version: version }, grants, isDue: one.supersedes };
    }
    case 'twin': {
      const twin = { id: crypto.randomUUID(), name: group.name, lists: [], members: group.members };
      const made = await makeList({ ...common, group: twin, base: null, isRotated: true });
      const secret = made.secret as GroupSecret;
      const [entryId, fieldId] = [crypto.randomUUID(), crypto.randomUUID()];
      const envelope = await makeEnvelope(secret, { groupId: twin.id, entryId, fieldId, rev: 1 }, 1);
      const isServers = one.at === 5;
      return {
        ...view,
        groupId: twin.id,
        lists: isServers ? [] : [made.wire],
        change: { gk_version: 1, origin: isServers ? 'server' : 'client' },
        grants: [await makeGrant(secret, { groupId: twin.id, version: 1, reader: victim })],
        added: withGhost(attackers, signer),
        isDue: one.supersedes,
        twinOf: group,
        envelopes: new Map([[fieldId, envelope]]),
        signerPrint: isServers ? null : signer.keyring.fingerprint,
      };
    }
    case 'version': {
      const present = group.lists.at(-1)?.content.gkVersion ?? 1;
      const version = [present - 1, 1, 0, -1, present + 1, 2 ** 53][one.at] ?? 0;
      const secret = newSecret(attackers);
      const envelopes = await forgedValues(past, group, secret, version);
      const grant = await makeGrant(secret, { groupId: group.id, version, reader: victim });
      return { ...view, grants: [grant], envelopes, wrapVersion: version, isDue: one.supersedes };
    }
    case 'values': {
      const version = group.lists.at(-1)?.content.gkVersion ?? 1;
      const held = past.secrets.get(`${group.id} ${version}`);
      const secret = held !== undefined && attackers.secrets.has(held) ? held : newSecret(attackers);
      return { ...view, envelopes: await forgedValues(past, group, secret, version) };
    }
    case 'ghosts':
      return { ...view, added: withGhost(attackers, attackers.ghost), isDue: one.supersedes };
    case 'due':
      return { ...view, isDue: true };
    case 'older':
    case 'all older':
    case 'keys':
    case 'undo':
    case 'record':
    case 'unremoved':
      return view;
  }
}

function newSecret({ secrets }: Attackers): GroupSecret {
  const secret = createGroupSecret();
  secrets.add(secret);
  return secret;
}

function withGhost({ ghost }: Attackers, signer: Attacker): View['added'] {
  const admin = { who: signer, role: 'admin' as const };
  return signer === ghost ? [admin] : [admin, { who: ghost, role: 'member' }];
}

async function forgedValues(past: KnownPast, group: PastGroup, secret: GroupSecret, version: number) {
  const envelopes = new Map<string, Envelope>();
  for (const { groupId, entryId, fieldId, rev } of past.revisions) {
    if (groupId !== group.id || envelopes.size >= 2) continue;
    envelopes.set(fieldId, await makeEnvelope(secret, { groupId, entryId, fieldId, rev }, version));
  }
  return envelopes;
}

/** The row of an attacker in a list of members. */
export const userRow = (groupId: string, { who, role }: View['added'][number]): GroupUserWithCertificate => ({
  id: who.userId,
  entry_group_id: groupId,
  user_id: who.userId,
  role,
  fpr: who.keyring.fingerprint,
  user: { user_id: who.userId, name: 'Ada' },
  created_at: who.certificate.created_at,
  updated_at: who.certificate.created_at,
  certificate: who.certificate,
});

/** The answer about a twin; null: use the original group's answer. */
export function answerForTwin(view: View, path: string, honest: EntryGroup): unknown {
  const { groupId, envelopes } = view;
  const [envelope] = envelopes.values();
  if (envelope === undefined) return null;
  if (/\/users(\?|$)/.test(path)) return view.added.map((one) => userRow(groupId, one));
  if (path.endsWith('/entries')) {
    const times = { created_at: honest.created_at, updated_at: honest.updated_at };
    const marks = { tags: [], icon: null, due_at: null, due_kind: null, rotate_days: null };
    const place = { entry_id: envelope.entry_id, entry_group_id: groupId, title: 'Root' };
    const entry: ListedEntry = { ...place, ...marks, ...times, login: null };
    return [entry];
  }
  if (path.endsWith('/fields')) return [makeField(envelope.entry_id, envelope.field_id, 1)];
  if (path.endsWith('/envelope')) return envelope;
  if (/\/fields\/[0-9a-f-]{36}$/.test(path)) return makeField(envelope.entry_id, envelope.field_id, 1);
  return null;
}
