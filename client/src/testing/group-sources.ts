/** A server that answers one group's lists, and nothing else. */
import type { RosterAnswer } from '@passwordbroker/core/contract/entities';
import type { GroupSources } from '../keyring/groups/group-openings.ts';

export const sourcesOf = (rosters: () => Promise<RosterAnswer>, path: readonly string[] = ['Group']): GroupSources => ({
  rosters,
  path: async () => path,
  certificatesOf: async () => [],
  openParents: async () => undefined,
});
