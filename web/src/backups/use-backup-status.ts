import { status } from '@passwordbroker/core/contract/site/backups';
import { useQuery } from '@tanstack/react-query';
import { http } from '../page/page.ts';

const LOOK_MS = 15_000;

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
