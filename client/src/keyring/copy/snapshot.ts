/** Reads of an opened copy. It contains envelopes, never opened values. */
import type {
  Entry,
  Field,
  GroupAnswer,
  GroupUser,
  GroupUserWithCertificate,
} from '@passwordbroker/core/contract/entities';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import {
  timeOf,
  unpackField,
  type CopiedField,
  type PackedCopy,
  type PackedEntry,
  type PackedGroup,
} from './packed-copy.ts';

export interface FoundField {
  readonly field: CopiedField;
  readonly group: PackedGroup;
}

export interface Snapshot {
  readonly timestamp: number;
  readonly data: PackedCopy;
  group(groupId: string): PackedGroup | null;
  /** By title. */
  entries(groupId: string): readonly Entry[] | null;
  /** By type. */
  fields(groupId: string, entryId: string): readonly CopiedField[] | null;
  field(groupId: string, entryId: string, fieldId: string): FoundField | null;
}

interface Self {
  readonly userId: string;
  readonly fingerprint: string;
}

export function snapshotOf(timestamp: number, data: PackedCopy): Snapshot {
  const groups = new Map(data.groups.map((group) => [group.entry_group_id, group]));
  const ordered = new Map<string, readonly Entry[]>();
  const fields = (groupId: string, entryId: string) => {
    const group = groups.get(groupId);
    const entry = group?.entries.find((one) => one.entry_id === entryId);
    return group === undefined || entry === undefined ? null : fieldsOf(entry, group, data);
  };
  return {
    timestamp,
    data,
    group: (groupId) => groups.get(groupId) ?? null,
    entries(groupId) {
      const group = groups.get(groupId);
      if (group === undefined) return null;
      const known = ordered.get(groupId) ?? inOrder(group);
      ordered.set(groupId, known);
      return known;
    },
    fields,
    field(groupId, entryId, fieldId) {
      const group = groups.get(groupId);
      const field = fields(groupId, entryId)?.find((one) => one.field_id === fieldId);
      return group === undefined || field === undefined ? null : { field, group };
    },
  };
}

const inOrder = (group: PackedGroup): readonly Entry[] =>
  group.entries
    .map((entry) => listedEntry(entry, group))
    .map((entry) => ({ entry, id: entry.entry_id, title: entry.title }))
    .sort(compareTitles)
    .map(({ entry }) => entry);

/** By type. */
export const fieldsOf = (entry: PackedEntry, group: PackedGroup, { users }: PackedCopy): readonly CopiedField[] =>
  entry.row[3].map((row) => unpackField(row, entry, group, users));

export function listedEntry({ entry_id, row }: PackedEntry, { entry_group_id }: PackedGroup): Entry {
  const [title, created, updated] = row;
  return { entry_id, entry_group_id, title, created_at: timeOf(created), updated_at: timeOf(updated) };
}

export function listedField(field: CopiedField): Field {
  const {
    entry_group_id: _group,
    cek_wrapped_base64: _key,
    encrypted_value_base64: _value,
    file: _body,
    ...listed
  } = field;
  return listed;
}

export function groupAnswerOf(group: PackedGroup, self: Self): GroupAnswer {
  const { admins, grants: _grants, rosters: _rosters, entries: _entries, ...entryGroup } = group;
  return { entryGroup, role: ownRow(group, self), admins };
}

/** The copy has the rows of admins only. */
function ownRow(group: PackedGroup, { userId, fingerprint }: Self): GroupUser {
  const known = group.admins.find(({ user_id }) => user_id === userId);
  if (known !== undefined) return known;
  const { entry_group_id, role, created_at, updated_at } = group;
  const user = { user_id: userId, name: '' };
  return { id: userId, entry_group_id, user_id: userId, role, fpr: fingerprint, user, created_at, updated_at };
}

/** Admins and oneself: the copy has no other members. */
export function membersOf(group: PackedGroup, self: Self): readonly GroupUserWithCertificate[] {
  const own = ownRow(group, self);
  const rows = group.admins.includes(own) ? group.admins : [...group.admins, own];
  return rows.map((row) => ({ ...row, certificate: certificateIn(group, row) }));
}

/** The certificate from a list that the person signed. */
const certificateIn = ({ rosters }: PackedGroup, { user_id, fpr }: GroupUser) =>
  rosters.findLast(
    ({ signer_certificate }) => signer_certificate?.user_id === user_id && signer_certificate.fpr === fpr,
  )?.signer_certificate ?? null;
