import { useRef } from 'react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { PartOfHistory } from '../offline/offline-banner.tsx';
import { GROUP_HISTORY_TEXTS as TEXTS } from '../texts/groups/groups.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { GroupHistoryRow } from './group-history-row.tsx';
import styles from './group-history.module.css';
import { useGroupHistory } from './use-group-history.ts';

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
