/** An opened copy in the worker: what the reads of the vault answer from. Envelopes are in it, open values never. */
import type {
  Entry,
  Field,
  GroupAnswer,
  GroupUser,
  GroupUserWithCertificate,
  TreeNode,
} from '@passwordbroker/core/contract/entities';
import type { OfflineEntry, OfflineField, OfflineHead } from '@passwordbroker/core/contract/offline';
import { compareTitles } from '@passwordbroker/core/domain/group-tree';

export type CopiedGroup = OfflineHead & { readonly entries: readonly OfflineEntry[] };

/** What a copy holds; nobody changes it. */
export interface CopiedData {
  readonly trees: readonly TreeNode[];
  readonly groups: readonly CopiedGroup[];
}

export interface CopiedField {
  readonly field: OfflineField;
  readonly entry: OfflineEntry;
  readonly group: CopiedGroup;
}

export interface Snapshot {
  readonly timestamp: number;
  readonly data: CopiedData;
  group(groupId: string): CopiedGroup | null;
  /** By title. */
  entries(groupId: string): readonly OfflineEntry[] | null;
  entry(groupId: string, entryId: string): OfflineEntry | null;
  /** By its full path. */
  field(groupId: string, entryId: string, fieldId: string): CopiedField | null;
}

export function snapshotOf(timestamp: number, data: CopiedData): Snapshot {
  const groups = new Map(data.groups.map((group) => [group.entry_group_id, group]));
  const ordered = new Map<string, readonly OfflineEntry[]>();
  const entry = (groupId: string, entryId: string) =>
    groups.get(groupId)?.entries.find((one) => one.entry_id === entryId) ?? null;
  return {
    timestamp,
    data,
    group: (groupId) => groups.get(groupId) ?? null,
    entries(groupId) {
      const group = groups.get(groupId);
      if (group === undefined) return null;
      const known = ordered.get(groupId) ?? inOrder(group.entries);
      ordered.set(groupId, known);
      return known;
    },
    entry,
    field(groupId, entryId, fieldId) {
      const [group, found] = [groups.get(groupId), entry(groupId, entryId)];
      if (group === undefined || found === null) return null;
      const field = fieldsOf(found).find((one) => one.field_id === fieldId);
      return field === undefined ? null : { field, entry: found, group };
    },
  };
}

const inOrder = (entries: readonly OfflineEntry[]): readonly OfflineEntry[] =>
  entries
    .map((entry) => ({ entry, id: entry.entry_id, title: entry.title }))
    .sort(compareTitles)
    .map(({ entry }) => entry);

/** In the order of kinds. */
export const fieldsOf = ({ passwords, links, notes, files, TOTPs }: OfflineEntry): readonly OfflineField[] => [
  ...passwords,
  ...links,
  ...notes,
  ...files,
  ...TOTPs,
];

/** As the server lists it. */
export const listedEntry = ({ entry_id, entry_group_id, title, created_at, updated_at }: OfflineEntry): Entry => ({
  entry_id,
  entry_group_id,
  title,
  created_at,
  updated_at,
});

/** A field without its envelope. */
export function listedField<Kept extends OfflineField>(field: Kept): Extract<Field, { type: Kept['type'] }> {
  const {
    entry_group_id: _group,
    cek_wrapped_base64: _key,
    encrypted_value_base64: _value,
    initialization_vector_base64: _vector,
    file: _body,
    ...listed
  } = field;
  return listed as unknown as Extract<Field, { type: Kept['type'] }>;
}

/** @param self whose copy it is */
export function groupAnswerOf(
  group: CopiedGroup,
  self: { readonly userId: string; readonly fingerprint: string },
): GroupAnswer {
  const { admins, grants: _grants, rosters: _rosters, entries: _entries, ...entryGroup } = group;
  return { entryGroup, role: ownRow(group, self), admins };
}

/** The copy has the rows of admins only; one's own is known from the group itself. */
function ownRow(group: CopiedGroup, { userId, fingerprint }: { userId: string; fingerprint: string }): GroupUser {
  const known = group.admins.find(({ user_id }) => user_id === userId);
  if (known !== undefined) return known;
  const { entry_group_id, role, created_at, updated_at } = group;
  const user = { user_id: userId, name: '' };
  return { id: userId, entry_group_id, user_id: userId, role, fpr: fingerprint, user, created_at, updated_at };
}

/** Admins, and oneself: the copy knows nobody else by name. */
export function membersOf(
  group: CopiedGroup,
  self: { readonly userId: string; readonly fingerprint: string },
): readonly GroupUserWithCertificate[] {
  const own = ownRow(group, self);
  const rows = group.admins.includes(own) ? group.admins : [...group.admins, own];
  return rows.map((row) => ({ ...row, certificate: certificateIn(group, row) }));
}

/** Of those who have signed a list of the group. */
const certificateIn = ({ rosters }: CopiedGroup, { user_id, fpr }: GroupUser) =>
  rosters.findLast(
    ({ signer_certificate }) => signer_certificate?.user_id === user_id && signer_certificate.fpr === fpr,
  )?.signer_certificate ?? null;
