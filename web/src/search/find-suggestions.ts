import { foldText } from '@passwordbroker/core/domain/search-text';
import { similarWord } from '@passwordbroker/core/domain/similar-words';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { FRAME_TEXTS } from '../texts/frame.ts';
import { KEYBOARD_TEXTS } from '../texts/keyboard.ts';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { TRASH_TEXTS } from '../texts/entries/trash-and-activity.ts';
import { targetFinder, type TargetGroup } from '../entries/group-picker/find-targets.ts';
import type { EntryToUse } from '../entries/entry-parts.ts';
import type { GroupNode, GroupTree } from '../groups/tree/group-tree.ts';
import type { TreeRole } from '@passwordbroker/core/domain/policy';

/** State of the page that decides which actions are possible. */
export interface Present {
  readonly theme: 'dark' | 'light';
  readonly isUnlocked: boolean;
  /** False while the database is offline. */
  readonly canWrite: boolean;
}

/** Actions whose name contains every word; blank text matches all. */
export function suggestActions(query: string, present: Present): readonly Suggestion[] {
  const words = foldText(query).split(/\s+/u).filter(Boolean);
  return actionsOf(present).filter(({ title }) => words.every((word) => foldText(title).includes(word)));
}

function actionsOf({ theme, isUnlocked, canWrite }: Present): readonly Suggestion[] {
  return [
    ...(canWrite
      ? [action(GROUP_TEXTS.addTree, { action: 'add tree' }), action(GROUP_TEXTS.importFile, { action: 'import' })]
      : []),
    ...(isUnlocked ? [action(MASTER_PASSWORD_TEXTS.lockNow, { action: 'lock' })] : []),
    action(FRAME_TEXTS.activityLog, { action: 'log' }),
    ...(canWrite ? [action(TRASH_TEXTS.page, { address: '/trash' })] : []),
    action(theme === 'dark' ? FRAME_TEXTS.lightTheme : FRAME_TEXTS.darkTheme, { action: 'theme' }),
    action(KEYBOARD_TEXTS.title, { action: 'keys' }),
    ...(canWrite ? [action(FRAME_TEXTS.adminPanel, { address: '/admin' })] : []),
    action(FRAME_TEXTS.logout, { address: '/identity/logout' }),
  ];
}

const action = (title: string, target: Suggestion['target']): Suggestion => ({
  id: `action-${'action' in target ? target.action.replace(' ', '-') : target.address.slice(1).replace('/', '-')}`,
  kind: 'action',
  title,
  above: '',
  role: null,
  target,
});

/**
 * Finds groups by all words in their name or path, or by similar words if there is none; none for blank text.
 * Leaves out guest groups, which cannot be opened. The returned function is called at every key.
 */
export function groupFinder(tree: GroupTree): (query: string) => readonly Suggestion[] {
  const groups = groupsOf(tree);
  const find = targetFinder(groups);
  const texts = new Map(groups.map((group) => [group, foldText(`${group.above} ${group.title}`)]));
  return (query) => {
    if (query.trim() === '') return [];
    const found = find(query).slice(0, MOST_SUGGESTED).map(suggestionOf);
    return found.length > 0 ? found : similarGroups(texts, query);
  };
}

function similarGroups(texts: ReadonlyMap<TargetGroup, string>, query: string): readonly Suggestion[] {
  const words = foldText(query).split(/\s+/u).filter(Boolean);
  const similar = words.map((word) => ({ word, like: similarWord(word) }));
  if (similar.every(({ like }) => like === null)) return [];
  return [...texts]
    .filter(([, text]) => similar.every(({ word, like }) => text.includes(word) || like?.isIn(text) === true))
    .slice(0, MOST_SUGGESTED)
    .map(([group]) => ({ ...suggestionOf(group), isSimilar: true }));
}

function groupsOf(tree: GroupTree): readonly TargetGroup[] {
  const groups: TargetGroup[] = [];
  const walk = (nodes: readonly GroupNode[], above: string) => {
    for (const { id, title, role, children } of nodes) {
      if (role !== 'guest') groups.push({ id, title, above, role });
      walk(children, above === '' ? title : `${above} / ${title}`);
    }
  };
  walk(tree.roots, '');
  return groups;
}

const suggestionOf = ({ id, title, above, role }: TargetGroup): Suggestion => ({
  id: `group-${id}`,
  kind: 'group',
  title,
  above,
  role,
  target: { address: `/entryGroup/${id}` },
});

/** Actions that the header runs. */
export type HeaderAction = 'add tree' | 'import' | 'theme' | 'lock' | 'log' | 'keys';

export interface Suggestion {
  /** Type and id; usable in a DOM id. */
  readonly id: string;
  readonly kind: 'group' | 'action' | 'entry';
  readonly title: string;
  /** 'Engineering / Databases'; empty for a root and for an action. */
  readonly above: string;
  /** null except for groups. */
  readonly role: TreeRole | null;
  /** Found by a misspelt word. */
  readonly isSimilar?: boolean;
  /** Only of an entry. */
  readonly entry?: EntryToUse;
  readonly target: { readonly address: string } | { readonly action: HeaderAction };
}

/** The entry that the keys of the search box act on: the chosen one, or the first while nothing is chosen. */
export function entryToUse(rows: readonly Suggestion[], activeId: string | null): EntryToUse | null {
  return rows.find(({ id, kind }) => (activeId === null ? kind === 'entry' : id === activeId))?.entry ?? null;
}

/** Limit per type. */
export const MOST_SUGGESTED = 5;
