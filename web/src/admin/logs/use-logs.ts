import { exported, list, size, verify } from '@passwordbroker/core/contract/site/audit';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { saveBlob } from '../../fields/file/save-blob.ts';
import { type LogFilters, queryOf } from './log-filters.ts';
import { http } from '../../page/page.ts';
import { freshSignIn } from '../../page/vault.ts';

const PER_PAGE = 20;
const LIVE_MS = 5000;
/** Enough for a million rows. */
const MAX_EXPORT_BYTES = 1024 * 1024 * 1024;

/** @param isLive polls for new rows on the first page */
export function useLogs(filters: LogFilters, page: number, isLive: boolean) {
  return useQuery({
    queryKey: ['admin', 'logs', filters, page],
    queryFn: ({ signal }) => http.call(list, { query: { ...queryOf(filters), page, perPage: PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && page === 1 ? LIVE_MS : false,
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });
}

export type ExportFormat = 'ndjson' | 'cef';

/** Saves the filtered rows as a file. Returns its name; null if the person cancelled. */
export async function exportLogs(filters: LogFilters, format: ExportFormat): Promise<string | null> {
  const query = { ...queryOf(filters), format };
  const bytes = await freshSignIn.tryRun(() => http.bytes(exported, { query, maxBytes: MAX_EXPORT_BYTES }));
  if (bytes === null) return null;
  const name = `audit-log.${format}`;
  saveBlob(new Blob([bytes], { type: 'application/octet-stream' }), name);
  return name;
}

export const useLogSize = () =>
  useQuery({
    queryKey: ['admin', 'log size'],
    queryFn: ({ signal }) => http.call(size, { signal }),
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  });

export const useChainCheck = () => useMutation({ mutationFn: () => http.call(verify), networkMode: 'always' });
