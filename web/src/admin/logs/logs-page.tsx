/** `/admin/logs/`: the audit log (docs/spec/product.md §2, docs/spec/decisions.md H2). */
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { Link } from 'react-router';
import { tellDone } from '../../activity-log/activity-log.ts';
import { usePageTitle } from '../../app/navigation/use-page-title.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { useSettled } from '../../lib/loading.ts';
import { ADMIN_LOGS_TEXTS as TEXTS } from '../../texts/admin/admin.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { Checkbox } from '@passwordbroker/ui/inputs/checkbox';
import { DataTable, DataRow } from '@passwordbroker/ui/display/data-table';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Pager } from '@passwordbroker/ui/display/pager';
import { formatTime } from '../../lib/format.ts';
import styles from '../admin.module.css';
import { Failed, Waiting } from '../list-parts.tsx';
import { ADMIN_PATHS } from '../admin-paths.ts';
import { useSettings } from '../settings/use-settings.ts';
import { type LogFilters, type Person, NO_FILTERS, ClearFilters, LogFiltersForm, queryOf } from './log-filters.tsx';
import { RawRow, Spoken } from '../../history/spoken.tsx';
import { textOf } from '../../texts/sentence.ts';
import { type FindName, sentenceOf, useNames } from './log-names.ts';
import logs from './logs.module.css';
import type { AuditRow } from '@passwordbroker/core/contract/entities';
import { exported, list, size, verify } from '@passwordbroker/core/contract/site/audit';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { saveBlob } from '../../fields/file/save-blob.ts';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';

const COLUMNS = Object.entries(TEXTS.columns).map(([id, title]) => ({ id, title, isEnd: id === 'details' }));
const TYPING_MS = 500;

export function LogsPage() {
  usePageTitle(TEXTS.page);
  const [filters, setFilters] = useState(NO_FILTERS);
  const [page, setPage] = useState(1);
  const [isLive, setLive] = useState(true);
  const q = useSettled(filters.q.trim(), TYPING_MS);
  const asked = { ...filters, q };
  const { data, error, isFetching, isPlaceholderData, refetch } = useLogs(asked, page, isLive);
  const names = useNames(data?.data ?? []);
  const change = (next: LogFilters) => {
    setFilters(next);
    setPage(1);
  };
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <h1 className={styles['heading']}>{TEXTS.page}</h1>
      </header>
      <LogFiltersForm filters={filters} onChange={change} />
      <div className={logs['bar']}>
        <Checkbox isSelected={isLive} onChange={setLive} hint={TEXTS.liveHint}>
          {TEXTS.live}
        </Checkbox>
        <ClearFilters filters={filters} onChange={change} />
        <ExportButtons filters={asked} />
      </div>
      {data === undefined && error === null && <Waiting text={TEXTS.loading} />}
      {error !== null && !isFetching && <Failed text={TEXTS.failed} failure={error} onRetry={() => void refetch()} />}
      {names.problem !== null && <Failed text={TEXTS.namesFailed} failure={names.problem} onRetry={names.retry} />}
      {data?.total === 0 && <EmptyLine title={TEXTS.empty} text={TEXTS.emptyHint} />}
      {data !== undefined && data.data.length > 0 && (
        <DataTable label={TEXTS.table} columns={COLUMNS} layout={logs['logs']} isBusy={isPlaceholderData}>
          {data.data.map((row) => (
            <LogRow
              key={row.audit_id}
              row={row}
              find={names.find}
              onTarget={(targetId) => change({ ...NO_FILTERS, targetId })}
              onPerson={(person) => change({ ...NO_FILTERS, person })}
            />
          ))}
        </DataTable>
      )}
      {data !== undefined && data.last_page > 1 && <Pager at={data} onPage={setPage} />}
      <LogSize />
      <ChainState />
    </div>
  );
}

function ExportButtons({ filters }: { readonly filters: LogFilters }) {
  const [busy, setBusy] = useState<ExportFormat | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (format: ExportFormat) => {
    setBusy(format);
    setProblem(null);
    try {
      const name = await exportLogs(filters, format);
      if (name !== null) tellDone(TEXTS.exported(name));
    } catch (failure) {
      setProblem(reasonOf(failure));
    }
    setBusy(null);
  };
  const button = (format: ExportFormat, title: string) => (
    <Button
      size="sm"
      icon={<Download size={14} />}
      busy={busy === format}
      busyLabel={TEXTS.exporting}
      isDisabled={busy !== null}
      onPress={() => void run(format)}
    >
      {title}
    </Button>
  );
  return (
    <>
      {button('csv', TEXTS.exportCsv)}
      {button('ndjson', TEXTS.exportNdjson)}
      {button('cef', TEXTS.exportCef)}
      {problem !== null && <MessageBox tone="danger" lines={[TEXTS.exportFailed, problem]} />}
    </>
  );
}

function LogSize() {
  const id = useId();
  const { data, error, isFetching, refetch } = useLogSize();
  const months = useSettings().data?.log_months;
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <h2 id={id}>{TEXTS.size}</h2>
      {error !== null && !isFetching && (
        <Failed text={TEXTS.sizeFailed} failure={error} onRetry={() => void refetch()} />
      )}
      {data?.oldest_at !== undefined && data.oldest_at !== null && (
        <p>{TEXTS.sizeOf(data.rows, formatFileSize(data.bytes), formatTime(data.oldest_at))}</p>
      )}
      {months !== undefined && (
        <p className={styles['hint']}>
          {months === 0 ? TEXTS.keptAll : TEXTS.keptMonths(months)}{' '}
          <Link to={ADMIN_PATHS.settings} className={styles['back']}>
            {TEXTS.changeKept}
          </Link>
        </p>
      )}
    </section>
  );
}

