import { useInfiniteQuery } from '@tanstack/react-query';
import type { FieldHistory } from '@passwordbroker/core/contract/entities';
import { PartOfHistory } from '../../offline/offline-banner.tsx';
import { FIELD_HISTORY_TEXTS as TEXTS } from '../../texts/entries/fields.ts';
import { Button, IconButton } from '@passwordbroker/ui/actions/button';
import { Dialog } from '@passwordbroker/ui/overlays/dialog';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import type { FieldPath, VaultWrite } from '@passwordbroker/client/vault/vault';
import { useVault } from '../../vault/use-vault.ts';
import { problemText } from '../table/problem-text.ts';
import styles from './field-history-dialog.module.css';
import { RotateCcw } from 'lucide-react';
import { actionOf, actorOf } from '../../history/opened.ts';
import { formatTime } from '../../lib/format.ts';
import { PastValue, PastValueVerbs } from './past-value.tsx';
import { usePastValue } from './use-past-value.ts';
import { useEffect, useRef, useState } from 'react';
import { activityLog } from '../../activity-log/activity-log.ts';
import { MasterPasswordCancelled } from '@passwordbroker/client/master-password/master-password';
import { useMasterPassword } from '../../master-password/use-master-password.ts';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { isRevisionConflict } from '../edit/use-edit-field.ts';
import { useFieldsReload } from '../table/use-fields.ts';

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
      {!history.isPending && problem === null && rows.length === 0 && <EmptyLine title={TEXTS.empty} />}
      {rows.length > 0 && (
        <div className={styles['scroll']}>
          <div className={styles['table']} role="table" aria-label={TEXTS.table}>
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

type Restoring = ReturnType<typeof useRestoreRevision>;

interface RestoringProps {
  readonly path: FieldPath;
  readonly row: FieldHistory;
  /** null if the person may only read. */
  readonly restoring: Restoring | null;
}

function FieldHistoryRow({ path, row, restoring }: RestoringProps) {
  return (
    <div className={styles['row']} role="row">
      <div className={styles['action']} role="cell">
        {actionOf(row)}
      </div>
      <div className={styles['user']} role="cell">
        {actorOf(row, TEXTS.removedUser)}
      </div>
      <div className={styles['date']} role="cell">
        {formatTime(row.created_at)}
      </div>
      {row.has_value ? (
        <PastValueCells path={path} row={row} restoring={restoring} />
      ) : (
        <div className={styles['none']} role="cell" aria-colspan={2}>
          {TEXTS.noValue}
        </div>
      )}
    </div>
  );
}

function PastValueCells({ path, row, restoring }: RestoringProps) {
  const past = usePastValue(path, row);
  const isPast = row.rev !== null && row.rev < path.field.rev;
  return (
    <>
      <div className={styles['value']} role="cell">
        <PastValue past={past} />
      </div>
      <div className={styles['verbs']} role="cell">
        <PastValueVerbs past={past} />
        {restoring !== null && isPast && (
          <IconButton
            label={TEXTS.restore}
            icon={<RotateCcw size={16} />}
            align="end"
            busy={restoring.running === row.field_edit_log_id}
            isDisabled={restoring.running !== null}
            onPress={() => void restoring.restore(row)}
          />
        )}
      </div>
    </>
  );
}

interface RestoreRevision {
  /** Id of the row whose value is being restored. */
  readonly running: string | null;
  readonly problem: string | null;
  /** Upload progress from 0 to 1, or null. */
  readonly done: number | null;
  readonly restore: (row: FieldHistory) => Promise<void>;
}

/**
 * Writes an older value as the newest revision, one at a time.
 * @param onChanged called when the history has a new row
 */
function useRestoreRevision(path: FieldPath, write: VaultWrite, onChanged: () => Promise<void>): RestoreRevision {
  const masterPassword = useMasterPassword();
  const reload = useFieldsReload(path);
  const [running, setRunning] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { title, type } = path.field;

  async function restore(row: FieldHistory) {
    if (running !== null) return;
    const { signal } = (stop.current = new AbortController());
    setProblem(null);
    setRunning(row.field_edit_log_id);
    try {
      const watched = { signal, ...(type === 'file' && { onProgress: setDone }) };
      await masterPassword.use(() => write.restoreRevision(path, row, watched), { label: TEXTS.restoreAction(title) });
      activityLog.add(TEXTS.restored(title));
      toast(TEXTS.restored(title), { tone: 'success' });
    } catch (failure) {
      if (!signal.aborted && !(failure instanceof MasterPasswordCancelled)) {
        setProblem(isRevisionConflict(failure) ? TEXTS.restoreConflict : problemText(failure));
      }
    }
    try {
      if (!signal.aborted) await Promise.all([reload(), onChanged()]);
    } finally {
      setRunning(null);
      setDone(null);
    }
  }
  return { running, problem, done, restore };
}
