/** An opened copy. It contains envelopes, never opened values. */
import type {
  Entry,
  Field,
  GroupAnswer,
  GroupUser,
  GroupUserWithCertificate,
  ListedEntry,
  TreeNode,
  GroupHistory,
} from '@passwordbroker/core/contract/entities';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import {
  loginOf,
  marksOf,
  timeOf,
  unpackField,
  type CopiedField,
  type PackedCopy,
  type PackedEntry,
  type PackedGroup,
  packInto,
} from './packed-copy.ts';
import type { OfflineDelta } from '@passwordbroker/core/contract/account/offline';
import type { Bytes } from '@passwordbroker/core/crypto/bytes';
import { CopyFaultError, jsonIn, type OpenedChain } from './copy-pieces.ts';

/** Parses lazily: the trees are shown first. Reads may throw CopyFaultError. */
export interface OpenedCopy {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly trees: () => readonly TreeNode[];
  readonly data: () => PackedCopy;
  readonly snapshot: () => CopySnapshot;
}

/** Dropped once parsed. */
interface Unread {
  readonly whole: Bytes;
  readonly changes: readonly OfflineDelta[];
}

/**
 * @param chain checked when this client sealed it
 * @throws CopyFaultError
 */
export function openedCopy([whole, ...pieces]: OpenedChain): OpenedCopy {
  const { timestamp } = (pieces.at(-1) ?? whole).header;
  const changes = pieces.map(({ json }) => read<OfflineDelta>(json));
  const ahead = changes.findLast((change) => change.trees !== null)?.trees ?? whole.trees;
  let copy: PackedCopy | Unread = { whole: whole.json, changes };
  let snapshot: CopySnapshot | null = null;

  function data(): PackedCopy {
    if ('whole' in copy) copy = copy.changes.reduce(packInto, read<PackedCopy>(copy.whole));
    return copy;
  }
  return {
    timestamp,
    trees: () => ahead ?? data().trees,
    data,
    snapshot: () => (snapshot ??= snapshotOf(timestamp, data())),
  };
}

function read<T>(json: Bytes): T {
  try {
    return jsonIn(json) as T;
  } catch {
    throw new CopyFaultError('damaged');
  }
}

export interface FoundField {
  readonly field: CopiedField;
  readonly group: PackedGroup;
}

export interface CopySnapshot {
  readonly timestamp: number;
  readonly data: PackedCopy;
  group(groupId: string): PackedGroup | null;
  /** By title. */
  entries(groupId: string): readonly ListedEntry[] | null;
  /** By type. */
  fields(groupId: string, entryId: string): readonly CopiedField[] | null;
  field(groupId: string, entryId: string, fieldId: string): FoundField | null;
}

interface Self {
  readonly userId: string;
  readonly fingerprint: string;
}

function snapshotOf(timestamp: number, data: PackedCopy): CopySnapshot {
  const groups = new Map(data.groups.map((group) => [group.entry_group_id, group]));
  const ordered = new Map<string, readonly ListedEntry[]>();
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

const inOrder = (group: PackedGroup): readonly ListedEntry[] =>
  group.entries
    // Fields are in the order of the server.
    .map((entry) => ({ ...listedEntry(entry, group), login: entry.row[3].map(loginOf).find(Boolean) ?? null }))
    .map((entry) => ({ entry, id: entry.entry_id, title: entry.title }))
    .sort(compareTitles)
    .map(({ entry }) => entry);

export const fieldsOf = (entry: PackedEntry, group: PackedGroup, { users }: PackedCopy): readonly CopiedField[] =>
  entry.row[3].map((row) => unpackField(row, entry, group, users));

export function listedEntry(entry: PackedEntry, { entry_group_id }: PackedGroup): Entry {
  const { entry_id, row } = entry;
  const [title, created, updated] = row;
  const times = { created_at: timeOf(created), updated_at: timeOf(updated) };
  return { entry_id, entry_group_id, title, ...marksOf(entry), ...times };
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

export function membersOf(group: PackedGroup, self: Self): readonly GroupUserWithCertificate[] {
  const own = ownRow(group, self);
  const rows = group.admins.includes(own) ? group.admins : [...group.admins, own];
  return rows.map((row) => ({ ...row, certificate: certificateIn(group, row) }));
}

const certificateIn = ({ rosters }: PackedGroup, { user_id, fpr }: GroupUser) =>
  rosters.findLast(
    ({ signer_certificate }) => signer_certificate?.user_id === user_id && signer_certificate.fpr === fpr,
  )?.signer_certificate ?? null;

interface HistoryRequest {
  readonly groupId: string;
  readonly field: { readonly entryId: string; readonly fieldId: string } | null;
  /** Rows after this id. */
  readonly before: string | null;
  readonly limit: number;
}

/** First and present revision of each field, newest first; only the present one has a value. */
export function historyIn(
  snapshot: CopySnapshot,
  { groupId, field: one, before, limit }: HistoryRequest,
): GroupHistory[] | null {
  const entries = snapshot.entries(groupId);
  if (entries === null) return null;
  const shown = one === null ? entries : entries.filter(({ entry_id }) => entry_id === one.entryId);
  const rows = shown.flatMap(({ entry_id, title }) =>
    rowsOfEntry(snapshot, groupId, { entry_id, entry_group_id: groupId, title }),
  );
  const own = one === null ? rows : rows.filter(({ field_id }) => field_id === one.fieldId);
  if (one !== null && own.length === 0) return null;
  own.sort((a, b) => compare(b.created_at, a.created_at) || compare(b.field_edit_log_id, a.field_edit_log_id));
  const start = before === null ? 0 : own.findIndex((row) => row.field_edit_log_id === before) + 1;
  return own.slice(start, start + limit);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function rowsOfEntry(snapshot: CopySnapshot, groupId: string, entry: GroupHistory['field']['entry']): GroupHistory[] {
  return (snapshot.fields(groupId, entry.entry_id) ?? []).flatMap((field) => {
    const { field_id, entry_id, title, type, rev } = field;
    const row = (of: Pick<GroupHistory, 'event_type' | 'user' | 'created_at'> & { readonly rev: number }) => ({
      ...of,
      // The copy lacks the server's row ids.
      field_edit_log_id: `${field_id}.${of.rev}`,
      field_id,
      has_value: of.rev === rev,
      title,
      login: field.type === 'password' ? field.login : null,
      field: { field_id, entry_id, title, type, entry },
    });
    const first = row({ event_type: 'created', rev: 1, user: field.created_by, created_at: field.created_at });
    if (rev === 1) return [first];
    return [row({ event_type: 'updated', rev, user: field.updated_by, created_at: field.updated_at }), first];
  });
}
