import { useRef, useState } from 'react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { PartOfHistory } from '../offline/offline-banner.tsx';
import { GROUP_HISTORY_TEXTS as TEXTS } from '../texts/groups/groups.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import styles from './group-history.module.css';
import { Link } from 'react-router';
import type { GroupHistory } from '@passwordbroker/core/contract/entities';
import { entryAddress } from '../entries/entry-address.ts';
import { FieldKind } from '../fields/table/field-kind.tsx';
import { PastValue, PastValueVerbs } from '../fields/history/past-value.tsx';
import { usePastValue } from '../fields/history/use-past-value.ts';
import { formatTime } from '../lib/format.ts';
import { FIELD_HISTORY_TEXTS, FIELD_TEXTS } from '../texts/entries/fields.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { loadingOf, type Loading } from '../lib/loading.ts';
import { useVault } from '../vault/use-vault.ts';

/** Changes of the fields of a group (docs/spec/product.md §2). */
export function GroupHistoryTab({ groupId }: { readonly groupId: string }) {
  const { state, rows, problem, page, isTurning, newer, older, retry } = useGroupHistory(groupId);
  const top = useRef<HTMLDivElement>(null);
  const turn = (to: (() => void) | null) => () => {
    to?.();
    top.current?.scrollIntoView({ block: 'nearest' });
  };
  if (state === 'required loading' || (state === 'loading' && rows.length === 0)) {
    return (
      <p className={styles['loading']} role="status">
        <Spinner /> {TEXTS.loading}
      </p>
    );
  }
  return (
    <div className={styles['tab']} ref={top}>
      {problem !== null && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[TEXTS.failed, problem.message]} />
          <Button variant="secondary" size="sm" onPress={retry}>
            {TEXTS.retry}
          </Button>
        </div>
      )}
      <div className={styles['note']}>
        <PartOfHistory />
      </div>
      {problem === null && rows.length === 0 && <EmptyState title={TEXTS.empty} text={TEXTS.emptyHint} />}
      {rows.length > 0 && (
        <div className={styles['table']} role="table" aria-label={TEXTS.table} aria-busy={isTurning || undefined}>
          <div role="rowgroup">
            <div className={`${styles['row']} ${styles['head']}`} role="row">
              {Object.entries(TEXTS.columns).map(([column, name]) => (
                <div key={column} role="columnheader">
                  {name}
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup">
            {rows.map((row) => (
              <GroupHistoryRow key={row.field_edit_log_id} groupId={groupId} row={row} />
            ))}
          </div>
        </div>
      )}
      {(newer !== null || older !== null) && (
        <nav className={styles['pages']} aria-label={TEXTS.pages}>
          <span role="status">{TEXTS.page(page)}</span>
          <Button
            size="sm"
            icon={<ChevronLeft size={14} />}
            isDisabled={newer === null || isTurning}
            onPress={turn(newer)}
          >
            {TEXTS.newer}
          </Button>
          <Button
            size="sm"
            icon={<ChevronRight size={14} />}
            isDisabled={older === null || isTurning}
            onPress={turn(older)}
          >
            {TEXTS.older}
          </Button>
        </nav>
      )}
    </div>
  );
}

function GroupHistoryRow({ groupId, row }: { readonly groupId: string; readonly row: GroupHistory }) {
  const { field } = row;
  return (
    <div className={styles['row']} role="row">
      <div className={styles['entry']} role="cell" title={field.entry.title}>
        <Link to={entryAddress({ entry_group_id: groupId, entry_id: field.entry_id })}>{field.entry.title}</Link>
      </div>
      <div className={styles['field']} role="cell">
        {field.title === '' ? <span className={styles['none']}>{FIELD_TEXTS.untitled}</span> : field.title}
      </div>
      <div className={styles['kind']} role="cell">
        <FieldKind type={field.type} />
      </div>
      <div className={styles['action']} role="cell">
        {row.event_type}
      </div>
      <div className={styles['user']} role="cell">
        {row.user?.name ?? FIELD_HISTORY_TEXTS.removedUser}
      </div>
      <div className={styles['date']} role="cell">
        {formatTime(row.created_at)}
      </div>
      {row.has_value ? (
        <PastValueCells groupId={groupId} row={row} />
      ) : (
        <>
          <div className={`${styles['value']} ${styles['none']}`} role="cell">
            {FIELD_HISTORY_TEXTS.noValue}
          </div>
          <div className={styles['verbs']} role="cell" />
        </>
      )}
    </div>
  );
}

function PastValueCells({ groupId, row }: { readonly groupId: string; readonly row: GroupHistory }) {
  const { field } = row;
  const past = usePastValue({ entryGroupId: groupId, entryId: field.entry_id, field }, row);
  return (
    <>
      <div className={styles['value']} role="cell">
        <PastValue past={past} />
      </div>
      <div className={styles['verbs']} role="cell">
        <PastValueVerbs past={past} />
      </div>
    </>
  );
}

const HISTORY_PAGE = 50;

interface HistoryPage {
  readonly state: Loading;
  readonly rows: readonly GroupHistory[];
  readonly problem: Error | null;
  /** Starts at 1. */
  readonly page: number;
  /** Another page is loading while the last one is shown. */
  readonly isTurning: boolean;
  /** null on the first page. */
  readonly newer: (() => void) | null;
  readonly older: (() => void) | null;
  readonly retry: () => void;
}

function useGroupHistory(groupId: string): HistoryPage {
  const vault = useVault();
  /** The last row of each page. The next page starts after it, so new rows do not shift pages. */
  const [behind, setBehind] = useState<readonly string[]>([]);
  const before = behind.at(-1);
  const query = useQuery({
    queryKey: [vault.mode, 'group history', groupId, before ?? null],
    queryFn: ({ signal }) =>
      // One more row than shown tells whether there are older ones.
      vault.read.groupHistory(groupId, signal, {
        limit: HISTORY_PAGE + 1,
        ...(before === undefined ? {} : { before }),
      }),
    placeholderData: keepPreviousData,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const rows = query.data?.slice(0, HISTORY_PAGE) ?? [];
  const last = rows.at(-1)?.field_edit_log_id;
  const hasOlder = !query.isPlaceholderData && (query.data?.length ?? 0) > HISTORY_PAGE && last !== undefined;
  return {
    state: loadingOf(query),
    rows,
    problem: query.isFetching ? null : query.error,
    page: behind.length + 1,
    isTurning: query.isPlaceholderData && query.isFetching,
    newer: behind.length === 0 ? null : () => setBehind(behind.slice(0, -1)),
    older: hasOlder ? () => setBehind([...behind, last]) : null,
    retry: () => void query.refetch(),
  };
}
