/** Calls to the keyring worker about groups, members, people's keys, and the trust record. */
import type { Certificate, KeyBundle, RosterAnswer, Wrap } from '@passwordbroker/core/contract/entities';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { NewGrant } from '@passwordbroker/core/contract/groups/entry-groups';
import type { add, rewraps, rotate } from '@passwordbroker/core/contract/groups/members';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { KeyWay } from '@passwordbroker/core/domain/trust/trust-record';
import type * as z from 'zod/mini';
import type { AccountTrust, GroupTrustDetails, RecordProposal, RecordWords, Signer } from '../trust/trust-view.ts';

/** One row of a signed list of members. */
export interface SignedMember {
  readonly userId: string;
  readonly role: Role;
  readonly fingerprint: string;
}

/** The own row of a group's newest signed list. */
export interface SignedMembership {
  readonly role: Role;
  /** False: the list names another key than the open one. */
  readonly isOwnKey: boolean;
}

/** A person's key as the server shows it; `former` keys if it differs from the known one. */
export interface ShownKey {
  readonly certificate: Certificate;
  readonly former?: readonly Certificate[];
}

export interface OpenedGroup {
  readonly groupId: string;
  readonly version: number;
  /** Null: no valid list, or it does not name oneself. */
  readonly membership: SignedMembership | null;
  /** Members of the list whose commitment fits the opened keys; null: none. */
  readonly signed: readonly SignedMember[] | null;
  readonly details: GroupTrustDetails;
}

/** Effect of a decision or a change of the record. */
export interface JudgedAnew {
  readonly changed: readonly OpenedGroup[];
  /** Groups that must be opened again. */
  readonly stale: readonly string[];
}

/** A fingerprint as people compare it. */
export interface KeyWords {
  /** 64 lower-case hex characters. */
  readonly fingerprint: string;
  /** Eight words. */
  readonly words: readonly string[];
}

export type JudgedKey =
  /** No decision yet: no key is wrapped for the person. */
  | { readonly state: 'unknown'; readonly current: KeyWords }
  | {
      readonly state: 'trusted';
      readonly how: KeyWay;
      readonly current: KeyWords;
      /** The recorded name if it differs from the present one. */
      readonly formerName: string | null;
      /** The decided key signed this newer one: the person is informed, not asked. */
      readonly renewed: boolean;
    }
  /** Sharing is blocked until the words are compared again. */
  | { readonly state: 'changed'; readonly current: KeyWords; readonly pinned: KeyWords };

interface NewGroupKeys {
  readonly gk_commit_base64: string;
  readonly grants: NewGrant[];
  readonly roster_base64: string;
  readonly roster_sig_base64: string;
  readonly roster_proof_base64?: string;
}

type StoredDocument = Pick<KeyBundle['documents'][number], 'version' | 'blob_base64'>;

interface Call<Input, Output, Progress = never> {
  readonly input: Input;
  readonly output: Output;
  readonly progress: Progress;
}

interface InGroup {
  readonly groupId: string;
  /** Members in the server's list that have keys. Only those on the signed list get keys. */
  readonly listed: readonly (ShownKey & { readonly role: Role })[];
}

interface Confirmed {
  /** Members that the person confirmed, with the keys shown; null: the person was not asked. */
  readonly confirmed: readonly (Signer & { readonly role: Role })[] | null;
}

interface Unasked {
  /**
   * The person did not start it: allowed only for groups and members known to this browser before this
   * unlock.
   */
  readonly isUnasked: boolean;
}

interface NamedSigner extends Signer {
  readonly name: string;
}

export interface MemberCalls {
  ownKey: Call<null, KeyWords & { readonly userId: string }>;
  /** Lowest (`seq`) and highest accepted sequence numbers; null: none. Request the lists from `seq`. */
  acceptedSeq: Call<{ readonly groupId: string }, { readonly seq: number | null; readonly highest: number | null }>;
  /**
   * Opens the own grant under the newest list and judges the group.
   * `certificates`: of the signers. `path`: names from the root; empty: unknown.
   */
  openGroup: Call<
    {
      readonly groupId: string;
      readonly path: readonly string[];
      readonly roster: RosterAnswer;
      readonly certificates: readonly Certificate[];
    },
    OpenedGroup & JudgedAnew
  >;
  /**
   * Opens keys of former versions; `roster` has all lists. @returns the group if it is locked now, else null
   */
  openOlderVersions: Call<{ readonly groupId: string; readonly roster: RosterAnswer }, OpenedGroup | null>;
  /** Whether a rotation may run that the person did not start. */
  mayUnasked: Call<{ readonly groupId: string }, boolean>;
  /** Groups that lack a key proof and that this person, as admin, may sign: accepted before this unlock. */
  unproved: Call<null, readonly string[]>;

