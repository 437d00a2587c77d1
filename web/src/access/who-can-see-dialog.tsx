import { useMemo, useState, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Search, TriangleAlert } from 'lucide-react';
import { type AccessRow, MOST_LISTED } from '@passwordbroker/core/contract/groups/access';
import { foldText } from '@passwordbroker/core/domain/search-text';
import { Button } from '@passwordbroker/ui/actions/button';
import { Skeleton } from '@passwordbroker/ui/feedback/empty-state';
import { MessageBox } from '@passwordbroker/ui/feedback/message-box';
import { Spinner } from '@passwordbroker/ui/feedback/spinner';
import { TextField } from '@passwordbroker/ui/inputs/text-field';
import { Dialog, firstFocus } from '@passwordbroker/ui/overlays/dialog';
import { PersonInitials } from '../app/layout/person-initials.tsx';
import type { NamedGroup } from '../groups/tree/group-tree.ts';
import { formatTime } from '../lib/format.ts';
import { usePeople } from '../members/changes/add-member.tsx';
import { ACCESS_TEXTS as TEXTS } from '../texts/groups/access.ts';
import { GROUP_TEXTS } from '../texts/groups/groups.ts';
import { useVault } from '../vault/use-vault.ts';
import type { Role } from '@passwordbroker/core/domain/policy';
import styles from './access.module.css';

export interface WhoCanSeeProps {
  readonly group: NamedGroup;
  /** Counts the values of this entry; null: of the group. */
  readonly entry: NamedGroup | null;
  readonly selfId: string;
  readonly onClose: () => void;
}

/** One sentence for each person who can read a group; a name that is typed also finds people who cannot. */
export function WhoCanSeeDialog({ group, entry, selfId, onClose }: WhoCanSeeProps) {
  const { read, mode, memberships } = useVault();
  const [typed, setTyped] = useState('');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [mode, 'access', group.id, entry?.id ?? null],
    queryFn: ({ signal }) => read.access(group.id, entry?.id ?? null, signal),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const signed = useSyncExternalStore(memberships.subscribe, () => memberships.signed(group.id));
  const differences = useMemo(
    () =>
      data === undefined || signed === undefined || signed === null ? null : accessDifferences(signed, data.users),
    [data, signed],
  );
  const { people: others, isSearching } = usePeople(typed, group.id);

  const words = foldText(typed.trim());
  const readers = (data?.users ?? []).filter(({ user }) => foldText(user.name).includes(words));
  const found = readers.length + (others?.length ?? 0);
  return (
    <Dialog title={TEXTS.title(entry?.title ?? group.title)} size="md" onClose={onClose}>
      <TextField
        label={TEXTS.search}
        hint={TEXTS.searchHint}
        value={typed}
        onChange={setTyped}
        ref={firstFocus}
        type="text"
        autoComplete="off"
        maxLength={255}
        start={<Search size={16} aria-hidden="true" />}
        {...(isSearching ? { end: <Spinner /> } : {})}
      />
      {error !== null && !isFetching && (
        <div className={styles['problem']}>
          <MessageBox tone="danger" lines={[TEXTS.failed, error.message]} />
          <Button variant="secondary" size="sm" onPress={() => void refetch()}>
            {TEXTS.retry}
          </Button>
        </div>
      )}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <>
          <p className="visually-hidden" role="status">
            {isSearching ? TEXTS.searching : words === '' ? '' : TEXTS.found(found)}
          </p>
          {found > 0 && (
            <ul className={styles['people']} aria-label={TEXTS.people}>
              {readers.slice(0, MOST_LISTED).map((row) => (
                <Reader
                  key={row.user.user_id}
                  row={row}
                  group={group.title}
                  values={data.values}
                  isSelf={row.user.user_id === selfId}
                  difference={differences?.people.get(row.user.user_id)}
                />
              ))}
              {others?.map(({ userId, name }) => (
                <li key={userId} className={styles['person']}>
                  <PersonInitials name={name} />
                  <p className={styles['sentence']}>{TEXTS.cannot(name, group.title)}</p>
                </li>
              ))}
            </ul>
          )}
          {found === 0 && !isSearching && <p className={styles['hint']}>{TEXTS.nobody}</p>}
          {readers.length > MOST_LISTED && <p className={styles['hint']}>{TEXTS.more(readers.length - MOST_LISTED)}</p>}
          <Compared signed={signed} differences={differences} />
        </>
      )}
    </Dialog>
  );
}

