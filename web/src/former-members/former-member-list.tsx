/** People who left, each with one checklist of what to change. */
import { useId, useState } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronRight, Download, UserMinus } from 'lucide-react';
import { Link } from 'react-router';
import { offboardingOf } from '@passwordbroker/core/contract/users/people';
import type { Departure } from '@passwordbroker/client/vault/groups/people';
import type { VaultRead } from '@passwordbroker/client/vault/vault';
import { Button } from '@passwordbroker/ui/actions/button';
import { ProgressBar } from '@passwordbroker/ui/feedback/progress-bar';
import { toast } from '@passwordbroker/ui/feedback/toast';
import { activityLog } from '../activity-log/activity-log.ts';
import { saveBlob } from '../fields/file/save-blob.ts';
import { formatTime } from '../lib/format.ts';
import { http } from '../page/page.ts';
import { useSession } from '../session/use-session.ts';
import { FORMER_MEMBER_TEXTS as TEXTS } from '../texts/groups/members.ts';
import { PagedList } from '../trash/paged-list.tsx';
import { useVault } from '../vault/use-vault.ts';
import styles from './former-members.module.css';
import { csvOfKnownSecrets, isOpen } from './opened-rows.tsx';
import { FRESH, PersonChecklist, useValues } from './person-checklist.tsx';

/** A person with everything that one administers of what they left. */
export interface Leaver {
  /** Null if the account was deleted. */
  readonly userId: string | null;
  readonly name: string;
  /** Newest first. */
  readonly departures: readonly Departure[];
}

/** One row a person, who left latest first. People with deleted accounts are grouped by name. */
export function leaversOf(departures: readonly Departure[]): readonly Leaver[] {
  const byPerson = new Map<string, Departure[]>();
  for (const departure of departures) {
    const { user_id, name } = departure.user;
    const key = user_id ?? `deleted ${name}`;
    byPerson.set(key, [...(byPerson.get(key) ?? []), departure]);
  }
  return [...byPerson.values()].flatMap((own) => {
    const [newest] = own;
    return newest === undefined ? [] : [{ userId: newest.user.user_id, name: newest.user.name, departures: own }];
  });
}

/** Of one group, or of one person (null: all people) in all groups that one administers. */
type FormerMembersOf = { readonly groupId: string } | { readonly userId: string | null };

export function FormerMemberList({ of }: { readonly of: FormerMembersOf }) {
  const { data, error, isFetching, refetch } = useDepartures(of);
  const isOfGroup = 'groupId' in of;
  const userId = isOfGroup ? null : of.userId;
  const leavers = leaversOf(data?.departures ?? []);
  const page = data && {
    data: leavers,
    current_page: 1,
    last_page: 1,
    per_page: leavers.length,
    total: leavers.length,
  };
  return (
    <>
      <PagedList
        page={page}
        error={error}
        isFetching={isFetching}
        onRetry={() => void refetch()}
        onPage={() => undefined}
        texts={TEXTS}
      >
        {(leaver) => (
          <LeaverRow
            key={leaver.userId ?? leaver.name}
            leaver={leaver}
            isOfGroup={isOfGroup}
            isAlone={userId !== null}
          />
        )}
      </PagedList>
      {data?.isCut === true && <p className={styles['hint']}>{TEXTS.cut}</p>}
      {userId !== null && <OtherGroups userId={userId} />}
    </>
  );
}

interface LeaverRowProps {
  readonly leaver: Leaver;
  readonly isOfGroup: boolean;
  /** Whether it is the only one, whose list is open from the beginning. */
  readonly isAlone: boolean;
}

