import { useQuery } from '@tanstack/react-query';
import { get } from '@passwordbroker/core/contract/users/people';
import { http } from '../page/page.ts';
import { useSession } from '../session/use-session.ts';

/** When the kit was made; null: there is none. */
export function useKitTime() {
  const { user } = useSession();
  const id = user?.user_id ?? '';
  return useQuery({
    queryKey: ['account', 'recovery kit', id],
    queryFn: async ({ signal }) => (await http.call(get, { params: { id }, signal })).recovery_kit_at ?? null,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}
