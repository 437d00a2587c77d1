import type { Role } from '@passwordbroker/core/domain/policy';
import type { Departure } from '@passwordbroker/client/vault/groups/people';

export interface ResetMember {
  readonly userId: string;
  readonly name: string;
  readonly group: { readonly id: string; readonly title: string };
  readonly role: Role;
}

/** One row for each person and group that the person left last by a reset of keys. */
export function resetMembersOf(departures: readonly Departure[]): readonly ResetMember[] {
  const seen = new Set<string>();
  return departures.flatMap(({ user, entry_group: group, cause, role }) => {
    const place = `${user.user_id ?? ''} ${group.entry_group_id}`;
    const isOlder = seen.has(place);
    seen.add(place);
    if (isOlder || cause !== 'reset' || role === null || user.user_id === null) return [];
    return [{ userId: user.user_id, name: user.name, group: { id: group.entry_group_id, title: group.name }, role }];
  });
}
