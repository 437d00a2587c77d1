/** docs/spec/product.md §2 */
import { useQueryClient } from '@tanstack/react-query';
import { Archive, ChevronDown, ChevronRight, CircleCheck, RefreshCw } from 'lucide-react';
import { useId, useState, useEffect, useRef } from 'react';
import { useMayChange } from '../session/use-session.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import styles from './backups.module.css';
import { BACKUPS_KEY, STATUS_KEY, useBackupStatus, useBackups } from './use-backups.ts';
import { Failed, Waiting } from '../admin/list-parts.tsx';
import { DataTable } from '@passwordbroker/ui/display/data-table';
import { EmptyLine } from '@passwordbroker/ui/feedback/empty-state';
import { Pager } from '@passwordbroker/ui/display/pager';
import { BackupRow } from './backup-row.tsx';
import { create } from '@passwordbroker/core/contract/site/backups';
import { activityLog } from '../activity-log/activity-log.ts';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { http } from '../page/page.ts';

export function BackupSection() {
  const title = useId();
  const list = useId();
  const client = useQueryClient();
  const mayChange = useMayChange();
  const [isShown, setShown] = useState(true);
  const [page, setPage] = useState(1);
  const [isGetting, setGetting] = useState(false);
  const get = async () => {
    setGetting(true);
    setShown(true);
    setPage(1);
    // The list shows the error itself.
    await client.refetchQueries({ queryKey: BACKUPS_KEY }).catch(() => undefined);
    setGetting(false);
  };
  return (
    <section aria-labelledby={title}>
      <div className={styles['listHead']}>
        <h2 id={title}>{TEXTS.list}</h2>
        <Button
          variant="ghost"
          size="sm"
          icon={isShown ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
          expanded={{ isOpen: isShown, id: list }}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? TEXTS.hide : TEXTS.show}
        </Button>
        <Button
          size="sm"
          icon={<RefreshCw size={16} />}
          busy={isGetting}
          busyLabel={TEXTS.getting}
          onPress={() => void get()}
        >
          {TEXTS.get}
        </Button>
        {mayChange && <CreateButton />}
      </div>
      {isShown && (
        <div id={list}>
          <BackupList page={page} onPage={setPage} />
        </div>
      )}
    </section>
  );
}

function CreateButton() {
  const { state, press } = useCreateBackup();
  const text = TEXTS.create[state];
  return (
    <>
      <Button
        variant={state === 'failed' ? 'danger' : 'primary'}
        size="sm"
        icon={state === 'sent' ? <CircleCheck size={16} /> : <Archive size={16} />}
        busy={state === 'waiting' || state === 'requesting'}
        busyLabel={text}
        isDisabled={state === 'sent'}
        onPress={() => void press()}
      >
        {text}
      </Button>
      <span role="status" className="visually-hidden">
        {state === 'idle' ? '' : text}
      </span>
    </>
  );
}

const COLUMNS = Object.entries(TEXTS.columns).map(([id, title]) => ({ id, title, isEnd: id === 'actions' }));

const READ_COLUMNS = COLUMNS.filter(({ isEnd }) => !isEnd);

interface Props {
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function BackupList({ page, onPage }: Props) {
  const hasTarget = (useBackupStatus().data?.second_target ?? null) !== null;
  const mayChange = useMayChange();
  const { data, error, isFetching, isPlaceholderData, refetch } = useBackups(page);
  const copies = data?.data.map(({ copy }) => copy?.state ?? '').join(',');
  const client = useQueryClient();
  // The status of the second target depends on the copies in the list.
  useEffect(() => void client.invalidateQueries({ queryKey: STATUS_KEY }), [client, copies]);
  return (
    <>
      {data === undefined && error === null && <Waiting text={TEXTS.listLoading} />}
      {error !== null && !isFetching && (
        <Failed text={TEXTS.listFailed} failure={error} onRetry={() => void refetch()} />
      )}
      {data?.total === 0 && <EmptyLine title={TEXTS.empty} text={TEXTS.emptyHint} />}
      {data !== undefined && data.data.length > 0 && (
        <DataTable
          label={TEXTS.list}
          columns={mayChange ? COLUMNS : READ_COLUMNS}
          layout={styles['backups']}
          isBusy={isPlaceholderData}
        >
          {data.data.map((backup) => (
            <BackupRow key={backup.backup_id} backup={backup} hasTarget={hasTarget} />
          ))}
        </DataTable>
      )}
      {data !== undefined && data.last_page > 1 && <Pager at={data} onPage={onPage} />}
    </>
  );
}

/** Before the request is sent (docs/spec/product.md §4, §9); leaving the page does not cancel it. */
const DELAY_MS = 3000;
/** The duration of a toast. */
const SAID_MS = 5000;

const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

function useCreateBackup() {
  const client = useQueryClient();
  const machine = useRef<CreateBackupState>('idle');
  const [state, setState] = useState<CreateBackupState>('idle');
  const pass = (event: CreateBackupEvent) => {
    machine.current = afterEvent(machine.current, event);
    setState(machine.current);
  };

  async function press(): Promise<void> {
    if (afterEvent(machine.current, 'press') === machine.current) return;
    pass('press');
    await after(DELAY_MS);
    pass('waited');
    try {
      await http.call(create);
    } catch (failure) {
      activityLog.add(`${TEXTS.create.failed}: ${reasonOf(failure)}`, { isFailure: true });
      return pass('refused');
    }
    activityLog.add(TEXTS.create.sent);
    pass('accepted');
    await client.invalidateQueries({ queryKey: BACKUPS_KEY });
    await after(SAID_MS);
    pass('read');
  }

  return { state, press };
}

export type CreateBackupState = 'idle' | 'waiting' | 'requesting' | 'sent' | 'failed';

export type CreateBackupEvent = 'press' | 'waited' | 'accepted' | 'refused' | 'read';

type Exits = Partial<Record<CreateBackupEvent, CreateBackupState>>;

const CREATE_BACKUP_STATES: Readonly<Record<CreateBackupState, Exits>> = {
  idle: { press: 'waiting' },
  waiting: { waited: 'requesting' },
  requesting: { accepted: 'sent', refused: 'failed' },
  sent: { read: 'idle' },
  failed: { press: 'waiting' },
};

/** An event that the state does not list changes nothing. */
export function afterEvent(state: CreateBackupState, event: CreateBackupEvent): CreateBackupState {
  return CREATE_BACKUP_STATES[state][event] ?? state;
}
