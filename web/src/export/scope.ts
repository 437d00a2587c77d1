/** What an export has, from the tree on the page, and in which words. */
import type { Export } from '@passwordbroker/core/contract/entries/exports';
import type { ExportBy, ExportFormat } from '@passwordbroker/core/domain/exchange/export-formats';
import { exportedGroups, leftByChoice, missingIn } from '@passwordbroker/client/vault/entries/export-scope';
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

export function scopeOf(what: ExportWhat, tree: GroupTree, exportBy: ExportBy): ExportScope {
  const top = what.kind === 'everything' ? null : (tree.byId.get(what.groupId) ?? null);
  const tops = what.kind === 'everything' ? tree.roots : top === null ? [] : [top];
  return {
    ...exportedGroups(tops, exportBy, what.kind === 'entries'),
    entryIds: what.kind === 'entries' ? what.entryIds : [],
    name: what.kind === 'group' ? (top?.title ?? '') : what.kind === 'entries' ? TEXTS.selection : TEXTS.all,
  };
}

/** 'passwordbroker-Ops-2026-11-28.kdbx' */
export const fileNameOf = (name: string, extension: string, now: Date): string =>
  `passwordbroker-${name}-${now.toISOString().slice(0, 10)}.${extension}`;

const LACKS = { files: TEXTS.noFiles, history: TEXTS.noHistory, totp: TEXTS.noCodes } as const;

/** 'CSV has no files (12) and no earlier versions (340).'; null if nothing of this is there. */
export function lossLine(format: ExportFormat, counts: Export['counts']): string | null {
  const missing = missingIn(format, counts).map(({ what, count }) => LACKS[what](count));
  return missing.length === 0 ? null : TEXTS.hasNo(TEXTS.shortKinds[format], missing);
}

const LEFT = { files: TEXTS.filesLeft, history: TEXTS.historyLeft } as const;

/** What the kind could hold and the person does not want; null if nothing of this is there. */
export function choiceLine(
  format: ExportFormat,
  wanted: { readonly files: boolean; readonly history: boolean },
  counts: Export['counts'],
): string | null {
  const left = leftByChoice(format, wanted, counts).map(({ what, count }) => LEFT[what](count));
  return left.length === 0 ? null : TEXTS.notExported(left);
}
