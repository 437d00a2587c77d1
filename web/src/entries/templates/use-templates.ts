import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { VaultWrite } from '@passwordbroker/client/vault/vault';

const TEMPLATES = ['online', 'templates'] as const;

/** The kinds of entries that groups added: of this group, then of those above it. */
export function useTemplates(groupId: string, write: Pick<VaultWrite, 'templates'>) {
  return useQuery({
    queryKey: [...TEMPLATES, groupId],
    queryFn: ({ signal }) => write.templates(groupId, signal),
    staleTime: 0,
  });
}

/** Refetches those of all groups, because groups below offer them too. */
export function useTemplatesReload(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: TEMPLATES });
}
