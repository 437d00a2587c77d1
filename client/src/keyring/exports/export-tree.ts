/** Collects opened values into the tree that writers take, and writes it. */
import type { Entry } from '@passwordbroker/core/contract/entities';
import type { ReleasedValue } from '@passwordbroker/core/contract/entries/exports';
import type { Bytes } from '@passwordbroker/core/crypto/bytes';
import { readDay } from '@passwordbroker/core/domain/entry-marks';
import {
  hasFiles,
  type ExchangeTree,
  type PlainContent,
  type SkippedCounter,
  skippedCounter,
  type TreeField,
  type TreeGroup,
  type TreeRevision,
} from '@passwordbroker/core/domain/exchange/tree';
import { FIELD_TYPES, type FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import { compareTitles } from '@passwordbroker/core/domain/groups/group-tree';
import { LIMITS } from '@passwordbroker/core/domain/limits';
import { fileLimitOf } from '@passwordbroker/core/domain/exchange/formats';
import { fitsOneImport, WRITERS, type WriteOptions } from '@passwordbroker/core/domain/exchange/writers';
import type { OpenedContent } from '../revisions/contents.ts';
import type { ExportCalls, Outline } from './export-calls.ts';

type ReadField = { readonly type: TreeField['type']; readonly revisions: (TreeRevision & { readonly rev: number })[] };

/** `bytes`: of a file. */
export type OpenedValue = OpenedContent & { readonly bytes: Bytes | null };

export interface ExportTree {
  has(value: ReleasedValue): boolean;
  add(value: ReleasedValue, opened: OpenedValue): void;
  end(): ExchangeTree;
}

/** @param name of the root, unless one group is above all others */
export function exportTree(name: string, { groups, entries }: Outline): ExportTree {
  const read = new Map(entries.map((entry) => [entry.entry_id, { entry, fields: new Map<string, ReadField>() }]));
  return {
    has: ({ entry_id, entry_group_id }) => read.get(entry_id)?.entry.entry_group_id === entry_group_id,
    add(value, opened) {
      const { fields } = read.get(value.entry_id) ?? {};
      const field = fields?.get(value.field_id) ?? { type: value.type, revisions: [] };
      fields?.set(value.field_id, field);
      const at = Date.parse(value.created_at);
      field.revisions.push({ rev: value.rev, content: plainOf(value.type, opened), at });
    },
    end() {
      const skipped = skippedCounter();
      const { made, places } = orderedGroups(name, groups, skipped);
      const all = [...read.values()].map(({ entry, fields }) => {
        noteLoss(entry, skipped);
        return {
          group: places.get(entry.entry_group_id) ?? 0,
          title: entry.title,
          tags: entry.tags,
          expires: entry.due_kind === 'expires' && entry.due_at !== null ? readDay(entry.due_at) : null,
          created: Date.parse(entry.created_at),
          modified: Date.parse(entry.updated_at),
          fields: [...fields.values()].map(withoutNumbers).sort(byKindAndTitle),
        };
      });
      return { groups: made, entries: all, skipped: skipped.list() };
    },
  };
}

/**
 * Parents first, siblings by name; the first is above all others. With it they can be deeper than an import takes:
 * entries of such groups are in the group above.
 */
function orderedGroups(name: string, groups: Outline['groups'], skipped: SkippedCounter) {
  const ids = new Set(groups.map(({ entry_group_id }) => entry_group_id));
  const below = new Map<string | null, Outline['groups'][number][]>();
  for (const group of groups) {
    const { parent_entry_group_id: id } = group;
    const parent = id !== null && ids.has(id) ? id : null;
    below.set(parent, [...(below.get(parent) ?? []), group]);
  }
  const made: TreeGroup[] = [];
  const places = new Map<string, number>();
  const add = (group: Outline['groups'][number], parent: number | null, depth: number) => {
    if (parent !== null && depth > LIMITS.treeDepth) {
      skipped.add('group', `below level ${LIMITS.treeDepth}, so its entries are in the group above`);
      places.set(group.entry_group_id, parent);
      return;
    }
    const times = { created: Date.parse(group.created_at), modified: Date.parse(group.updated_at) };
    places.set(group.entry_group_id, made.push({ name: group.name, parent, ...times }) - 1);
  };
  const tops = below.get(null) ?? [];
  const isOne = tops.length === 1;
  if (!isOne) made.push({ name, parent: null, created: null, modified: null });
  const open = tops.map((group) => ({ group, parent: isOne ? null : 0, depth: isOne ? 1 : 2 })).sort(byName);
  for (const { group, parent, depth } of open) {
    add(group, parent, depth);
    const place = places.get(group.entry_group_id) ?? 0;
    const children = below.get(group.entry_group_id) ?? [];
    open.push(...children.map((child) => ({ group: child, parent: place, depth: depth + 1 })).sort(byName));
  }
  return { made, places };
}

interface Placed {
  readonly group: Outline['groups'][number];
}
const byName = (a: Placed, b: Placed) =>
  compareTitles(
    { title: a.group.name, id: a.group.entry_group_id },
    { title: b.group.name, id: b.group.entry_group_id },
  );

const withoutNumbers = ({ type, revisions }: ReadField): TreeField => ({
  type,
  revisions: revisions.toSorted((a, b) => a.rev - b.rev).map(({ content, at }) => ({ content, at })),
});

const titleOf = ({ revisions }: TreeField) => revisions.at(-1)?.content.title ?? '';
const byKindAndTitle = (a: TreeField, b: TreeField) =>
  FIELD_TYPES.indexOf(a.type) - FIELD_TYPES.indexOf(b.type) ||
  compareTitles({ title: titleOf(a), id: '' }, { title: titleOf(b), id: '' });

/** What no kind of file has a place for. */
function noteLoss({ due_kind, due_at, icon, rotate_days }: Entry, skipped: SkippedCounter): void {
  if (due_at !== null && due_kind !== 'expires') skipped.add('due date', 'of another kind than expiry');
  else if (rotate_days !== null) skipped.add('due date', 'that moves ahead with each new password');
  if (icon !== null) skipped.add('icon', 'not supported');
}

function plainOf(type: FieldType, { title, login, text: value, totp, file, bytes }: OpenedValue): PlainContent {
  switch (type) {
    case 'password':
      return { type, title, login: login ?? '', value };
    case 'link':
    case 'note':
      return { type, title, value };
    case 'TOTP':
      return { type, title, value, algorithm: totp?.algorithm ?? 'sha1', period: totp?.period ?? 30 };
    case 'file':
      return { type, title, name: file?.name ?? title, bytes: bytes ?? new Uint8Array() };
  }
}

/** @throws ExchangeError of the writer; the signal's reason */
export async function writeTree(
  tree: ExchangeTree,
  format: string,
  options: Pick<WriteOptions, 'password' | 'argon2' | 'signal'>,
  onProgress: (progress: ExportCalls['writeExport']['progress']) => void,
): Promise<ExportCalls['writeExport']['output']> {
  const writer = WRITERS.find(({ id }) => id === format);
  if (writer === undefined) throw new Error(`No writer ${format}`);
  const { write, lossOf } = await writer.load();
  const parts: BlobPart[] = [];
  const now = Date.now();
  let isReadable = true;
  const told = {
    onProgress: (done: number, total: number) => onProgress({ done, total }),
    onUnreadable: () => (isReadable = false),
  };
  for await (const part of write(tree, { ...options, now, ...told })) {
    options.signal?.throwIfAborted();
    parts.push(new Uint8Array(part));
  }
  const { extension, mime } = (hasFiles(tree) ? writer.withFiles : undefined) ?? writer;
  const file = new Blob(parts, { type: mime });
  const lost = [...tree.skipped, ...lossOf(tree)];
  const isImportable = isReadable && file.size <= (await fileLimitOf(file)) && fitsOneImport(tree);
  return { file, extension, lost, isImportable };
}
