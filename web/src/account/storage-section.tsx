/** Shows the person's stored bytes and quota. */
import { get } from '@passwordbroker/core/contract/users/people';
import { limits } from '@passwordbroker/core/contract/site/site';
import { formatStorageSize } from '@passwordbroker/core/domain/fields/file-size';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/use-session.ts';
import { ACCOUNT_TEXTS } from '../texts/identity/account.ts';
import { Section } from './section.tsx';
import { http } from '../page/page.ts';

const TEXTS = ACCOUNT_TEXTS.storage;
const MIB = 1024 * 1024;

function useOwnStorage(userId: string) {
  return useQuery({
    queryKey: ['account', 'storage', userId],
    queryFn: async ({ signal }) => {
      const [user, site] = await Promise.all([
        http.call(get, { params: { id: userId }, signal }),
        http.call(limits, { signal }),
      ]);
      return { stored: user.storage_bytes ?? 0, quota: site.person_quota_mib * MIB };
    },
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

export function StorageSection() {
  const { user } = useSession();
  const { data, error } = useOwnStorage(user?.user_id ?? '');
  const text = () => {
    if (data === undefined) return error === null ? ACCOUNT_TEXTS.loading : TEXTS.failed;
    const stored = formatStorageSize(data.stored);
    return data.quota > 0 ? TEXTS.storedOf(stored, formatStorageSize(data.quota)) : TEXTS.stored(stored);
  };
  return (
    <Section title={TEXTS.title} hint={TEXTS.hint}>
      <p role="status">{text()}</p>
    </Section>
  );
}
