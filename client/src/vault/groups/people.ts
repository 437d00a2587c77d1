import type { AnyUser, GroupUser, GroupUserWithCertificate, User } from '@passwordbroker/core/contract/entities';
import type { AccessAnswer, Act, Preview } from '@passwordbroker/core/contract/groups/access';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { JudgedKey, KeyWords } from '../../keyring/calls.ts';
import type { Page, Watched } from '../../transport/http.ts';

interface Person {
  readonly userId: string;
  readonly name: string;
}

export type { KeyWords };

/** `none`: 'This person has no keys yet.'. */
export type KeyTrust = { readonly state: 'none' } | JudgedKey;

/** `verified`: compared, or vouched for; `for now`: trusted on first use. */
export type KeyState = 'none' | 'unknown' | 'for now' | 'verified' | 'changed';

export interface Departure {
  readonly departure_id: string;
  readonly entry_group: { readonly entry_group_id: string; readonly name: string };
  /** `user_id` is null if the account was deleted. */
  readonly user: { readonly user_id: string | null; readonly name: string };
  readonly left_at: string;
  readonly cause: 'removed' | 'deleted' | 'reset';
  /** Null if it was not recorded. */
  readonly role: Role | null;
  /** Secrets they know that were not changed since; without links. */
  readonly open: number;
  /** The same with those that were changed. */
  readonly total: number;
}

export interface KnownValue {
  readonly entry: { readonly entry_id: string; readonly entry_group_id: string; readonly title: string };
  readonly field: { readonly field_id: string; readonly title: string; readonly type: FieldType };
  /** Newest that they know. */
  readonly rev: number;
  readonly opened_at: string;
  readonly how: 'revealed' | 'offline' | 'written';
  /** False: still in use. */
  readonly changed: boolean;
  readonly trashed: boolean;
}

export interface PeopleReads {
  /** `excludeGroupId` '': none. Site admins get whole accounts. */
  people(query: string, excludeGroupId: string, signal?: AbortSignal): Promise<readonly (User | AnyUser)[]>;
  /** @throws KeyringError 'locked'; 'pins' if the own list of trusted keys is unreliable */
  keyTrust(person: Person, signal?: AbortSignal): Promise<KeyTrust>;
  /**
   * By user id. Requests former keys only of people whose key has changed. @throws KeyringError 'locked',
   * 'pins'
   */
  keyStates(listed: readonly GroupUserWithCertificate[]): Promise<ReadonlyMap<string, KeyState>>;
  /** @throws KeyringError 'locked' */
  ownKey(): Promise<KeyWords>;
  /** Of a group, or of one person (null: everybody) in all groups that one administers. Newest first. */
  departures(
    of: string | { readonly userId: string | null },
    page: number,
    signal?: AbortSignal,
  ): Promise<Page<Departure>>;
  departure(
    groupId: string,
    departureId: string,
    signal?: AbortSignal,
  ): Promise<{ readonly departure: Departure; readonly rows: readonly KnownValue[] }>;
  opened(groupId: string, userId: string, signal?: AbortSignal): Promise<readonly KnownValue[]>;
  /** As the server says. @param entryId counts the values of one entry (null: of the group) */
  access(groupId: string, entryId: string | null, signal?: AbortSignal): Promise<AccessAnswer>;
  /** What an operation would change, as the server says. It is checked again when it is made. */
  preview(act: Act, signal?: AbortSignal): Promise<Preview>;
}

export interface ConfirmedPerson {
  readonly userId: string;
  readonly fingerprint: string;
}

export interface Admitted {
  readonly user: GroupUser;
  readonly isNew: boolean;
}

export interface ConfirmedMember extends ConfirmedPerson {
  readonly role: Role;
}

export interface RotateOptions extends Watched {
  /** Rotates even if not due, for example after a leak. */
  readonly force?: boolean;
  /** For an unsigned group: exactly these members are signed (docs/spec/crypto.md §8). */
  readonly confirmed?: readonly ConfirmedMember[];
  /**
   * Not requested by a person. @throws KeyringError 'unasked' if the members were not known here before this
   * unlock
   */
  readonly isUnasked?: boolean;
}

/** `skipped`: values whose old key does not open; they stay under it. */
export interface Rotated {
  readonly version: number;
  readonly skipped: number;
}

/**
 * @throws KeyringError 'locked'; 'key_mismatch'; 'read_only' if the list does not follow from the accepted
 * one;
 * 'members_unsure' (`userIds`) if changed keys were not compared; AppError
 */
export interface MemberWrites {
  /**
   * Trusts the key: `first-use` is 'Trust for now', `renewed` a newer key that the trusted one vouches for.
   * @throws KeyringError 'pins', 'key_changed'
   */
  confirmKey(
    person: Person,
    fingerprint: string,
    how: 'words' | 'first-use' | 'qr' | 'made' | 'renewed',
  ): Promise<void>;
  /** @throws KeyringError 'key_unconfirmed' unless exactly this key is trusted; 'key_changed' */
  add(groupId: string, person: ConfirmedPerson, role: Role): Promise<GroupUser>;
  /** An existing member stays unchanged (`isNew` false). */
  addNew(groupId: string, person: ConfirmedPerson, role: Role): Promise<Admitted>;
  /** Preloads what `add` needs. Never throws. */
  prepare(groupId: string): void;
  changeRole(groupId: string, userId: string, role: Role): Promise<GroupUser>;
  /** Ends access at once; the key is rotated in the background. */
  remove(groupId: string, userId: string): Promise<void>;
  /**
   * Makes a new key if due or requested, then wraps everything older. Can be stopped and continued by any
   * admin.
   * @throws KeyringError 'members_unconfirmed' in an unsigned group
   */
  rotate(groupId: string, options?: RotateOptions): Promise<Rotated>;
}

export interface Rotation {
  readonly groupId: string;
  readonly name: string;
  /**
   * `unconfirmed`: made by the server; `unsure`: keys of `userIds` have to be compared; `failed`: continues
   * at the next unlock.
   */
  readonly state: 'waiting' | 'running' | 'done' | 'unconfirmed' | 'unsure' | 'failed';
  readonly fraction: number;
  readonly skipped: number;
  readonly userIds: readonly string[];
}

export interface Rotations {
  /** The same array until something changes. */
  list(): readonly Rotation[];
  /** @returns unsubscribe */
  subscribe(listener: () => void): () => void;
}
