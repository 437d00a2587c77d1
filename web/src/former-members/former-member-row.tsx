import { useId, useState } from 'react';
import { ChevronRight, Download, UserMinus } from 'lucide-react';
import { Link } from 'react-router';
import { activityLog } from '../activity-log/activity-log.ts';
import { saveBlob } from '../fields/file/save-blob.ts';
import { formatTime } from '../lib/format.ts';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { toast } from '@passwordbroker/ui/feedback/toast';
import type { Departure } from '@passwordbroker/client/vault/groups/people';
import styles from './former-members.module.css';
import { csvOfKnownSecrets, isOpen } from './known-secrets.ts';
import { OpenedRows } from './opened-rows.tsx';
import { useKnownSecrets } from './use-former-members.ts';

interface Props {
  readonly departure: Departure;
  readonly isOfGroup: boolean;
}

/** A former member of one group: number of secrets to change, and their list with export. */
export function FormerMemberRow({ departure, isOfGroup }: Props) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  const { entry_group: group, user, left_at, cause, open } = departure;
  const { data, error, isFetching, refetch } = useKnownSecrets(group.entry_group_id, departure.departure_id, isShown);
  const rows = data?.rows;
  const left = isShown && rows !== undefined ? rows.filter(isOpen).length : open;

  const save = () => {
    if (rows === undefined) return;
    saveBlob(new Blob([csvOfKnownSecrets(departure, rows)], { type: 'text/csv' }), TEXTS.exportName(user.name));
    activityLog.add(TEXTS.exported(user.name));
    toast(TEXTS.exported(user.name), { tone: 'success' });
  };
  return (
    <li className={styles['formerMember']}>
      <div className={styles['line']}>
        <span className={styles['icon']}>
          <UserMinus size={16} aria-hidden="true" />
        </span>
        <div className={styles['what']}>
          <p className={styles['title']}>{user.name}</p>
          <p className={styles['facts']}>
            {!isOfGroup && <Link to={`/entryGroup/${group.entry_group_id}`}>{TEXTS.from(group.name)}</Link>}
            <span>{TEXTS.left(formatTime(left_at))}</span>
            <span>{TEXTS.causes[cause]}</span>
            {isOfGroup && user.user_id !== null && (
              <Link to={`/leavers?${new URLSearchParams({ user: user.user_id })}`}>{TEXTS.inAllGroups(user.name)}</Link>
            )}
          </p>
        </div>
        <span className={styles['count']} data-open={left > 0}>
          {TEXTS.open(left)}
        </span>
        <Button
          size="sm"
          label={TEXTS.more(user.name)}
          icon={<ChevronRight size={14} className={isShown ? (styles['down'] ?? '') : ''} />}
          expanded={{ isOpen: isShown, id }}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? TEXTS.less : TEXTS.show}
        </Button>
      </div>
      {isShown && (
        <div id={id} className={styles['detail']}>
          {rows !== undefined && rows.length > 0 && (
            <div className={styles['detailHead']}>
              <p>{TEXTS.changeThese(left, rows.length)}</p>
              <Button size="sm" icon={<Download size={14} />} onPress={save}>
                {TEXTS.export}
              </Button>
            </div>
          )}
          <OpenedRows
            label={TEXTS.rows(user.name)}
            rows={rows}
            error={isFetching ? null : error}
            onRetry={() => void refetch()}
          />
        </div>
      )}
    </li>
  );
}
