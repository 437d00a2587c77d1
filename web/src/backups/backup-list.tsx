import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Failed, Waiting } from '../admin/list-state.tsx';
import { useMayChange } from '../session/site-role.ts';
import { ADMIN_BACKUP_TEXTS as TEXTS } from '../texts/admin/backup.ts';
import { DataTable } from '@passwordbroker/ui/display/data-table';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { Pager } from '@passwordbroker/ui/display/pager';
import { BackupRow } from './backup-row.tsx';
import styles from './backups.module.css';
import { STATUS_KEY, useBackupStatus } from './use-backup-status.ts';
import { useBackups } from './use-backups.ts';

const COLUMNS = Object.entries(TEXTS.columns).map(([id, title]) => ({ id, title, isEnd: id === 'actions' }));

const READ_COLUMNS = COLUMNS.filter(({ isEnd }) => !isEnd);

interface Props {
  readonly page: number;
  readonly onPage: (page: number) => void;
}

export function BackupList({ page, onPage }: Props) {
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
      {data?.total === 0 && <EmptyState title={TEXTS.empty} text={TEXTS.emptyHint} />}
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
