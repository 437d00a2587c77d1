import type { AuditRow } from '@passwordbroker/core/contract/entities';
import { formatTime } from '../../lib/format.ts';
import { ADMIN_LOGS_TEXTS as TEXTS } from '../../texts/admin/admin.ts';
import { DataRow } from '@passwordbroker/ui/display/data-table';
import admin from '../admin.module.css';
import styles from './logs.module.css';

interface Props {
  readonly row: AuditRow;
  readonly onTarget: (targetId: string) => void;
}

const NONE = '–';

export function LogRow({ row, onTarget }: Props) {
  const { target_type: type, target_id: id, address } = row;
  const { count, ...details } = row.details ?? {};
  const more = Object.entries(details).map(([name, value]) => `${name} ${value}`);
  return (
    <DataRow>
      <div role="cell" className={admin['date']} data-cell="time">
        <time dateTime={row.created_at} title={row.created_at}>
          {formatTime(row.created_at)}
        </time>
      </div>
      <div role="cell" className={admin['code']} data-cell="event">
        {row.event_type}
        {typeof count === 'number' && <span className={styles['times']}> {TEXTS.times(count)}</span>}
        {more.length > 0 && (
          <span className={styles['details']} title={more.join('\n')}>
            {more.join(' · ')}
          </span>
        )}
      </div>
      <div role="cell" className={row.login === null ? admin['none'] : admin['soft']}>
        {row.login ?? TEXTS.noLogin}
      </div>
      <div role="cell" data-empty={type === null || undefined}>
        {type === null ? (
          <span className={admin['none']}>{NONE}</span>
        ) : id === null ? (
          type
        ) : (
          <button
            type="button"
            className={`${styles['target']} ${admin['code']}`}
            aria-label={TEXTS.onlyTarget(type, id)}
            title={id}
            onClick={() => onTarget(id)}
          >
            {type} {id}
          </button>
        )}
      </div>
      <div role="cell" className={`${admin['code']} ${admin['none']}`} data-empty={address === null || undefined}>
        {address ?? NONE}
      </div>
    </DataRow>
  );
}
