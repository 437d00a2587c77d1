/** Compact form of a copy: half the bytes of the answer. */
import type { Entry, TreeNode, UserBrief } from '@passwordbroker/core/contract/entities';
import type {
  OfflineDelta,
  OfflineEntry,
  OfflineField,
  OfflineHead,
  OfflineData,
} from '@passwordbroker/core/contract/account/offline';
import { UNMARKED } from '@passwordbroker/core/domain/entry-marks';
import {
  FIELD_TYPES,
  type FieldType,
  type TotpAlgorithm,
  listedFields,
} from '@passwordbroker/core/domain/fields/field-kinds';
import { applyOfflineDelta, type DeltaOfCopy } from '@passwordbroker/core/domain/offline/offline-delta';

type Own =
  | { readonly login: string }
  | { readonly totp_hash_algorithm: TotpAlgorithm; readonly totp_timeout: number }
  | { readonly file_name: string; readonly file_mime: string; readonly file_size: number; readonly body: number }
  | null;

/** Milliseconds; text if another format. */
type Time = number | string;

export type FieldRow = readonly [
  type: number,
  fieldId: string,
  title: string,
  rev: number,
  gkVersion: number,
  createdBy: number,
  updatedBy: number,
  createdAt: Time,
  updatedAt: Time,
  wrappedKey: string,
  value: string,
  own: Own,
];

const NOBODY = -1;

export type Marks = Pick<Entry, 'tags' | 'icon' | 'due_at' | 'due_kind' | 'rotate_days'>;

export interface PackedEntry {
  readonly entry_id: string;
  /** Without marks if the entry has none. */
  readonly row: readonly [title: string, createdAt: Time, updatedAt: Time, fields: readonly FieldRow[], marks?: Marks];
}

export type PackedGroup = OfflineHead & { readonly entries: readonly PackedEntry[] };

export interface PackedCopy {
  readonly users: readonly UserBrief[];
  readonly trees: readonly TreeNode[];
  readonly groups: readonly PackedGroup[];
}

export type CopiedField = OfflineField extends infer Kind
  ? Kind extends OfflineField
    ? Omit<Kind, 'initialization_vector_base64'>
    : never
  : never;

export function packCopy({ trees, groups }: OfflineData): PackedCopy {
  const people = peopleOf([]);
  return {
    trees,
    groups: groups.map((group) => ({ ...group, entries: group.entries.map((entry) => packed(entry, people)) })),
    users: people.users,
  };
}

export function packInto(copy: PackedCopy, delta: OfflineDelta): PackedCopy {
  const people = peopleOf(copy.users);
  const change: DeltaOfCopy<TreeNode, OfflineHead, PackedEntry> = {
    ...delta,
    groups: delta.groups.map((group) => ({ ...group, entries: group.entries.map((entry) => packed(entry, people)) })),
  };
  return { ...applyOfflineDelta(copy, change), users: people.users };
}

interface People {
  readonly users: UserBrief[];
  indexOf(user: UserBrief | null): number;
}

function peopleOf(known: readonly UserBrief[]): People {
  const users = [...known];
  const nameOf = ({ user_id, name }: UserBrief) => `${user_id} ${name}`;
  const indices = new Map(users.map((user, at) => [nameOf(user), at]));
  return {
    users,
    indexOf(user) {
      if (user === null) return NOBODY;
      const found = indices.get(nameOf(user));
      if (found !== undefined) return found;
      indices.set(nameOf(user), users.length);
      return users.push(user) - 1;
    },
  };
}

function packed(entry: OfflineEntry, people: People): PackedEntry {
  const { entry_id, title, tags, icon, due_at, due_kind, rotate_days, created_at, updated_at, ...lists } = entry;
  const fields = listedFields(lists).map((field): FieldRow => [
    FIELD_TYPES.indexOf(field.type),
    field.field_id,
    field.title,
    field.rev,
    field.gk_version,
    people.indexOf(field.created_by),
    people.indexOf(field.updated_by),
    packedTime(field.created_at),
    packedTime(field.updated_at),
    field.cek_wrapped_base64,
    field.encrypted_value_base64,
    ownOf(field),
  ]);
  const row = [title, packedTime(created_at), packedTime(updated_at), fields] as const;
  const isMarked = tags.length > 0 || icon !== null || due_at !== null || rotate_days !== null;
  return { entry_id, row: isMarked ? [...row, { tags, icon, due_at, due_kind, rotate_days }] : row };
}

export const marksOf = ({ row: [, , , , marks] }: PackedEntry): Marks =>
  marks === undefined ? UNMARKED : { ...UNMARKED, ...marks };

function ownOf(field: OfflineField): Own {
  switch (field.type) {
    case 'password':
      return { login: field.login };
    case 'TOTP':
      return { totp_hash_algorithm: field.totp_hash_algorithm, totp_timeout: field.totp_timeout };
    case 'file': {
      const { file_name, file_mime, file_size, file } = field;
      return { file_name, file_mime, file_size, body: file?.body_size ?? 0 };
    }
    case 'link':
    case 'note':
      return null;
  }
}

function packedTime(text: string): Time {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text ? time : text;
}

export const timeOf = (time: Time): string => (typeof time === 'string' ? time : new Date(time).toISOString());

/** Empty if it has none. */
export const loginOf = ([, , , , , , , , , , , own]: FieldRow): string =>
  own !== null && 'login' in own ? own.login : '';

export const typeOf = ([type]: FieldRow): FieldType => FIELD_TYPES[type] ?? 'note';

export function unpackField(
  row: FieldRow,
  entry: PackedEntry,
  group: PackedGroup,
  users: readonly UserBrief[],
): CopiedField {
  const [, field_id, title, rev, gk_version, createdBy, updatedBy, createdAt, updatedAt, wrapped, value, own] = row;
  const { body, ...columns } = { body: undefined, ...own };
  const unpacked = {
    field_id,
    entry_id: entry.entry_id,
    entry_group_id: group.entry_group_id,
    type: typeOf(row),
    title,
    rev,
    gk_version,
    crypto_profile: 'pb1',
    created_by: users[createdBy] ?? null,
    updated_by: users[updatedBy] ?? null,
    created_at: timeOf(createdAt),
    updated_at: timeOf(updatedAt),
    cek_wrapped_base64: wrapped,
    encrypted_value_base64: value,
    file: body === undefined ? null : { body_size: body },
    ...columns,
  };
  // Each type packed its own columns.
  return unpacked as unknown as CopiedField;
}
