import { type Backup, listAll, status } from '@passwordbroker/core/contract/site/backups';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { http } from '../page/page.ts';

const PER_PAGE = 20;
const WATCH_MS = 1000;
const LOOK_MS = 15_000;

export const BACKUPS_KEY = ['admin', 'backups'] as const;

const isUnderWay = ({ state, copy }: Backup) =>
  state === 'await' ||
  state === 'creating' ||
  copy?.state === 'copying' ||
  (copy?.state === 'waiting' && isSoon(copy.next_try_at));

/** A copy that waits for an unavailable target is not polled. */
const isSoon = (time: string | null) => time !== null && Date.parse(time) < Date.now() + LOOK_MS;

export function useBackups(page: number) {
  return useQuery({
    queryKey: [...BACKUPS_KEY, page],
    queryFn: ({ signal }) => http.call(listAll, { query: { page, perPage: PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) === true ? WATCH_MS : LOOK_MS),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

export const STATUS_KEY = ['admin', 'backup-status'] as const;

export function useBackupStatus() {
  return useQuery({
    queryKey: STATUS_KEY,
    queryFn: ({ signal }) => http.call(status, { signal }),
    refetchInterval: LOOK_MS,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}