function ChainState() {
  const id = useId();
  const { data, error, isPending, mutate } = useChainCheck();
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <h2 id={id}>{TEXTS.chain}</h2>
      <p className={styles['hint']}>{TEXTS.chainHint}</p>
      {error !== null && <MessageBox tone="danger" lines={[TEXTS.checkFailed, reasonOf(error)]} />}
      {data !== undefined && <Verdict {...data} />}
      <div>
        <Button busy={isPending} busyLabel={TEXTS.checking} onPress={() => mutate()}>
          {TEXTS.check}
        </Button>
      </div>
    </section>
  );
}

type Checked = NonNullable<ReturnType<typeof useChainCheck>['data']>;

function Verdict({ ok, rows, head, first_bad, unsealed, checkpoint }: Checked) {
  const pruned =
    checkpoint === null ? [] : [TEXTS.checkpoint(formatTime(checkpoint.before), formatTime(checkpoint.at))];
  const waiting = [...pruned, ...(unsealed > 0 ? [TEXTS.unsealed(unsealed)] : [])];
  if (!ok) {
    const bad = first_bad === null ? [] : [TEXTS.firstBad(first_bad)];
    return <MessageBox tone="danger" title={TEXTS.chainBad} lines={[...bad, ...waiting]} />;
  }
  return (
    <MessageBox tone="success" title={head === null ? TEXTS.chainEmpty : TEXTS.chainOk(rows)} lines={waiting}>
      {head !== null && <p className={`${styles['code']} ${logs['hash']}`}>{TEXTS.head(head.hash)}</p>}
    </MessageBox>
  );
}

interface Props {
  readonly row: AuditRow;
  readonly find: FindName;
  readonly onTarget: (targetId: string) => void;
  readonly onPerson: (person: Person) => void;
}

function LogRow({ row, find, onTarget, onPerson }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const sentence = sentenceOf(row, find);
  return (
    <>
      <DataRow>
        <div role="cell" className={styles['date']} data-cell="time">
          <time dateTime={row.created_at} title={row.created_at}>
            {formatTime(row.created_at)}
          </time>
        </div>
        <div role="cell" data-cell="event">
          <Spoken sentence={sentence} />
        </div>
        <div role="cell" className={row.login === null ? styles['none'] : styles['soft']} data-cell="login">
          {row.login ?? TEXTS.noLogin}
        </div>
        <div role="cell" data-cell="details">
          <Button
            size="sm"
            variant="ghost"
            label={TEXTS.detailsOf(textOf(sentence))}
            expanded={{ isOpen, id }}
            onPress={() => setOpen(!isOpen)}
          >
            {TEXTS.columns.details}
          </Button>
        </div>
      </DataRow>
      {isOpen && (
        <DataRow>
          <div role="cell" aria-colspan={4} className={logs['raw']} id={id}>
            <RawRow label={TEXTS.raw} members={membersOf(row)} />
            {row.user_id !== null && (
              <Button
                size="sm"
                variant="ghost"
                onPress={() =>
                  onPerson({ id: row.user_id ?? '', name: find(row.user_id ?? '')?.title ?? row.login ?? '' })
                }
              >
                {TEXTS.person}
              </Button>
            )}
            {row.target_id !== null && (
              <Button size="sm" variant="ghost" onPress={() => onTarget(row.target_id ?? '')}>
                {TEXTS.target}
              </Button>
            )}
          </div>
        </DataRow>
      )}
    </>
  );
}

/** The stored row without its empty members. */
function membersOf({ details, ...row }: AuditRow): [string, string][] {
  return Object.entries({ ...row, ...details })
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => [name, String(value)]);
}

const PER_PAGE = 20;
const LIVE_MS = 5000;
/** Enough for a million rows. */
const MAX_EXPORT_BYTES = 1024 * 1024 * 1024;

/** @param isLive polls for new rows on the first page */
function useLogs(filters: LogFilters, page: number, isLive: boolean) {
  return useQuery({
    queryKey: ['admin', 'logs', filters, page],
    queryFn: ({ signal }) => http.call(list, { query: { ...queryOf(filters), page, perPage: PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && page === 1 ? LIVE_MS : false,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

type ExportFormat = 'csv' | 'ndjson' | 'cef';

/** Returns the name of the saved file; null if the person cancelled. */
async function exportLogs(filters: LogFilters, format: ExportFormat): Promise<string | null> {
  const query = { ...queryOf(filters), format };
  const bytes = await freshSignIn.tryRun(() => http.bytes(exported, { query, maxBytes: MAX_EXPORT_BYTES }));
  if (bytes === null) return null;
  const name = `audit-log.${format}`;
  saveBlob(new Blob([bytes], { type: 'application/octet-stream' }), name);
  return name;
}

const useLogSize = () =>
  useQuery({
    queryKey: ['admin', 'log size'],
    queryFn: ({ signal }) => http.call(size, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });

const useChainCheck = () => useMutation({ mutationFn: () => http.call(verify), networkMode: 'always' });
