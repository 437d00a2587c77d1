import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useFailuresLogged } from '../activity-log/activity-log.ts';
import { entryAddress } from '../entries/entry-address.ts';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import { useTheme } from '../app/theme/theme.tsx';
import { useSettled } from '../lib/use-settled.ts';
import { useMasterPasswordView } from '../master-password/use-master-password.ts';
import { SUGGESTION_TEXTS as TEXTS } from '../texts/entries/search.ts';
import { useVault } from '../vault/use-vault.ts';
import { groupFinder, suggestActions } from './find-suggestions.ts';
import { MOST_SUGGESTED, type Suggestion } from './suggestion.ts';

const DEBOUNCE_MS = 250;

interface Suggestions {
  /** In display order. Late results come last, so that nothing moves. */
  readonly rows: readonly Suggestion[];
  /** Whether all suggestions for this text have arrived. */
  readonly isComplete: boolean;
}

/**
 * Suggests groups and actions at once, and entries from the server a moment after the last key. Only logs
 * failures
 * (docs/spec/product.md §8).
 */
export function useSuggestions(query: string): Suggestions {
  const { write } = useVault();
  const { tree } = useGroupTree();
  const theme = useTheme();
  const isUnlocked = useMasterPasswordView().state === 'validated';
  const findGroups = useMemo(() => (tree === null ? () => [] : groupFinder(tree)), [tree]);
  const { entries, isComplete } = useSuggestedEntries(query.trim());
  const rows = useMemo(
    () => [...findGroups(query), ...suggestActions(query, { theme, isUnlocked, canWrite: write !== null }), ...entries],
    [findGroups, query, theme, isUnlocked, write, entries],
  );
  return { rows, isComplete };
}

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
      (asked === words ? data?.data : undefined)?.map((entry): Suggestion => ({
        id: `entry-${entry.entry_id}`,
        kind: 'entry',
        title: entry.title,
        above: entry.entry_group.name,
        role: null,
        target: { address: entryAddress(entry) },
      })) ?? NONE,
    [asked, words, data],
  );
  return { entries, isComplete: asked === words && !isFetching };
}
