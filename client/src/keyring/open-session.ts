/** State of one unlock: the keys, the trust record, and the groups opened so far. */
import { withSecretCache } from '@passwordbroker/core/domain/groups/secret-cache';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { LinkedRoster } from '@passwordbroker/core/domain/rosters/roster-chain';
import type { HeldGroup } from './groups/held-group.ts';
import { keepKeyChains, type KeyChains } from './groups/key-chains.ts';
import { KeyringError } from './keyring-error.ts';
import { openTrustBook, type TrustBook, type TrustSources } from './trust/trust-book.ts';

export interface OpenSession {
  readonly keyring: Keyring;
  readonly book: TrustBook;
  readonly chains: KeyChains;
  readonly groups: Map<string, HeldGroup>;
  /** Lists signed here that the server may not have stored yet, by hash. */
  readonly drafts: Map<string, LinkedRoster>;
  /**
   * Members that operations may wrap for which the person did not start, by group: of the list accepted
   * before this unlock, and of lists signed here.
   */
  readonly known: Map<string, ReadonlySet<string>>;
  /** Accepted lists that the next list signed here supersedes, by group. */
  readonly superseded: Map<string, readonly string[]>;
}

export async function openSession(unlocked: Keyring, sources: TrustSources): Promise<OpenSession> {
  const keyring = await withSecretCache(unlocked);
  const book = await openTrustBook(keyring, sources);
  return {
    keyring,
    book,
    chains: keepKeyChains(),
    groups: new Map(),
    drafts: new Map(),
    known: new Map(),
    superseded: new Map(),
  };
}

/** @throws KeyringError 'key_mismatch' for a group that was not opened */
export function heldGroupOf({ groups }: Pick<OpenSession, 'groups'>, groupId: string): HeldGroup {
  const group = groups.get(groupId);
  if (group === undefined) throw new KeyringError({ code: 'key_mismatch', detail: 'not opened' });
  return group;
}
