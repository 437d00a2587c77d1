/** Backup settings, as last loaded or saved. */
import { type BackupSettings, settings } from '@passwordbroker/core/contract/site/backups';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { checkAgain } from '../checkup/use-checkup.ts';
import { http } from '../lib/http.ts';

const KEY = ['admin', 'backup-settings'] as const;

export function useBackupSettings() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.call(settings, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
    // A refetch would overwrite edits.
    refetchOnWindowFocus: false,
  });
  const keep = (saved: BackupSettings) => {
    client.setQueryData(KEY, saved);
    void checkAgain(client);
  };
  return { ...query, keep };
}
