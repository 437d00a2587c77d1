/** A group as the worker holds it: its list of members as far as this device accepts it, and the keys that this list vouches for. */
import type { GroupOrigin } from '@passwordbroker/core/domain/accepted-rosters';
import type { GroupKey } from '@passwordbroker/core/domain/grants';
import type { GrantWire, GroupKeysWire } from '@passwordbroker/core/domain/group-keys';
import type { SharedGroup } from '@passwordbroker/core/domain/member-change';
import type { LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import type { GroupTrust, Signer } from './member-calls.ts';
import { KeyringError } from './keyring-error.ts';
import { trustError } from './trust-error.ts';

export interface HeldGroup {
  readonly groupId: string;
  readonly trust: GroupTrust;
  /** Who made it, as the server says. */
  readonly origin: 'client' | 'server';
  /** The list that the keys hang on; null where there is none. */
  readonly base: LinkedRoster | null;
  /** The newest one that the server shows and whose signature holds: what a person would confirm. */
  readonly newest: { readonly roster: LinkedRoster; readonly signer: Signer } | null;
  /** Who signed the accepted one and is not pinned yet: his key is met for the first time. */
  readonly firstSigner: Signer | null;
  /** Who made the group, where its first list was reached from the accepted one. */
  readonly learntOrigin: GroupOrigin | undefined;
  /** New values are sealed under this version and no other. */
  readonly version: number;
  /** By version. */
  readonly keys: ReadonlyMap<number, GroupKey>;
  /** Whether the keys of former versions were looked for. */
  readonly hasOlder: boolean;
  readonly gkVersion: number;
  readonly grants: readonly GrantWire[];
}

export type RosterWires = GroupKeysWire['rosters'];

/** @throws KeyringError 'read_only', 'key_mismatch' */
export function sealingKeyOf(group: HeldGroup): GroupKey {
  checkWritable(group);
  return openingKeyOf(group, group.version);
}

/** @throws KeyringError 'key_mismatch' when the version is not among those that were opened */
export function openingKeyOf({ keys }: HeldGroup, version: number): GroupKey {
  const key = keys.get(version);
  if (key === undefined) throw new KeyringError({ code: 'key_mismatch', detail: 'version' });
  return key;
}

/** For acts on members. @throws KeyringError 'read_only' */
export function sharedGroupOf(group: HeldGroup): SharedGroup {
  checkWritable(group);
  const { groupId, base, gkVersion, grants } = group;
  return { groupId, roster: base, gkVersion, grants };
}

/** @throws KeyringError 'read_only' */
export function checkWritable({ trust }: HeldGroup): void {
  if (trust === 'accepted' || trust === 'unsigned') return;
  throw trustError('read_only', { detail: 'readOnly' in trust ? trust.readOnly : trust.locked });
}
