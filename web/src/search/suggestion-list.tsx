import { type ReactNode, useEffect, useMemo } from 'react';
import { CornerDownLeft, FileText, Folder, Search } from 'lucide-react';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { ENTRY_PART_TEXTS, SUGGESTION_TEXTS as TEXTS } from '../texts/entries/search.ts';
import { RoleMark } from '../members/table/role-mark.tsx';
import { MarkedText } from './marked-text.tsx';
import {
  type Suggestion,
  groupFinder,
  entryToUse,
  suggestActions,
  MOST_SUGGESTED,
  ofEntry,
  suggestDesk,
} from './find-suggestions.ts';
import { ENTRY_PARTS, type EntryToUse, type EntryPart } from '../entries/entry-parts.ts';
import styles from './suggestion-list.module.css';
import { useQuery } from '@tanstack/react-query';
import { useFailuresLogged } from '../activity-log/activity-log.ts';
import type { SearchRow } from '@passwordbroker/core/contract/entities';
import { useSavedSearches } from '../desk/use-desk.ts';
import { type FavouriteGroup, useDeskItems } from '../desk/use-desk-items.ts';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import { useTheme } from '../app/theme/theme.tsx';
import { useSettled } from '../lib/loading.ts';
import { useMasterPasswordView } from '../master-password/use-master-password.ts';
import { readsSite, useSession } from '../session/use-session.ts';
import { useVault } from '../vault/use-vault.ts';

export interface SuggestionListProps {
  readonly id: string;
  readonly query: string;
  readonly activeId: string | null;
  /** A stable function, called when the suggestions change. */
  readonly onShown: (rows: readonly Suggestion[]) => void;
  readonly onChoose: (suggestion: Suggestion) => void;
  readonly onPart: (entry: EntryToUse, part: EntryPart) => void;
}

const KINDS = [
  { kind: 'recent', title: TEXTS.recent },
  { kind: 'favourite', title: TEXTS.favourites },
  { kind: 'search', title: TEXTS.searches },
  { kind: 'group', title: TEXTS.groups },
  { kind: 'action', title: TEXTS.actions },
  { kind: 'entry', title: TEXTS.entries },
] as const;

/** The list below the search box, which keeps the focus and handles the arrow keys. */
export function SuggestionList({ id, query, activeId, onShown, onChoose, onPart }: SuggestionListProps) {
  const { rows, isComplete } = useSuggestions(query);
  useEffect(() => onShown(rows), [rows, onShown]);
  useEffect(() => {
    if (activeId !== null) document.getElementById(optionId(id, activeId))?.scrollIntoView({ block: 'nearest' });
  }, [id, activeId]);
  const kinds = KINDS.map(({ kind, title }) => {
    const ofKind = rows.filter((row) => row.kind === kind);
    const isSimilar = (kind === 'group' || kind === 'entry') && ofKind[0]?.isSimilar === true;
    return { kind, title: isSimilar ? TEXTS.similar[kind] : title, rows: ofKind };
  });
  const entry = entryToUse(rows, activeId);
  return (
    <div className={rows.length === 0 ? 'visually-hidden' : styles['panel']}>
      <p className="visually-hidden" role="status">
        {isComplete && TEXTS.count(rows.length)}
      </p>
      {rows.length > 0 && (
        <div
          id={id}
          role="listbox"
          aria-label={TEXTS.list}
          className={styles['list']}
          tabIndex={-1}
          // Keeps the focus in the search box.
          onMouseDown={(event) => event.preventDefault()}
        >
          {kinds.map(
            ({ kind, title, rows: ofKind }) =>
              ofKind.length > 0 && (
                <div key={kind} role="group" aria-label={title}>
                  <div className={styles['heading']} aria-hidden="true">
                    {title}
                  </div>
                  {ofKind.map((row) => (
                    <div
                      key={row.id}
                      id={optionId(id, row.id)}
                      role="option"
                      tabIndex={-1}
                      aria-selected={row.id === activeId}
                      aria-label={nameOf(row)}
                      className={styles['option']}
                      data-role={row.role ?? undefined}
                      onClick={() => onChoose(row)}
                      onKeyDown={() => undefined}
                    >
                      {glyphOf(row)}
                      <span className={styles['title']}>
                        <MarkedText text={row.title} query={query} />
                      </span>
                      <span className={styles['above']}>{row.above}</span>
                      {row.role !== null && <RoleMark role={row.role} />}
                    </div>
                  ))}
                </div>
              ),
          )}
        </div>
      )}
      {entry !== null && (
        <div className={styles['verbs']} role="group" aria-label={ENTRY_PART_TEXTS.bar(entry.title)}>
          <span className={styles['verbsOf']} aria-hidden="true">
            {entry.title}
          </span>
          {ENTRY_PARTS.map((part) => (
            <button
              key={part}
              type="button"
              className={styles['verb']}
              // Keeps the focus in the search box.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPart(entry, part)}
            >
              {ENTRY_PART_TEXTS.buttons[part].label} <kbd aria-hidden="true">{ENTRY_PART_TEXTS.buttons[part].keys}</kbd>
            </button>
          ))}
        </div>
      )}
      {rows.length > 0 && query.trim() !== '' && (
        <p className={styles['foot']} aria-hidden="true">
          <kbd>{TEXTS.footKey}</kbd> {TEXTS.foot}
        </p>
      )}
    </div>
  );
}

