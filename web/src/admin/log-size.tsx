/** Size of the audit log, and how long its rows are kept. */
import { formatFileSize } from '@passwordbroker/core/domain/fields/file-size';
import { useId } from 'react';
import { Link } from 'react-router';
import { formatTime } from '../lib/format.ts';
import { ADMIN_LOGS_TEXTS as TEXTS } from '../texts/admin-logs.ts';
import { ADMIN_PATHS } from './admin-paths.ts';
import admin from './admin.module.css';
import { Failed } from './list-state.tsx';
import { useLogSize } from './use-logs.ts';
import { useSettings } from './use-settings.ts';

export function LogSize() {
  const id = useId();
  const { data, error, isFetching, refetch } = useLogSize();
  const months = useSettings().data?.log_months;
  return (
    <section className={admin['card']} aria-labelledby={id}>
      <h2 id={id}>{TEXTS.size}</h2>
      {error !== null && !isFetching && (
        <Failed text={TEXTS.sizeFailed} failure={error} onRetry={() => void refetch()} />
      )}
      {data?.oldest_at !== undefined && data.oldest_at !== null && (
        <p>{TEXTS.sizeOf(data.rows, formatFileSize(data.bytes), formatTime(data.oldest_at))}</p>
      )}
      {months !== undefined && (
        <p className={admin['hint']}>
          {months === 0 ? TEXTS.keptAll : TEXTS.keptMonths(months)}{' '}
          <Link to={ADMIN_PATHS.settings} className={admin['back']}>
            {TEXTS.changeKept}
          </Link>
        </p>
      )}
    </section>
  );
}
