import { useCallback, useState, useId } from 'react';
import { PagedList } from '../trash/paged-list.tsx';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import { ChevronRight, Download, UserMinus } from 'lucide-react';
import { Link } from 'react-router';
import { activityLog } from '../activity-log/activity-log.ts';
import { saveBlob } from '../fields/file/save-blob.ts';
import { formatTime } from '../lib/format.ts';
import { Button } from '@passwordbroker/ui/actions/button';
import { toast } from '@passwordbroker/ui/feedback/toast';
import type { Departure } from '@passwordbroker/client/vault/groups/people';
import styles from './former-members.module.css';
import { csvOfKnownSecrets, isOpen, OpenedRows } from './opened-rows.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useVault } from '../vault/use-vault.ts';

/** Former members, newest first, each with the secrets to change. */
export function FormerMemberList({ of }: { readonly of: FormerMembersOf }) {
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useFormerMembers(of, page);
  const turn = useCallback((to: number) => setPage(to), []);
  return (
    <PagedList
      page={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      onPage={turn}
      texts={TEXTS}
    >
      {(departure) => (
        <FormerMemberRow key={departure.departure_id} departure={departure} isOfGroup={'groupId' in of} />
      )}
    </PagedList>
  );
}

interface Props {
  readonly departure: Departure;
  readonly isOfGroup: boolean;
}

/** A former member of one group: number of secrets to change, and their list with export. */
function FormerMemberRow({ departure, isOfGroup }: Props) {
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

/** Of a group, or of a person in all groups (null: all people). */
type FormerMembersOf = { readonly groupId: string } | { readonly userId: string | null };

/** Never cached, because other people may have changed secrets meanwhile. */
const FRESH = { networkMode: 'always', retry: false, staleTime: 0, gcTime: 0 } as const;

function useFormerMembers(of: FormerMembersOf, page: number) {
  const vault = useVault();
  const key = 'groupId' in of ? of.groupId : of.userId;
  return useQuery({
    queryKey: [vault.mode, 'departures', key, page],
    queryFn: ({ signal }) => vault.read.departures('groupId' in of ? of.groupId : of, page, signal),
    placeholderData: keepPreviousData,
    ...FRESH,
  });
}

function useKnownSecrets(groupId: string, departureId: string, isOpen: boolean) {
  const vault = useVault();
  return useQuery({
    queryKey: [vault.mode, 'departure', groupId, departureId],
    queryFn: ({ signal }) => vault.read.departure(groupId, departureId, signal),
    enabled: isOpen,
    ...FRESH,
  });
}
