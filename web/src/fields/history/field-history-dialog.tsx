import { useInfiniteQuery } from '@tanstack/react-query';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { PartOfHistory } from '../../offline/offline-banner.tsx';
import { FIELD_HISTORY_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import type { FieldPath, VaultWrite } from '@passwordbroker/client/vault/vault';
import { useVault } from '../../vault/use-vault.ts';
import { problemText } from '../table/problem-text.ts';
import styles from './field-history-dialog.module.css';
import { FieldHistoryRow, type Restoring } from './field-history-row.tsx';
import { useRestoreRevision } from './use-restore-revision.ts';

interface Props {
  readonly path: FieldPath;
  /** null if the person may only read. */
  readonly write: VaultWrite | null;
  readonly onClose: () => void;
}

/** History of a field, newest first, with older values (docs/spec/product.md §2). */
export function FieldHistoryDialog({ path, write, onClose }: Props) {
  const history = useFieldHistory(path);
  return write === null ? (
    <HistoryDialog path={path} history={history} restoring={null} onClose={onClose} />
  ) : (
    <RestorableHistory path={path} write={write} history={history} onClose={onClose} />
  );
}

interface HistoryProps {
  readonly path: FieldPath;
  readonly history: ReturnType<typeof useFieldHistory>;
  readonly onClose: () => void;
}

function RestorableHistory({ path, write, history, onClose }: HistoryProps & { readonly write: VaultWrite }) {
  const restoring = useRestoreRevision(path, write, history.reload);
  return <HistoryDialog path={path} history={history} restoring={restoring} onClose={onClose} />;
}

function HistoryDialog({ path, history, restoring, onClose }: HistoryProps & { readonly restoring: Restoring | null }) {
  const { rows, older, problem } = history;
  const { columns } = TEXTS;
  return (
    <Dialog title={TEXTS.title(path.field.title)} size="lg" onClose={onClose}>
      {history.isPending && (
        <p className={styles['loading']} role="status">
          {TEXTS.loading}
        </p>
      )}
      <PartOfHistory />
      {problem !== null && <MessageBox tone="danger" lines={[TEXTS.failed, problemText(problem)]} />}
      {restoring !== null && restoring.problem !== null && <MessageBox tone="danger" lines={[restoring.problem]} />}
      {restoring !== null && restoring.done !== null && (
        <ProgressBar label={TEXTS.restoring} value={restoring.done * 100} />
      )}
      {!history.isPending && problem === null && rows.length === 0 && <EmptyState title={TEXTS.empty} />}
      {rows.length > 0 && (
        <div className={styles['scroll']}>
          <div className={styles['table']} role="table" aria-label={TEXTS.title(path.field.title)}>
            <div role="rowgroup">
              <div className={styles['head']} role="row">
                <div role="columnheader">{columns.action}</div>
                <div role="columnheader">{columns.user}</div>
                <div role="columnheader">{columns.date}</div>
                <div role="columnheader">{columns.value}</div>
                <div role="columnheader">{columns.actions}</div>
              </div>
            </div>
            <div role="rowgroup">
              {rows.map((row) => (
                <FieldHistoryRow key={row.field_edit_log_id} path={path} row={row} restoring={restoring} />
              ))}
            </div>
          </div>
          {older !== null && (
            <div className={styles['older']}>
              <Button
                variant="secondary"
                size="sm"
                busy={history.isTurning}
                busyLabel={TEXTS.loadingOlder}
                onPress={older}
              >
                {TEXTS.older}
              </Button>
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}

const PAGE = 50;

interface FieldHistoryPages {
  readonly isPending: boolean;
  readonly rows: readonly FieldHistory[];
  readonly problem: Error | null;
  readonly isTurning: boolean;
  /** Loads older rows; null if there are none. */
  readonly older: (() => void) | null;
  readonly reload: () => Promise<void>;
}

function useFieldHistory(path: FieldPath): FieldHistoryPages {
  const vault = useVault();
  const query = useInfiniteQuery({
    queryKey: [vault.mode, 'field history', path.field.field_id],
    queryFn: ({ signal, pageParam }) =>
      // One more row than shown tells whether there are older ones.
      vault.read.history(path, signal, { limit: PAGE + 1, ...(pageParam === null ? {} : { before: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length > PAGE ? last[PAGE - 1]?.field_edit_log_id : undefined),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const { refetch } = query;
  return {
    isPending: query.isPending,
    rows: query.data?.pages.flatMap((page) => page.slice(0, PAGE)) ?? [],
    problem: query.isFetching ? null : query.error,
    isTurning: query.isFetchingNextPage,
    older: query.hasNextPage ? () => void query.fetchNextPage() : null,
    async reload() {
      await refetch();
    },
  };
}
