import { listedFields } from '@passwordbroker/core/domain/fields/field-kinds';
import { type RefObject, useEffect, useLayoutEffect, useRef, memo } from 'react';
import {
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useParams,
  useSearchParams,
  Link,
} from 'react-router';
import { focusSearchBox } from '../app/search-box/focus-search-box.ts';
import { SEARCH_TEXTS as TEXTS } from '../texts/entries/search.ts';
import { DESK_TEXTS } from '../texts/entries/desk.ts';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Pager } from '@passwordbroker/ui/display/pager';
import { Select } from '@passwordbroker/ui/inputs/select';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import styles from './search-page.module.css';
import { PER_PAGE_CHOICES, readSearchPath, searchAddress, type SearchPath } from './search-path.ts';
import { Bookmark, Folder } from 'lucide-react';
import type { SearchRow } from '@passwordbroker/core/contract/entities';
import { entryAddress } from '../entries/entry-address.ts';
import { DueDate } from '../entries/marks/due-date.tsx';
import { EntryIcon } from '../entries/marks/entry-icon.tsx';
import { TagLinks } from '../entries/marks/tag-list.tsx';
import { ReadOnlyFieldTable } from '../fields/table/field-table.tsx';
import { FavouriteStar } from '../desk/favourite-star.tsx';
import { useFavourites, useSavedSearches } from '../desk/use-desk.ts';
import { formatTime } from '../lib/format.ts';
import { MarkedText } from './marked-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { loadingOf, type Loading } from '../lib/loading.ts';
import { useVault } from '../vault/use-vault.ts';
import { Badge } from '@passwordbroker/ui/display/badge';
import type { FoundPage } from '@passwordbroker/client/vault/vault';

/**
 * `/entrySearch/{query}`: one page of entries with their group and read-only fields (docs/spec/product.md
 * §2).
 */
export function SearchPage() {
  const { query: typed } = useParams();
  const [params] = useSearchParams();
  const path = readSearchPath(typed, params);
  const { state, page, isTurning, problem, retry } = useSearch(path);
  const searches = useSavedSearches();
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  useKeptScroll(box, page !== null && !isTurning);
  const heading = useRef<HTMLHeadingElement>(null);
  const turnTo = useRef<number | null>(null);
  // After a change of page, once it is loaded, focuses the heading.
  useEffect(() => {
    if (isTurning || turnTo.current !== page?.current_page) return;
    turnTo.current = null;
    heading.current?.focus({ preventScroll: true });
  }, [isTurning, page]);
  useEffect(() => {
    document.title = `${TEXTS.heading(path.query)} | PasswordBroker`;
  }, [path.query]);

  const go = (change: Partial<SearchPath>) => {
    const address = searchAddress({ ...path, ...change });
    if (address !== null) void navigate(address);
  };
  return (
    <div className={styles['wrap']} ref={box}>
      <header className={styles['head']}>
        <div className={styles['headText']}>
          <h1 ref={heading} tabIndex={-1} className={styles['title']}>
            {TEXTS.heading(path.query)}
          </h1>
          <p className={styles['count']} role="status">
            {page !== null && page.total > 0 && countOf(page)}
            {/* For screen readers; others see the text below. */}
            {page?.total === 0 && <span className="visually-hidden">{TEXTS.countOnPage(0)}</span>}
          </p>
        </div>
        {path.query !== '' && (
          <IconButton
            label={DESK_TEXTS.saveSearch}
            icon={<Bookmark size={16} />}
            pressed={searches.list.some(({ query }) => query === path.query)}
            align="end"
            onPress={() => searches.toggle(path.query)}
          />
        )}
        <div className={styles['perPage']}>
          <Select
            label={TEXTS.perPage}
            isLabelHidden
            size="sm"
            value={String(path.perPage)}
            onChange={(value: string) => go({ page: 1, perPage: Number(value) })}
            options={PER_PAGE_CHOICES.map((count) => ({ value: String(count), title: TEXTS.perPageOption(count) }))}
          />
        </div>
      </header>
      {problem !== null && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[TEXTS.failed, problem.message]} />
          <Button variant="secondary" size="sm" onPress={retry}>
            {TEXTS.retry}
          </Button>
        </div>
      )}
      {(state === 'required loading' || state === 'loading') && page === null && (
        <p className={styles['loading']} role="status">
          <Spinner /> {TEXTS.loading}
        </p>
      )}
      {page?.data.length === 0 && (
        <div className={styles['centre']}>
          <EmptyState
            title={TEXTS.empty}
            text={TEXTS.emptyHint(path.query)}
            action={
              <Button size="sm" onPress={focusSearchBox}>
                {TEXTS.change}
              </Button>
            }
          />
          <SearchHint />
        </div>
      )}
      {page !== null && page.data.length > 0 && (
        <>
          {page.similar === true && (
            <p className={styles['similar']} role="status">
              {TEXTS.similarHint(path.query)}
            </p>
          )}
          <ul className={styles['results']} aria-busy={isTurning || undefined}>
            {page.data.map((entry) => (
              <FoundEntry key={entry.entry_id} entry={entry} query={path.query} isSimilar={page.similar === true} />
            ))}
          </ul>
          <Pager
            at={page}
            onPage={(next: number) => {
              turnTo.current = next;
              go({ page: next });
            }}
          />
        </>
      )}
    </div>
  );
}

