import { type Checkup, checkup } from '@passwordbroker/core/contract/site/checkup';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { http } from '../page/page.ts';

const KEY = ['admin', 'checkup'] as const;

export function useCheckup() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.call(checkup, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
  return { ...query, keep: (checked: Checkup) => client.setQueryData(KEY, checked) };
}

export const checkAgain = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: KEY });