  /** State of the record. Writes this browser's copy again if the device store lost it. */
  accountTrust: Call<null, AccountTrust>;
  /** As `TrustBook.sealed`. Null: nothing to write. */
  sealTrust: Call<
    null,
    {
      readonly replaces: number;
      readonly version: number;
      readonly blob_base64: string;
      readonly isOwn: boolean;
    } | null
  >;
  trustStored: Call<{ readonly version: number }, null>;
  trustFailed: Call<{ readonly reason: string }, null>;
  /** Merges the server's document; null: the server has none. */
  readTrust: Call<{ readonly document: StoredDocument | null }, JudgedAnew>;
  confirmSigner: Call<
    {
      readonly groupId: string;
      readonly hash: string;
      readonly signer: NamedSigner;
      readonly how: 'words' | 'qr' | 'first-use';
    },
    JudgedAnew
  >;
  /** Accepts the newest list in place of the accepted ones. `next`: what the admin has to do then. */
  goOn: Call<
    {
      readonly groupId: string;
      readonly hash: string | null;
      readonly compared: (NamedSigner & { readonly how: 'words' | 'qr' }) | null;
    },
    JudgedAnew & { readonly next: 'sign' | 'rotate' | null }
  >;
  decideReturned: Call<
    { readonly groupId: string; readonly hash: string; readonly userId: string; readonly isOut: boolean },
    JudgedAnew
  >;
  answerLastUse: Call<{ readonly isRight: boolean }, JudgedAnew>;
  beginRecord: Call<null, JudgedAnew>;
  /** `groups`: the newest lists of all own groups. */
  proposeRecord: Call<
    { readonly groups: readonly GroupToPropose[]; readonly pins: StoredDocument | null },
    RecordProposal
  >;
  setUpRecord: Call<
    {
      readonly groups: readonly GroupToPropose[];
      readonly pins: StoredDocument | null;
      readonly groupIds: readonly string[];
      readonly userIds: readonly string[];
    },
    JudgedAnew
  >;
  recordWords: Call<null, RecordWords>;
  compareBrowsers: Call<{ readonly isSame: boolean }, JudgedAnew>;
  setStrict: Call<{ readonly isStrict: boolean }, JudgedAnew>;
  setSiteTrust: Call<{ readonly isStrict: boolean }, JudgedAnew>;
  /** Call before the removal is sent: no browser of the person then wraps a key for the removed member. */
  noteRemoval: Call<{ readonly groupId: string; readonly userId: string }, null>;
  /** Groups that the person renamed, moved or deleted. `under`: the deleted group that contained this one. */
  noteGroups: Call<
    readonly {
      readonly groupId: string;
      readonly path?: readonly string[];
      readonly isDeleted?: boolean;
      readonly under?: string;
    }[],
    null
  >;

  judgeKey: Call<ShownKey & { readonly userId: string; readonly name: string }, JudgedKey>;
  /**
   * Records keys that the person confirmed. `renewed`: newer keys that the decided ones signed.
   * @throws KeyringError 'key_changed', 'must_compare', 'record'
   */
  decideKeys: Call<
    { readonly people: readonly NamedSigner[]; readonly how: 'words' | 'qr' | 'invite' | 'first-use' | 'renewed' },
    JudgedAnew
  >;

  /** Keys of a new group, for oneself as admin and the members of the parent's signed list. */
  createGroupKeys: Call<InGroup & { readonly parentId: string | null; readonly path: readonly string[] }, NewGroupKeys>;
  /**
   * One wrap and the next list. `person`: exactly the confirmed key. `evenUnfinished`: also while revisions
   * are under former keys, which the new member does not get. @throws KeyringError 'rotation_unfinished'
   * without it
   */
  addMember: Call<
    InGroup & {
      readonly person: Signer;
      readonly role: Role;
      readonly key: ShownKey;
      readonly evenUnfinished: boolean;
    },
    z.output<(typeof add)['body']['sealed']>
  >;
  changeRole: Call<
    InGroup & { readonly userId: string; readonly role: Role },
    z.output<(typeof add)['body']['sealed']>
  >;
  /** Signs a list with the same members and key, to add a key proof or to supersede replaced lists. */
  signAnew: Call<InGroup & Unasked, SignedAnew>;
  /** Accepts a list signed here after the server stored it. Null: unknown draft, or open the group again. */
  keepOwnList: Call<{ readonly groupId: string; readonly roster_base64: string }, (OpenedGroup & JudgedAnew) | null>;
  /** A new key version for the remaining members. `confirmed`: the exact members of an unsigned group. */
  startRotation: Call<InGroup & Confirmed & Unasked, BodyOf<typeof rotate>>;
  /** Wraps older content keys under the present version; skips rows that do not open. */
  rewrapOlder: Call<
    { readonly groupId: string; readonly rows: readonly z.output<typeof Wrap>[] } & Unasked,
    BodyOf<typeof rewraps>
  >;
}

interface SignedAnew {
  readonly roster_base64: string;
  readonly roster_sig_base64: string;
  readonly roster_proof_base64: string;
}

export interface GroupToPropose {
  readonly groupId: string;
  readonly path: readonly string[];
  readonly roster: RosterAnswer;
}