function countOf({
  data,
  total,
}: {
  readonly data: readonly { readonly entry_group_id: string }[];
  readonly total: number;
}) {
  if (total > data.length) return TEXTS.countOnPage(total);
  return TEXTS.count(total, new Set(data.map((entry) => entry.entry_group_id)).size);
}

/** The search operators (docs/spec/decisions.md H8), shown when nothing was found. */
function SearchHint() {
  return (
    <section className={styles['hint']} aria-label={TEXTS.hintTitle}>
      <h2 className={styles['hintTitle']}>{TEXTS.hintTitle}</h2>
      <dl className={styles['hintRows']}>
        {TEXTS.hint.map(({ typed, text }) => (
          <div key={typed} className={styles['hintRow']}>
            <dt>{typed}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const kept = new Map<string, number>();
const MOST = 50;

/**
 * Restores the scroll position on Back, per history entry, in memory.
 * @param isShown whether the results are rendered
 */
function useKeptScroll(box: RefObject<HTMLElement | null>, isShown: boolean): void {
  const { key } = useLocation();
  const isReturn = useNavigationType() === NavigationType.Pop;
  const restored = useRef<string | null>(null);

  useEffect(() => {
    const main = box.current?.closest('main');
    if (main === null || main === undefined || !isShown || restored.current === key) return;
    const top = isReturn ? (kept.get(key) ?? 0) : 0;
    // In the next frame: use-route-focus.ts scrolls each new page to its top.
    const frame = requestAnimationFrame(() => {
      restored.current = key;
      main.scrollTo(0, top);
    });
    return () => cancelAnimationFrame(frame);
  }, [box, key, isReturn, isShown]);

  // A layout effect, so that the listener is gone before the next page scrolls to its top.
  useLayoutEffect(() => {
    const main = box.current?.closest('main');
    if (main === null || main === undefined || !isShown) return;
    const keep = () => {
      if (restored.current !== key) return;
      kept.delete(key);
      kept.set(key, main.scrollTop);
      const oldest = kept.keys().next().value;
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    };
    main.addEventListener('scroll', keep, { passive: true });
    return () => main.removeEventListener('scroll', keep);
  }, [box, key, isShown]);
}

interface Props {
  readonly entry: SearchRow;
  readonly query: string;
  readonly isSimilar: boolean;
}

export const FoundEntry = memo(function FoundEntry({ entry, query, isSimilar }: Props) {
  const fields = listedFields(entry);
  const favourites = useFavourites('entry');
  return (
    <li className={styles['entry']}>
      <article aria-label={entry.title}>
        <header className={styles['entryHead']}>
          <h2 className={styles['entryTitle']}>
            <EntryIcon entry={entry} />
            <Link to={entryAddress(entry)}>
              <MarkedText text={entry.title} query={query} />
            </Link>
          </h2>
          {isSimilar && <Badge text={TEXTS.similar} />}
          <Link className={styles['group']} to={`/entryGroup/${entry.entry_group_id}`}>
            <Folder size={16} aria-hidden="true" />
            <span>
              <MarkedText text={entry.entry_group.name} query={query} />
            </span>
          </Link>
          <TagLinks tags={entry.tags} />
          <DueDate entry={entry} isLong />
          <time className={styles['date']} dateTime={entry.updated_at}>
            {TEXTS.updated(formatTime(entry.updated_at))}
          </time>
          <FavouriteStar
            title={entry.title}
            isOn={favourites.ids.has(entry.entry_id)}
            align="end"
            onToggle={() => favourites.toggle(entry.entry_id, entry.title)}
          />
        </header>
        {fields.length === 0 ? (
          <p className={styles['noFields']}>{TEXTS.noFields}</p>
        ) : (
          <div className={styles['fields']}>
            <ReadOnlyFieldTable entry={entry} fields={fields} />
          </div>
        )}
      </article>
    </li>
  );
});

interface Search {
  readonly state: Loading | 'await';
  /** The results. While another page of the same query loads, the last page. */
  readonly page: FoundPage | null;
  /** Whether another page is loading. */
  readonly isTurning: boolean;
  readonly problem: Error | null;
  readonly retry: () => void;
}

/**
 * Entry search (docs/spec/product.md §4). A change of query, page or page size aborts the running request.
 */
export function useSearch(path: SearchPath): Search {
  const vault = useVault();
  const query = useQuery({
    queryKey: [vault.mode, 'search', path.query, path.page, path.perPage],
    queryFn: ({ signal }) => vault.read.search(path, signal),
    enabled: path.query !== '',
    staleTime: 30_000,
    placeholderData: (last, lastQuery) => (lastQuery?.queryKey[2] === path.query ? last : undefined),
    networkMode: 'always',
    retry: false,
  });
  return {
    state: path.query === '' ? 'await' : loadingOf(query),
    page: query.data ?? null,
    isTurning: query.isPlaceholderData,
    problem: query.isFetching ? null : query.error,
    retry: () => void query.refetch(),
  };
}
