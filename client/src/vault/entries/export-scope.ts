/** Which groups an export has, and what each kind of file holds. */
import type { Export } from '@passwordbroker/core/contract/entries/exports';
import {
  EXPORT_FORMATS,
  type ExportBy,
  type ExportFormat,
  isEncrypted,
} from '@passwordbroker/core/domain/exchange/export-formats';
import type { Role, TreeRole } from '@passwordbroker/core/domain/policy';

/** A group of the tree. */
export interface ScopeGroup {
  readonly id: string;
  readonly title: string;
  readonly role: TreeRole;
  readonly children: readonly ScopeGroup[];
}

const RANK: Readonly<Record<Role, number>> = { admin: 2, moderator: 1, member: 0 };
const LEAST: Readonly<Record<ExportBy, number>> = { nobody: 3, admins: 2, moderators: 1, members: 0 };

/**
 * The readable groups among these and, unless `isFlat`, those below them, each once. `refused`: the role does not reach
 * to export them.
 */
export function exportedGroups<Group extends ScopeGroup>(
  tops: readonly Group[],
  exportBy: ExportBy,
  isFlat = false,
): { readonly groups: readonly Group[]; readonly refused: readonly Group[] } {
  const open = [...tops];
  const readable = new Map<string, Group>();
  for (const group of open) {
    if (group.role !== 'guest') readable.set(group.id, group);
    if (!isFlat) open.push(...(group.children as readonly Group[]));
  }
  const may = ({ role }: Group) => role !== 'guest' && RANK[role] >= LEAST[exportBy];
  const all = [...readable.values()];
  return { groups: all.filter(may), refused: all.filter((group) => !may(group)) };
}

interface Holds {
  readonly history: boolean;
  readonly files: boolean;
  readonly totp: boolean;
}

const WHOLE: Holds = { history: true, files: true, totp: true };

/** What each kind of file holds. Code that writes them is in the keyring worker. */
export const KINDS: Readonly<Record<ExportFormat, Holds>> = {
  pbx: WHOLE,
  kdbx: WHOLE,
  bitwarden: WHOLE,
  'bitwarden-plain': WHOLE,
  'csv-manager': { history: false, files: false, totp: false },
  'csv-table': { history: false, files: false, totp: true },
  cxf: { history: false, files: true, totp: true },
};

/** Unencrypted kinds only where the site allows them. */
export const offeredKinds = (withPlain: boolean): readonly ExportFormat[] =>
  EXPORT_FORMATS.filter((format) => withPlain || isEncrypted(format));

export interface Missing {
  readonly what: 'files' | 'history' | 'totp';
  readonly count: number;
}

/** What an export has and this kind of file does not hold, as counts; the writer says the rest after opening. */
export function missingIn(format: ExportFormat, { fields, revisions, types }: Export['counts']): readonly Missing[] {
  const all = [
    { what: 'files', count: types.file },
    { what: 'history', count: revisions - fields },
    { what: 'totp', count: types.TOTP },
  ] as const;
  return all.filter(({ what, count }) => !KINDS[format][what] && count > 0);
}

/** What this kind of file could hold, and the person does not want. */
export function leftByChoice(
  format: ExportFormat,
  wanted: { readonly files: boolean; readonly history: boolean },
  { fields, revisions, types }: Export['counts'],
): readonly (Missing & { readonly what: 'files' | 'history' })[] {
  const all = [
    { what: 'files', count: types.file },
    { what: 'history', count: revisions - fields },
  ] as const;
  return all.filter(({ what, count }) => KINDS[format][what] && !wanted[what] && count > 0);
}
