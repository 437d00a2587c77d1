import { useMemo, useRef } from 'react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { GroupHistory, UserBrief } from '@passwordbroker/core/contract/entities';
import { useGroupTree } from '../groups/tree/use-group-tree.ts';
import { useMembers } from '../members/table/use-members.ts';
import { PartOfHistory } from '../offline/offline-banner.tsx';
import { GROUP_HISTORY_TEXTS as TEXTS } from '../texts/groups/groups.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { GroupHistoryFilters, isFiltered } from './group-history-filters.tsx';
import { GroupHistoryRow } from './group-history-row.tsx';
import styles from './group-history.module.css';
import { useGroupHistory } from './use-group-history.ts';
import { useVault } from '../vault/use-vault.ts';

/** Changes of the fields of a group, with filters while online (docs/spec/product.md §2). */
export function GroupHistoryTab({ groupId }: { readonly groupId: string }) {
  const { mode } = useVault();
  const { tree } = useGroupTree();
  const history = useGroupHistory(groupId);
  const { state, filters, rows, problem, page, isTurning, newer, older, retry } = history;
  const people = usePeople(groupId, rows, filters.person);
  const top = useRef<HTMLDivElement>(null);
  const turn = (to: (() => void) | null) => () => {
    to?.();
    top.current?.scrollIntoView({ block: 'nearest' });
  };
  const childGroup = ({ field: { entry } }: GroupHistory) =>
    entry.entry_group_id === groupId ? null : (tree?.byId.get(entry.entry_group_id)?.title ?? null);
  const hasFilters = isFiltered(filters);
  const hasChildren = (tree?.byId.get(groupId)?.children.length ?? 0) > 0;
  const isLoading = state === 'required loading' || (state === 'loading' && rows.length === 0);
  return (
    <div className={styles['tab']} ref={top}>
      {mode === 'online' && (hasFilters || hasChildren || rows.length > 0) && (
        <GroupHistoryFilters filters={filters} onChange={history.filter} people={people} hasChildren={hasChildren} />
      )}
      {isLoading && (
        <p className={styles['loading']} role="status">
          <Spinner /> {TEXTS.loading}
        </p>
      )}
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
      {problem === null && !isLoading && rows.length === 0 && (
        <EmptyState title={TEXTS.empty} text={hasFilters ? TEXTS.noMatch : TEXTS.emptyHint} />
      )}
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
              <GroupHistoryRow key={row.field_edit_log_id} row={row} childGroup={childGroup(row)} />
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

/** People to choose from, by name: members, people of the rows, and the chosen one. */
function usePeople(groupId: string, rows: readonly GroupHistory[], chosen: UserBrief | null): readonly UserBrief[] {
  const { users } = useMembers(groupId);
  return useMemo(() => {
    const others = [...rows.map(({ user }) => user), chosen].filter((user) => user !== null);
    const byId = new Map(
      [...others, ...users.map(({ user }) => user)].map(({ user_id, name }) => [user_id, { user_id, name }]),
    );
    return [...byId.values()].sort((a, b) => a.name.localeCompare(b.name));
  }, [users, rows, chosen]);
}