/** One person: the groups they left, how much is done, and the list. */
function LeaverRow({ leaver: { userId, name, departures }, isOfGroup, isAlone }: LeaverRowProps) {
  const id = useId();
  const [isShown, setShown] = useState(isAlone);
  const { values, error, retry } = useValues(departures, isShown);
  const counted = values?.filter(({ trashed }) => !trashed);
  const total = counted?.length ?? departures.reduce((sum, one) => sum + one.total, 0);
  const open = counted?.filter(isOpen).length ?? departures.reduce((sum, one) => sum + one.open, 0);

  const save = () => {
    if (values === undefined) return;
    saveBlob(new Blob([csvOfKnownSecrets(name, values)], { type: 'text/csv' }), TEXTS.exportName(name));
    activityLog.add(TEXTS.exported(name));
    toast(TEXTS.exported(name), { tone: 'success' });
  };
  return (
    <li className={styles['formerMember']}>
      <div className={styles['line']}>
        <span className={styles['icon']}>
          <UserMinus size={16} aria-hidden="true" />
        </span>
        <div className={styles['what']}>
          <p className={styles['title']}>{name}</p>
          <p className={styles['facts']}>
            {departures.map(({ departure_id, entry_group: group, left_at, cause }) => (
              <span key={departure_id}>
                {!isOfGroup && <Link to={`/entryGroup/${group.entry_group_id}`}>{TEXTS.from(group.name)}</Link>}{' '}
                {TEXTS.causes[cause]} {formatTime(left_at)}
              </span>
            ))}
            {!isAlone && userId !== null && (
              <Link to={`/leavers?${new URLSearchParams({ user: userId })}`}>{TEXTS.inAllGroups(name)}</Link>
            )}
          </p>
        </div>
        {(!isShown || total === 0) && (
          <span className={styles['count']} data-open={open > 0}>
            {TEXTS.progress(total - open, total)}
          </span>
        )}
        <Button
          size="sm"
          label={TEXTS.more(name)}
          icon={<ChevronRight size={14} className={isShown ? (styles['down'] ?? '') : ''} />}
          expanded={{ isOpen: isShown, id }}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? TEXTS.less : TEXTS.show}
        </Button>
      </div>
      {isShown && (
        <div id={id} className={styles['detail']}>
          {total > 0 && (
            <div className={styles['detailHead']}>
              <div className={styles['progress']}>
                <ProgressBar label={TEXTS.progress(total - open, total)} value={(100 * (total - open)) / total} />
              </div>
              <Button size="sm" icon={<Download size={14} />} isDisabled={values === undefined} onPress={save}>
                {TEXTS.export}
              </Button>
            </div>
          )}
          <PersonChecklist label={TEXTS.rows(name)} values={values} error={error} onRetry={retry} />
        </div>
      )}
    </li>
  );
}

/** For site admins: groups that others administer, where the person still is a member. */
function OtherGroups({ userId }: { readonly userId: string }) {
  const { user } = useSession();
  const isAdmin = user?.is_admin === true;
  const { data } = useQuery({
    queryKey: ['offboarding', userId],
    queryFn: ({ signal }) => http.call(offboardingOf, { params: { id: userId }, signal }),
    enabled: isAdmin,
    ...FRESH,
  });
  const others = data?.groups.filter((group) => !group.is_yours) ?? [];
  if (data === undefined || others.length === 0) return null;
  return (
    <section className={styles['others']} aria-label={TEXTS.others}>
      <h2>{TEXTS.others}</h2>
      <p className={styles['hint']}>{TEXTS.othersHint(data.user.name)}</p>
      <ul>
        {others.map(({ entry_group_id, name, admins }) => (
          <li key={entry_group_id}>
            <span>{name}</span>
            <span className={styles['ask']}>{TEXTS.ask(admins.map((admin) => admin.name))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const MOST_PAGES = 20;

export function useDepartures(of: FormerMembersOf) {
  const { read, mode } = useVault();
  return useQuery({
    queryKey: [mode, 'departures', 'groupId' in of ? of.groupId : of.userId],
    queryFn: ({ signal }) => allDepartures(read, 'groupId' in of ? of.groupId : of, signal),
    placeholderData: keepPreviousData,
    ...FRESH,
  });
}

/** Newest first; `isCut` if there are more. */
async function allDepartures(read: VaultRead, of: Parameters<VaultRead['departures']>[0], signal: AbortSignal) {
  const departures: Departure[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, last_page } = await read.departures(of, page, signal);
    departures.push(...data);
    if (page >= last_page) return { departures, isCut: false };
  }
  return { departures, isCut: true };
}