interface ReaderProps {
  readonly row: AccessRow;
  readonly group: string;
  readonly values: number;
  readonly isSelf: boolean;
  readonly difference: { readonly signedRole: AccessRow['role'] | null } | undefined;
}

function Reader({ row, group, values, isSelf, difference }: ReaderProps) {
  const { name } = row.user;
  const role = GROUP_TEXTS.roles[row.role];
  const signedRole = difference?.signedRole;
  return (
    <li className={styles['person']}>
      <PersonInitials name={name} />
      <div className={styles['sentence']}>
        {signedRole !== null && (
          <p>
            {isSelf ? TEXTS.youRead(role, group) : TEXTS.reads(name, role, group)} {openedText(row, values, isSelf)}
          </p>
        )}
        {signedRole !== undefined && (
          <p className={styles['difference']}>
            <TriangleAlert size={14} aria-hidden="true" />
            {signedRole === null ? TEXTS.unsigned(name) : TEXTS.otherRole(GROUP_TEXTS.roles[signedRole])}
          </p>
        )}
      </div>
    </li>
  );
}

/** '' if it is not told, or if there is nothing to open. */
function openedText(row: AccessRow, values: number, isSelf: boolean): string {
  const { opened, last_opened_at: last, in_copies: copies } = row;
  if (opened === null || values === 0) return '';
  const inCopies = copies === null || copies === 0 ? '' : ` ${TEXTS.inCopies(copies)}`;
  if (isSelf) return TEXTS.youOpened(opened, values) + inCopies;
  return (last === null ? TEXTS.opened(opened, values) : TEXTS.openedLast(opened, values, formatTime(last))) + inCopies;
}

interface ComparedProps {
  /** undefined while the group is not open, null if nobody has signed its members. */
  readonly signed: readonly unknown[] | null | undefined;
  readonly differences: AccessDifferences | null;
}

function Compared({ signed, differences }: ComparedProps) {
  if (differences === null)
    return <p className={styles['hint']}>{signed === null ? TEXTS.noList : TEXTS.notCompared}</p>;
  if (differences.missing > 0) return <p className={styles['difference']}>{TEXTS.missing(differences.missing)}</p>;
  return differences.people.size === 0 ? <p className={styles['hint']}>{TEXTS.same}</p> : null;
}

interface Signed {
  readonly userId: string;
  readonly role: Role;
}

interface AccessDifferences {
  /** `signedRole` null: nobody has signed this person. By user id. */
  readonly people: ReadonlyMap<string, { readonly signedRole: Role | null }>;
  /** People on the signed list whom the server does not show. */
  readonly missing: number;
}

/** Differences between the people whom the server shows and the signed list that this browser has accepted. */
function accessDifferences(
  signed: readonly Signed[],
  shown: readonly Pick<AccessRow, 'user' | 'role'>[],
): AccessDifferences {
  const roles = new Map(signed.map(({ userId, role }) => [userId, role]));
  const people = new Map<string, { readonly signedRole: Role | null }>();
  for (const { user, role } of shown) {
    const signedRole = roles.get(user.user_id) ?? null;
    if (signedRole !== role) people.set(user.user_id, { signedRole });
  }
  const ids = new Set(shown.map(({ user }) => user.user_id));
  return { people, missing: signed.filter(({ userId }) => !ids.has(userId)).length };
}

function Loading() {
  return (
    <div className={styles['loading']} role="status" aria-label={TEXTS.loading}>
      <Skeleton />
      <Skeleton />
      <Skeleton />
    </div>
  );
}
