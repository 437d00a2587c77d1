/** Worker calls about groups, members, people's keys, and the trust record. */
import type { Certificate, KeyBundle, RosterAnswer, Wrap } from '@passwordbroker/core/contract/entities';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { NewGrant } from '@passwordbroker/core/contract/groups/entry-groups';
import type { add, rewraps, rotate } from '@passwordbroker/core/contract/groups/members';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { KeyWay } from '@passwordbroker/core/domain/trust/trust-record';
import type * as z from 'zod/mini';
import type { AccountTrust, GroupTrustDetails, RecordProposal, RecordWords, PersonKey } from '../trust/trust-view.ts';

export interface SignedRow {
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

/** As the server shows it; `former` if it differs from the known key. */
export interface ShownKey {
  readonly certificate: Certificate;
  readonly former?: readonly Certificate[];
}

export interface OpenedGroup {
  readonly groupId: string;
  readonly version: number;
  /** Null: no valid list, or it does not name oneself. */
  readonly membership: SignedMembership | null;
  /** Of the list whose commitment fits the opened keys. */
  readonly signed: readonly SignedRow[] | null;
  readonly details: GroupTrustDetails;
}

export interface RejudgedGroups {
  readonly changed: readonly OpenedGroup[];
  /** To be opened again. */
  readonly stale: readonly string[];
}

export interface KeyWords {
  /** 64 lower-case hex characters. */
  readonly fingerprint: string;
  readonly words: readonly string[];
}

export type JudgedKey =
  /** No key is wrapped for the person. */
  | { readonly state: 'unknown'; readonly current: KeyWords }
  | {
      readonly state: 'trusted';
      readonly how: KeyWay;
      readonly current: KeyWords;
      /** The recorded name if it differs. */
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
  /** The server's members with keys. Only those on the signed list get keys. */
  readonly listed: readonly (ShownKey & { readonly role: Role })[];
}

interface Confirmed {
  /** Exactly the members and keys that the person confirmed; null: not asked. */
  readonly confirmed: readonly (PersonKey & { readonly role: Role })[] | null;
}

interface Unasked {
  /** Not started by the person: allowed only for groups and members known before this unlock. */
  readonly isUnasked: boolean;
}

interface NamedKey extends PersonKey {
  readonly name: string;
}

export interface MemberCalls {
  ownKey: Call<null, KeyWords & { readonly userId: string }>;
  /** Lowest and highest accepted sequence numbers. Request lists from `seq`. */
  acceptedSeq: Call<{ readonly groupId: string }, { readonly seq: number | null; readonly highest: number | null }>;
  /** `certificates`: of the signers. `path`: names from the root; empty: unknown. */
  openGroup: Call<
    {
      readonly groupId: string;
      readonly path: readonly string[];
      readonly roster: RosterAnswer;
      readonly certificates: readonly Certificate[];
    },
    OpenedGroup & RejudgedGroups
  >;
  /** `roster` has all lists. @returns the group if it is locked now, else null */
  openOlderVersions: Call<{ readonly groupId: string; readonly roster: RosterAnswer }, OpenedGroup | null>;
  /** Whether a rotation may run that the person did not start. */
  mayUnasked: Call<{ readonly groupId: string }, boolean>;
  /** Groups that need a key proof and that this admin accepted before this unlock. */
  unproved: Call<null, readonly string[]>;

  /** Also writes this browser's copy again if the device store lost it. */
  accountTrust: Call<null, AccountTrust>;
  /** As `TrustBook.sealed`. */
  sealTrust: Call<
    null,
    {
      readonly replaces: number;
      readonly version: number;
      readonly blob_base64: string;
      readonly isUrgent: boolean;
    } | null
  >;
  trustStored: Call<{ readonly version: number }, null>;
  trustFailed: Call<{ readonly reason: string }, null>;
  /** Null: the server has none. */
  readTrust: Call<{ readonly document: StoredDocument | null }, RejudgedGroups>;
  confirmSigner: Call<
    {
      readonly groupId: string;
      readonly hash: string;
      readonly signer: NamedKey;
      readonly how: 'words' | 'qr' | 'first-use';
    },
    RejudgedGroups
  >;
  /** Accepts the newest list in place of the accepted ones. `next`: for an admin. */
  goOn: Call<
    {
      readonly groupId: string;
      readonly hash: string | null;
      readonly compared: (NamedKey & { readonly how: 'words' | 'qr' }) | null;
    },
    RejudgedGroups & { readonly next: 'sign' | 'rotate' | null }
  >;
  decideReturned: Call<
    { readonly groupId: string; readonly hash: string; readonly userId: string; readonly isOut: boolean },
    RejudgedGroups
  >;
  answerLastUse: Call<{ readonly isRight: boolean }, RejudgedGroups>;
  beginRecord: Call<null, RejudgedGroups>;
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
    RejudgedGroups
  >;
  recordWords: Call<null, RecordWords>;
  compareBrowsers: Call<{ readonly isSame: boolean }, RejudgedGroups>;
  setStrict: Call<{ readonly isStrict: boolean }, RejudgedGroups>;
  setSiteTrust: Call<{ readonly isStrict: boolean }, RejudgedGroups>;
  /** Call before sending it: no browser of the person then wraps a key for the removed member. */
  noteRemoval: Call<{ readonly groupId: string; readonly userId: string }, null>;
  /** Renamed, moved or deleted groups. `under`: the deleted group that contained this one. */
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
   * Records confirmed keys. `renewed`: newer keys that the decided ones signed.
   * @throws KeyringError 'key_changed', 'must_compare', 'record'
   */
  decideKeys: Call<
    {
      readonly people: readonly NamedKey[];
      readonly how: 'words' | 'qr' | 'invite' | 'made' | 'first-use' | 'renewed';
    },
    RejudgedGroups
  >;

  /** For oneself as admin and the members of the parent's signed list. */
  createGroupKeys: Call<InGroup & { readonly parentId: string | null; readonly path: readonly string[] }, NewGroupKeys>;
  /**
   * `allowUnfinishedRotation`: also while revisions are under former keys, which the new member does not get.
   * @throws KeyringError 'rotation_unfinished' without it
   */
  addMember: Call<
    InGroup & {
      readonly person: PersonKey;
      readonly role: Role;
      readonly key: ShownKey;
      readonly allowUnfinishedRotation: boolean;
    },
    z.output<(typeof add)['body']['sealed']>
  >;
  changeRole: Call<
    InGroup & { readonly userId: string; readonly role: Role },
    z.output<(typeof add)['body']['sealed']>
  >;
  /** Signs the same members and key again, to add a key proof or to supersede lists. */
  signAgain: Call<InGroup & Unasked, SignedAgain>;
  /** Accepts a list signed here, once stored. Null: unknown draft, or open the group again. */
  keepOwnList: Call<
    { readonly groupId: string; readonly roster_base64: string },
    (OpenedGroup & RejudgedGroups) | null
  >;
  /** `confirmed`: the members of an unsigned group. */
  startRotation: Call<InGroup & Confirmed & Unasked, BodyOf<typeof rotate>>;
  /** Wraps older content keys under the present version; skips rows that do not open. */
  rewrapOlder: Call<
    { readonly groupId: string; readonly rows: readonly z.output<typeof Wrap>[] } & Unasked,
    BodyOf<typeof rewraps>
  >;
}

interface SignedAgain {
  readonly roster_base64: string;
  readonly roster_sig_base64: string;
  readonly roster_proof_base64: string;
}

export interface GroupToPropose {
  readonly groupId: string;
  readonly path: readonly string[];
  readonly roster: RosterAnswer;
}
