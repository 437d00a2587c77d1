/** What an export has, from the tree on the page. */
import type { ExportBy } from '@passwordbroker/core/domain/exchange/export-formats';
import type { Role } from '@passwordbroker/core/domain/policy';
import { EXPORT_TEXTS as TEXTS } from '../texts/entries/export.ts';
import type { GroupNode, GroupTree } from '../groups/tree/group-tree.ts';

export type ExportWhat =
  | { readonly kind: 'group'; readonly groupId: string }
  | { readonly kind: 'entries'; readonly groupId: string; readonly entryIds: readonly string[] }
  | { readonly kind: 'everything' };

export interface ExportScope {
  /** Those that the person may export. */
  readonly groups: readonly GroupNode[];
  /** Those that the person can read, but not export. */
  readonly refused: readonly GroupNode[];
  readonly entryIds: readonly string[];
  /** Of the file, and of the root of what has no common one. */
  readonly name: string;
}

const RANK: Readonly<Record<Role, number>> = { admin: 2, moderator: 1, member: 0 };
const LEAST: Readonly<Record<ExportBy, number>> = { nobody: 3, admins: 2, moderators: 1, members: 0 };

export function scopeOf(what: ExportWhat, tree: GroupTree, exportBy: ExportBy): ExportScope {
  const top = what.kind === 'everything' ? null : (tree.byId.get(what.groupId) ?? null);
  const open = what.kind === 'everything' ? [...tree.roots] : top === null ? [] : [top];
  const readable: GroupNode[] = [];
  for (const group of open) {
    if (group.role !== 'guest') readable.push(group);
    if (what.kind !== 'entries') open.push(...group.children);
  }
  const may = ({ role }: GroupNode) => role !== 'guest' && RANK[role] >= LEAST[exportBy];
  return {
    groups: readable.filter(may),
    refused: readable.filter((group) => !may(group)),
    entryIds: what.kind === 'entries' ? what.entryIds : [],
    name: what.kind === 'group' ? (top?.title ?? '') : what.kind === 'entries' ? TEXTS.selection : TEXTS.all,
  };
}

/** 'passwordbroker-Ops-2026-11-28.kdbx' */
export const fileNameOf = (name: string, extension: string, now: Date): string =>
  `passwordbroker-${name}-${now.toISOString().slice(0, 10)}.${extension}`;
