import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { onlyMine } from '@passwordbroker/core/contract/account/own-keys';
import { Listed } from '../account/section.tsx';
import { http } from '../page/page.ts';
import { useSession } from '../session/use-session.ts';
import { KIT_TEXTS as TEXTS } from '../texts/identity/recovery-kit.ts';
import styles from './recovery-kit.module.css';

export interface LostGroup {
  readonly id: string;
  readonly title: string;
}

interface Props {
  readonly hasKit?: boolean;
  /** Beside each group. */
  readonly verb?: (group: LostGroup) => ReactNode;
}

/** What the person alone can open, by the names of the groups; nothing if all groups have other members. */
export function LostGroups({ hasKit = false, verb }: Props) {
  const { user } = useSession();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['account', 'only mine', user?.user_id],
    queryFn: ({ signal }) => http.call(onlyMine, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  if (error !== null) {
    return (
      <Listed error={error} isPending={isPending} failed={TEXTS.lostFailed} onRetry={() => void refetch()}>
        {null}
      </Listed>
    );
  }
  if (data === undefined || data.groups.length === 0) return null;
  return (
    <div className={styles['lost']}>
      <p className={styles['text']}>{hasKit ? TEXTS.lostWithKit : TEXTS.lost}</p>
      <ul aria-label={hasKit ? TEXTS.lostWithKit : TEXTS.lost}>
        {data.groups.map(({ entry_group_id: id, name: title }) => (
          <li key={id}>
            <span>{title}</span>
            {verb?.({ id, title })}
          </li>
        ))}
      </ul>
    </div>
  );
}
