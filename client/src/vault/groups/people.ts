/** People as the vault knows them: whether their keys are trusted, who is in a group and in which role, who has left (docs/spec/crypto.md §7–§9, §12, §13). */
import type { GroupUser, GroupUserWithCertificate, User, UserBrief } from '@passwordbroker/core/contract/entities';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { JudgedKey, KeyWords } from '../../keyring/calls.ts';
import type { Page, Watched } from '../vault.ts';

interface Person {
  readonly userId: string;
  /** As it is shown: it is kept with the pin. */
  readonly name: string;
}

export type { KeyWords };

/** `none`: 'The user has no keys yet'. */
export type KeyTrust = { readonly state: 'none' } | JudgedKey;

/** `verified`: compared, or vouched for; `for now`: met, not compared. */
export type KeyState = 'none' | 'unknown' | 'for now' | 'verified' | 'changed';

export interface Departure {
  readonly departure_id: string;
  readonly entry_group: { readonly entry_group_id: string; readonly name: string };
  /** `user_id` is null when the account is gone. */
  readonly user: { readonly user_id: string | null; readonly name: string };
  readonly left_at: string;
  readonly cause: 'removed' | 'deleted' | 'reset';
  /** Secrets that he knew and that have not been changed since. */
  readonly open: number;
}

export interface KnownSecret {
  readonly entry: { readonly entry_id: string; readonly entry_group_id: string; readonly title: string };
  readonly field: { readonly field_id: string; readonly title: string; readonly type: FieldType };
  /** The newest revision that he knows. */
  readonly rev: number;
  readonly opened_at: string;
  readonly how: 'revealed' | 'offline' | 'written';
  /** False: what he knows is still in use. */
  readonly changed: boolean;
  readonly trashed: boolean;
}

export interface PeopleReads {
  /** Without those of the group named, '' for none; site admins get whole accounts. */
  people(query: string, excludeGroupId: string, signal?: AbortSignal): Promise<readonly (User | UserBrief)[]>;
  /** @throws KeyringError 'locked'; 'pins' when one's own list of trusted keys cannot be relied on */
  keyTrust(person: Person, signal?: AbortSignal): Promise<KeyTrust>;
  /**
   * What is known of the keys of listed members, by user id: without words, and asking only for keys that have been others before.
   * @throws KeyringError 'locked', 'pins'
   */
  keyStates(listed: readonly GroupUserWithCertificate[]): Promise<ReadonlyMap<string, KeyState>>;
  /** One's own key, for whoever compares it. @throws KeyringError 'locked' */
  ownKey(): Promise<KeyWords>;
  /** Of a group, or of one person (null: everybody) over all groups where one is admin. Newest first. */
  departures(
    of: string | { readonly userId: string | null },
    page: number,
    signal?: AbortSignal,
  ): Promise<Page<Departure>>;
  departure(
    groupId: string,
    departureId: string,
    signal?: AbortSignal,
  ): Promise<{ readonly departure: Departure; readonly rows: readonly KnownSecret[] }>;
  /** What a present member knows: to be looked at before he is removed. */
  opened(groupId: string, userId: string, signal?: AbortSignal): Promise<readonly KnownSecret[]>;
}

/** Somebody whose key the person at this client has confirmed. */
export interface ConfirmedPerson {
  readonly userId: string;
  readonly fingerprint: string;
}

export interface Admitted {
  readonly user: GroupUser;
  readonly isNew: boolean;
}

/** One row of a list that a person answers for. */
export interface ConfirmedMember extends ConfirmedPerson {
  readonly role: Role;
}

export interface RotateOptions extends Watched {
  /** Also where nothing is due: a leak is suspected. Otherwise a rotation that is under way is brought to its end. */
  readonly anew?: boolean;
  /** Of a group that nobody has signed yet: exactly these members are taken in (docs/spec/crypto.md §8), after a person has confirmed the list. */
  readonly confirmed?: readonly ConfirmedMember[];
  /** No person asked for it: only for what this browser knew before this unlock. @throws KeyringError 'unasked' otherwise */
  readonly isUnasked?: boolean;
}

/** `skipped`: values whose old key does not open; they stay under it. */
export interface Rotated {
  readonly version: number;
  readonly skipped: number;
}

/**
 * All of them throw KeyringError 'locked'; 'key_mismatch' in a locked group; 'read_only' where the list of members does not follow from what this
 * device has accepted; 'members_unsure' (`userIds`) when a member's key is another one than the signed and has not been compared; AppError what
 * the server refuses.
 */
export interface MemberWrites {
  /**
   * Pins the key: `first-use` is 'Trust for now', `renewed` the newer one that the pinned key vouches for (as `keyTrust` has said).
   * @throws KeyringError 'pins', 'key_changed'
   */
  confirmKey(person: Person, fingerprint: string, how: 'words' | 'first-use' | 'qr' | 'renewed'): Promise<void>;
  /** One key wrap. @throws KeyringError 'key_unconfirmed' unless exactly this key is pinned; 'key_changed' */
  add(groupId: string, person: ConfirmedPerson, role: Role): Promise<GroupUser>;
  /** As `add`, unless he is a member already: then he stays as he is, and this is told. */
  addNew(groupId: string, person: ConfirmedPerson, role: Role): Promise<Admitted>;
  /** Asks ahead for what `add` needs of the group, while the person decides. What goes wrong shows when it is acted on. */
  prepare(groupId: string): void;
  changeRole(groupId: string, userId: string, role: Role): Promise<GroupUser>;
  /** His access ends at once; the key is rotated in the background. */
  remove(groupId: string, userId: string): Promise<void>;
  /**
   * A new key where it is due or asked for, then everything older is wrapped anew. It may be stopped at any time and goes on here or at any other
   * admin's. Progress is that of the wrapping. @throws KeyringError 'members_unconfirmed' where nobody has signed the members
   */
  rotate(groupId: string, options?: RotateOptions): Promise<Rotated>;
}

/** One group whose key is rotated by this page, or waits for a person. */
export interface Rotation {
  readonly groupId: string;
  readonly name: string;
  /**
   * `unconfirmed`: made by the server, its members are to be confirmed once; `unsure`: members' keys are to be compared first (`userIds`);
   * `failed`: goes on at the next unlock, or by hand.
   */
  readonly state: 'waiting' | 'running' | 'done' | 'unconfirmed' | 'unsure' | 'failed';
  /** 0 to 1, of the wrapping. */
  readonly fraction: number;
  readonly skipped: number;
  readonly userIds: readonly string[];
}

export interface Rotations {
  /** The same array until something changes. */
  list(): readonly Rotation[];
  /** @returns how to stop listening */
  subscribe(listener: () => void): () => void;
}