/** DOM id of an option, for `aria-activedescendant` of the search box. */
export const optionId = (listId: string, suggestionId: string) => `${listId}-${suggestionId}`;

const nameOf = ({ title, above, role }: Suggestion) =>
  [title, above, role === null ? '' : GROUP_TEXTS.roles[role]].filter(Boolean).join(', ');

function glyphOf({ kind, entry }: Suggestion): ReactNode {
  if (kind === 'search') return <Search size={16} aria-hidden="true" />;
  if (kind === 'action') return <CornerDownLeft size={16} aria-hidden="true" />;
  return entry === undefined ? <Folder size={16} aria-hidden="true" /> : <FileText size={16} aria-hidden="true" />;
}

const DEBOUNCE_MS = 250;

interface Suggestions {
  /** In display order. Late results come last, so that nothing moves. */
  readonly rows: readonly Suggestion[];
  /** Whether all suggestions for this text have arrived. */
  readonly isComplete: boolean;
}

/**
 * Before anything is typed: recent entries, favourites and actions. Then groups and actions at once, and entries from
 * the server a moment after the last key. Only logs failures (docs/spec/product.md §8).
 */
export function useSuggestions(query: string): Suggestions {
  const { write } = useVault();
  const { tree } = useGroupTree();
  const { user } = useSession();
  const theme = useTheme();
  const isUnlocked = useMasterPasswordView().state === 'validated';
  const items = useDeskItems();
  const { list: searches } = useSavedSearches();
  const isBlank = query.trim() === '';
  const findGroups = useMemo(() => (tree === null ? () => [] : groupFinder(tree)), [tree]);
  const found = useSuggestedEntries(query.trim());
  const site = !readsSite(user) ? 'none' : user?.is_admin === true ? 'change' : 'read';
  const actions = useMemo(
    () => suggestActions(query, { theme, isUnlocked, canWrite: write !== null, site }),
    [query, theme, isUnlocked, write, site],
  );
  const { recent = NOTHING, entries = NOTHING, groups = NO_GROUPS } = items ?? {};
  const ofDesk = useMemo(
    () => (isBlank ? suggestDesk({ recent, entries, groups }, searches) : NONE),
    [isBlank, recent, entries, groups, searches],
  );
  const rows = useMemo(
    () => [...ofDesk, ...findGroups(query), ...actions, ...found.entries],
    [ofDesk, findGroups, query, actions, found.entries],
  );
  return { rows, isComplete: isBlank ? items?.isLoading !== true : found.isComplete };
}

const NOTHING: readonly SearchRow[] = [];
const NO_GROUPS: readonly FavouriteGroup[] = [];
const NONE: readonly Suggestion[] = [];

function useSuggestedEntries(words: string) {
  const vault = useVault();
  const asked = useSettled(words, DEBOUNCE_MS);
  const path = { query: asked, page: 1, perPage: MOST_SUGGESTED };
  const { data, error, isSuccess, isFetching } = useQuery({
    queryKey: [vault.mode, 'search', path.query, path.page, path.perPage],
    queryFn: ({ signal }) => vault.read.search(path, signal),
    enabled: asked !== '',
    staleTime: 30_000,
    networkMode: 'always',
    retry: false,
  });
  useFailuresLogged(error, isSuccess, TEXTS.failed);
  const entries = useMemo(
    () =>
      (asked === words ? data?.data : undefined)?.map((entry) => ({
        ...ofEntry(entry, 'entry'),
        isSimilar: data?.similar === true,
      })) ?? NONE,
    [asked, words, data],
  );
  return { entries, isComplete: asked === words && !isFetching };
}
