import { useState } from 'react';
import { Bell, CalendarClock, Key, ShieldCheck, UserMinus, UserPlus, Users } from 'lucide-react';
import { Link } from 'react-router';
import type { Notice } from '@passwordbroker/core/contract/account/notices';
import { reasonOf } from '@passwordbroker/client/transport/reason';
import { Button } from '@passwordbroker/ui/actions/button';
import { Badge } from '@passwordbroker/ui/display/badge';
import { EmptyState } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { tellFailure } from '../activity-log/activity-log.ts';
import { usePageTitle } from '../app/navigation/use-page-title.ts';
import { entryAddress } from '../entries/entry-address.ts';
import { formatTime } from '../lib/format.ts';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { NOTICE_TEXTS as TEXTS } from '../texts/notices.ts';
import styles from './notices.module.css';
import { useMarkRead, useNotices } from './use-notices.ts';

/** `/notices`: what happened to the person and in the groups that the person administers. */
export function NoticesPage() {
  usePageTitle(TEXTS.page);
  const { rows, data, error, isPending, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useNotices();
  const markRead = useMarkRead();
  const [isBusy, setBusy] = useState(false);
  const unread = data?.pages[0]?.unread ?? 0;
  const newest = rows[0]?.notice_id;
  const mark = (body: Parameters<typeof markRead>[0]) =>
    markRead(body).catch((failure: unknown) => tellFailure(`${TEXTS.notRead}. ${reasonOf(failure)}`));
  const readAll = async (upTo: string) => {
    setBusy(true);
    await mark({ up_to: upTo });
    setBusy(false);
  };
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <div>
          <h1 className={styles['heading']}>{TEXTS.page}</h1>
          <p className={styles['hint']}>
            {TEXTS.pageHint} <Link to="/account#notices">{TEXTS.toSettings}</Link>
          </p>
        </div>
        {unread > 0 && newest !== undefined && (
          <Button busy={isBusy} busyLabel={TEXTS.reading} onPress={() => void readAll(newest)}>
            {TEXTS.readAll}
          </Button>
        )}
      </header>
      {error !== null && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[TEXTS.failed, error.message]} />
          <Button size="sm" onPress={() => void refetch()}>
            {TEXTS.retry}
          </Button>
        </div>
      )}
      {isPending && error === null && (
        <p className={styles['loading']} role="status">
          <Spinner /> {TEXTS.loading}
        </p>
      )}
      {data !== undefined && rows.length === 0 && <EmptyState title={TEXTS.empty} text={TEXTS.emptyHint} />}
      {rows.length > 0 && (
        <ul className={styles['list']} aria-label={TEXTS.list}>
          {rows.map((notice) => (
            <NoticeRow
              key={notice.notice_id}
              notice={notice}
              onFollow={() => void mark({ up_to: notice.notice_id, only: true })}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button size="sm" variant="ghost" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {TEXTS.older}
        </Button>
      )}
    </div>
  );
}

const ICONS = {
  group_added: Bell,
  group_removed: UserMinus,
  role_changed: ShieldCheck,
  member_joined: UserPlus,
  member_left: Users,
  keys_to_change: Key,
  entries_due: CalendarClock,
} as const;

interface RowProps {
  readonly notice: Notice;
  /** The person follows the link of an unread notice. */
  readonly onFollow: () => void;
}

function NoticeRow({ notice, onFollow }: RowProps) {
  const { kind, count, created_at, is_read } = notice;
  const Icon = ICONS[kind];
  const address = addressOf(notice);
  const text = noticeText(notice);
  return (
    <li className={styles['row']} data-unread={!is_read || undefined}>
      <span className={styles['icon']}>
        <Icon size={16} aria-hidden="true" />
      </span>
      <div className={styles['what']}>
        <p className={styles['title']}>
          {address === null ? (
            text
          ) : (
            <Link className={styles['link']} to={address} onClick={is_read ? undefined : onFollow}>
              {text}
            </Link>
          )}
        </p>
        <p className={styles['facts']}>
          <time dateTime={created_at}>{formatTime(created_at)}</time>
          {count > 1 && <span>{TEXTS.times(count)}</span>}
        </p>
      </div>
      {!is_read && <Badge tone="info" text={TEXTS.unread} />}
    </li>
  );
}

/** Where the notice leads to; null if the person may not go there. */
function addressOf({ kind, groups: [group], entries: [entry] }: Notice): string | null {
  if (kind === 'entries_due') return entry === undefined ? null : entryAddress(entry);
  if (group === undefined) return null;
  const isAboutMembers = kind === 'member_joined' || kind === 'member_left';
  return `/entryGroup/${group.entry_group_id}${isAboutMembers ? '?tab=users' : ''}`;
}

/** The notice as a sentence, with the names that its reader may know now. */
function noticeText({ kind, groups, group_count, entries, entry_count, person, role, is_done }: Notice): string {
  if (kind === 'entries_due') return TEXTS.due(entries[0]?.title, entry_count);
  const place = TEXTS.place(
    groups.map(({ name }) => name),
    group_count,
  );
  if (kind === 'keys_to_change' && is_done) return TEXTS.keysChanged(place);
  return TEXTS.told[kind](place, person?.name ?? TEXTS.somebody, role === null ? '' : GROUP_TEXTS.roles[role]);
}
