/** State of one unlock. */
import { withSecretCache } from '@passwordbroker/core/domain/groups/secret-cache';
import type { StoredDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import type { LinkedRoster } from '@passwordbroker/core/domain/rosters/roster-chain';
import { type DeskBook, openDesk } from './desk/desk-book.ts';
import { openTrustBook, type TrustBook, type TrustSources } from './trust/trust-book.ts';
import {
  type CertificateWire,
  followCertificates,
  type Follow,
  type KeyChain,
} from '@passwordbroker/core/domain/keyring/certificate';
import type { ShownKey } from './groups/member-calls.ts';
import type { GroupKey } from '@passwordbroker/core/domain/groups/grants';
import type { GrantWire } from '@passwordbroker/core/domain/groups/group-keys';
import type { SharedGroup } from '@passwordbroker/core/domain/groups/member-change';
import type { GroupTrust, ShownGroup } from '@passwordbroker/core/domain/trust/judge-group';
import type { CertifiedRoster } from '@passwordbroker/core/domain/trust/shown-group';
import { KeyringError, trustError } from './keyring-error.ts';

export interface OpenSession {
  readonly keyring: Keyring;
  readonly book: TrustBook;
  /** Opened at first use. */
  readonly desk: () => Promise<DeskBook>;
  readonly chains: KeyChains;
  readonly groups: Map<string, HeldGroup>;
  /** Lists signed here, by hash, until the server has stored them. */
  readonly drafts: Map<string, LinkedRoster>;
  /**
   * By group: members accepted before this unlock or signed here. Only they get keys in operations that the
   * person did not start.
   */
  readonly known: Map<string, ReadonlySet<string>>;
  /** By group: accepted lists that the next list supersedes. */
  readonly superseded: Map<string, readonly string[]>;
}

interface Sources extends TrustSources {
  readonly deskDocument: StoredDocument | null;
}

export async function openSession(unlocked: Keyring, sources: Sources): Promise<OpenSession> {
  const keyring = await withSecretCache(unlocked);
  const book = await openTrustBook(keyring, sources);
  let desk: Promise<DeskBook> | null = null;
  return {
    keyring,
    book,
    desk: () => (desk ??= openDesk(keyring, sources.deviceStore, sources.deskDocument)),
    chains: keepKeyChains(),
    groups: new Map(),
    drafts: new Map(),
    known: new Map(),
    superseded: new Map(),
  };
}

/** Caches verified chains: the same people are members of many groups. */
interface KeyChains {
  of(shown: ShownKey): Promise<KeyChain>;
  readonly follow: Follow;
}

const LIMIT = 5_000;

function keepKeyChains(): KeyChains {
  const chains = new Map<string, Promise<KeyChain>>();
  const follow: Follow = (certificate, former) => {
    if (certificate === null) return followCertificates(certificate, former);
    const name = [certificate, ...former].map(bytesOf).join('\n');
    const known = chains.get(name);
    if (known !== undefined) return known;
    if (chains.size >= LIMIT) chains.clear();
    const chain = followCertificates(certificate, former);
    chains.set(name, chain);
    return chain;
  };
  return { follow, of: ({ certificate, former = [] }) => follow(certificate, former) };
}

const bytesOf = (wire: CertificateWire) =>
  JSON.stringify([
    wire.v,
    wire.user_id,
    wire.keyset_version,
    wire.ed25519_base64,
    wire.rsa_spki_base64,
    wire.prev_fpr,
    wire.fpr,
    wire.sig_base64,
    wire.sig_prev_base64,
  ]);

/** An opened group. */
export interface HeldGroup {
  readonly groupId: string;
  readonly shown: ShownGroup;
  readonly trust: GroupTrust;
  /** Lists that the newest one reaches by hashes, ascending; `wires` in the same order. */
  readonly linked: readonly LinkedRoster[];
  readonly wires: readonly CertifiedRoster[];
  /** The list whose commitment fits the keys: the newest, or of a disputed group the accepted one. */
  readonly base: LinkedRoster | null;
  /** New values are sealed under this version only. */
  readonly version: number;
  readonly keys: ReadonlyMap<number, GroupKey>;
  /** Versions without a commitment: for reading; rewrapped only at a person's request. */
  readonly uncommitted: ReadonlySet<number>;
  readonly hasOlder: boolean;
  /** As the server says; used only without a list. */
  readonly gkVersion: number;
  readonly grants: readonly GrantWire[];
}

interface HeldGroups {
  readonly groups: ReadonlyMap<string, HeldGroup>;
}

/** @throws KeyringError 'key_mismatch' for a group that was not opened */
export function heldGroupOf({ groups }: HeldGroups, groupId: string): HeldGroup {
  const group = groups.get(groupId);
  if (group === undefined) throw new KeyringError({ code: 'key_mismatch', detail: 'not opened' });
  return group;
}

/** With a valid signature. */
export function newestOf({ shown }: Pick<HeldGroup, 'shown'>) {
  return shown.lists === 'broken' ? null : (shown.lists.at(-1) ?? null);
}

/** For sealing. @throws KeyringError as `requireConfirmed`, 'key_mismatch' */
export function sealingKeyOf(group: HeldGroup): GroupKey {
  requireConfirmed(group);
  return openingKeyOf(group, group.version);
}

/** For reading. @throws KeyringError 'key_mismatch' if the version was not opened */
export function openingKeyOf({ keys }: HeldGroup, version: number): GroupKey {
  const key = keys.get(version);
  if (key === undefined) throw new KeyringError({ code: 'key_mismatch', detail: 'version' });
  return key;
}

/** For rewrapping: never a version without a commitment. @throws KeyringError 'key_mismatch' */
export function committedKeyOf(group: HeldGroup, version: number): GroupKey {
  if (group.uncommitted.has(version)) throw new KeyringError({ code: 'key_mismatch', detail: 'version' });
  return openingKeyOf(group, version);
}

/** For changes of members. @throws KeyringError as `requireConfirmed`, 'group_unsigned' */
export function sharedGroupOf(group: HeldGroup): SharedGroup & { readonly roster: LinkedRoster } {
  requireConfirmed(group);
  const { groupId, base, gkVersion, grants } = group;
  if (base === null) throw trustError('group_unsigned');
  return { groupId, roster: base, gkVersion, grants };
}

/**
 * @throws KeyringError 'group_unconfirmed', 'group_unsigned', 'read_only' (disputed), 'key_mismatch' (locked)
 */
export function requireConfirmed({ trust, groupId }: HeldGroup): void {
  switch (trust.state) {
    case 'confirmed':
      return;
    case 'unconfirmed':
      throw trustError('group_unconfirmed', { detail: trust.why, groupId });
    case 'unsigned':
      throw trustError('group_unsigned', { groupId });
    case 'disputed':
      throw trustError('read_only', { detail: trust.why, groupId });
    case 'locked':
      throw new KeyringError({ code: 'key_mismatch', detail: trust.why });
  }
}
