import { foldText } from '@passwordbroker/core/domain/search-text';
import { similarWord } from '@passwordbroker/core/domain/similar-words';
import type { SearchRow } from '@passwordbroker/core/contract/entities';
import { ADMIN_PATHS } from '../admin/admin-paths.ts';
import type { SavedSearches } from '../desk/use-desk.ts';
import type { DeskItems } from '../desk/use-desk-items.ts';
import { entryAddress } from '../entries/entry-address.ts';
import { ADMIN_TEXTS } from '../texts/admin/admin.ts';
import { CHECKUP_TEXTS } from '../texts/admin/checkup.ts';
import { SUGGESTION_TEXTS } from '../texts/entries/search.ts';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { FRAME_TEXTS } from '../texts/frame.ts';
import { HELP_TEXTS } from '../texts/help.ts';
import { MASTER_PASSWORD_TEXTS } from '@passwordbroker/client/texts/master-password';
import { TRASH_TEXTS } from '../texts/entries/trash-and-activity.ts';
import { targetFinder, type TargetGroup } from '../entries/group-picker/find-targets.ts';
import { searchAddress } from './search-path.ts';
import type { EntryToUse } from '../entries/entry-parts.ts';
import type { GroupNode, GroupTree } from '../groups/tree/group-tree.ts';
import type { TreeRole } from '@passwordbroker/core/domain/policy';

/** State of the page that decides which actions are possible. */
export interface Present {
  readonly theme: 'dark' | 'light';
  readonly isUnlocked: boolean;
  /** False while the database is offline. */
  readonly canWrite: boolean;
  /** Pages of the site that the person may open. */
  readonly site: 'none' | 'read' | 'change';
}

/** Actions whose name contains every word; blank text matches all. */
export function suggestActions(query: string, present: Present): readonly Suggestion[] {
  const words = foldText(query).split(/\s+/u).filter(Boolean);
  return actionsOf(present).filter(({ title }) => words.every((word) => foldText(title).includes(word)));
}

function actionsOf({ theme, isUnlocked, canWrite, site }: Present): readonly Suggestion[] {
  return [
    ...(isUnlocked ? [] : [action(SUGGESTION_TEXTS.unlock, { action: 'unlock' })]),
    ...(canWrite
      ? [
          action(SUGGESTION_TEXTS.newLogin, { action: 'new login' }),
          action(GROUP_TEXTS.addTree, { action: 'add tree' }),
          action(GROUP_TEXTS.importFile, { action: 'import' }),
        ]
      : []),
    ...(isUnlocked ? [action(MASTER_PASSWORD_TEXTS.lockNow, { action: 'lock' })] : []),
    action(SUGGESTION_TEXTS.home, { address: '/' }),
    ...(canWrite
      ? [
          action(TRASH_TEXTS.page, { address: '/trash' }),
          action(SUGGESTION_TEXTS.formerMembers, { address: '/leavers' }),
        ]
      : []),
    ...(canWrite ? [action(ACCOUNT_TEXTS.page, { address: '/account' })] : []),
    action(FRAME_TEXTS.activityLog, { action: 'log' }),
    action(theme === 'dark' ? FRAME_TEXTS.lightTheme : FRAME_TEXTS.darkTheme, { action: 'theme' }),
    action(HELP_TEXTS.action, { action: 'help' }),
    ...(canWrite ? pagesOfSite(site) : []),
    action(FRAME_TEXTS.logout, { address: '/identity/logout' }),
  ];
}

function pagesOfSite(site: Present['site']): readonly Suggestion[] {
  const page = (title: string, address: string) => action(`${FRAME_TEXTS.adminPanel}: ${title}`, { address });
  if (site === 'none') return [action(FRAME_TEXTS.adminPanel, { address: '/admin' })];
  return [
    page(CHECKUP_TEXTS.page, ADMIN_PATHS.checkup),
    page(ADMIN_TEXTS.users, ADMIN_PATHS.users),
    ...(site === 'change' ? [page(ADMIN_TEXTS.createUser, ADMIN_PATHS.createUser)] : []),
    page(site === 'change' ? ADMIN_TEXTS.invite : ADMIN_TEXTS.invitations, ADMIN_PATHS.invite),
    page(ADMIN_TEXTS.tokens, ADMIN_PATHS.tokens),
    page(ADMIN_TEXTS.settings, ADMIN_PATHS.settings),
    page(ADMIN_TEXTS.logs, ADMIN_PATHS.logs),
    page(ADMIN_TEXTS.backup, ADMIN_PATHS.backup),
  ];
}

const action = (title: string, target: Suggestion['target']): Suggestion => ({
  id: `action-${'action' in target ? target.action.replace(' ', '-') : idOfAddress(target.address)}`,
  kind: 'action',
  title,
  above: '',
  role: null,
  target,
});

const idOfAddress = (address: string) => address.replaceAll(/[/_]+/g, '-').replaceAll(/^-|-$/g, '') || 'home';

/** Before anything is typed: recent entries, then favourites that are not among them, and saved searches. */
export function suggestDesk({ recent, entries, groups }: Suggested, searches: SavedSearches['list']) {
  const used = recent.slice(0, MOST_SUGGESTED);
  const isUsed = (entry: SearchRow) => used.some(({ entry_id }) => entry_id === entry.entry_id);
  const others = [
    ...entries.filter((entry) => !isUsed(entry)).map((entry) => ofEntry(entry, 'favourite')),
    ...groups.map((group): Suggestion => ({ ...suggestionOf(group), kind: 'favourite' })),
  ];
  return [
    ...used.map((entry) => ofEntry(entry, 'recent')),
    ...others.slice(0, MOST_SUGGESTED),
    ...searches.slice(0, MOST_SUGGESTED).map(ofSearch),
  ];
}

type Suggested = Pick<DeskItems, 'recent' | 'entries' | 'groups'>;

const ofSearch = ({ id, name, query }: SavedSearches['list'][number]): Suggestion => ({
  id: `search-${id}`,
  kind: 'search',
  title: name,
  above: '',
  role: null,
  target: { address: searchAddress({ query }) ?? '/' },
});

export const ofEntry = (entry: SearchRow, kind: 'recent' | 'favourite' | 'entry'): Suggestion => ({
  id: `entry-${entry.entry_id}`,
  kind,
  title: entry.title,
  above: [entry.passwords.find(({ login }) => login !== '')?.login, entry.entry_group.name].filter(Boolean).join(' · '),
  role: null,
  entry,
  target: { address: entryAddress(entry) },
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

export function groupsOf(tree: GroupTree): readonly TargetGroup[] {
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
export type HeaderAction = 'new login' | 'add tree' | 'import' | 'theme' | 'lock' | 'unlock' | 'log' | 'help';

export interface Suggestion {
  /** Type and id; usable in a DOM id. */
  readonly id: string;
  readonly kind: 'recent' | 'favourite' | 'search' | 'group' | 'action' | 'entry';
  readonly title: string;
  /** 'Engineering / Databases', or login and group of an entry; empty for a root and for an action. */
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
  return rows.find(({ id, entry }) => (activeId === null ? entry !== undefined : id === activeId))?.entry ?? null;
}

/** Limit per type. */
export const MOST_SUGGESTED = 5;
