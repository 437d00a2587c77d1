/** Everything of one unlocking: the keys, whom their owner trusts, what this device has accepted, and the groups opened so far. */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { holdingSecrets } from '@passwordbroker/core/domain/held-secrets';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import type { LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import type { DeviceShelf } from './device-shelf.ts';
import type { HeldGroup } from './held-group.ts';
import { keepKeyChains, type KeyChains } from './key-chains.ts';
import { KeyringError } from './keyring-error.ts';
import { openPinBook, type PinBook } from './pin-book.ts';
import { rememberRosters, type RosterMemory } from './roster-memory.ts';

export interface OpenSession {
  readonly keyring: Keyring;
  readonly pins: PinBook;
  readonly memory: RosterMemory;
  readonly chains: KeyChains;
  readonly groups: Map<string, HeldGroup>;
  /** Lists that were signed here and that the server may not have taken yet, by hash: several acts on a group may be under way. */
  readonly drafts: Map<string, LinkedRoster>;
}

export async function openSession(
  unlocked: Keyring,
  documents: KeyBundle['documents'],
  shelf: DeviceShelf,
): Promise<OpenSession> {
  const keyring = await holdingSecrets(unlocked);
  const pins = await openPinBook(keyring, shelf);
  await pins.read(documents.find(({ name }) => name === 'pins') ?? null);
  const memory = rememberRosters(keyring, shelf);
  return { keyring, pins, memory, chains: keepKeyChains(), groups: new Map(), drafts: new Map() };
}

/** @throws KeyringError 'key_mismatch' for a group that was not opened */
export function heldGroupOf({ groups }: OpenSession, groupId: string): HeldGroup {
  const group = groups.get(groupId);
  if (group === undefined) throw new KeyringError({ code: 'key_mismatch', detail: 'not opened' });
  return group;
}
