/** Calls from the page to the keyring worker about groups, members, keys of people, and the trust record. */
import type { Certificate, KeyBundle, RosterAnswer, Wrap } from '@passwordbroker/core/contract/entities';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { NewGrant } from '@passwordbroker/core/contract/groups/entry-groups';
import type { add, rewraps, rotate } from '@passwordbroker/core/contract/groups/members';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { KeyWay } from '@passwordbroker/core/domain/trust/trust-record';
import type * as z from 'zod/mini';
import type { AccountTrust, GroupTrustDetails, RecordProposal, RecordWords } from '../../vault/trust/trust.ts';

/** One row of a signed list of members. */
export interface SignedMember {
  readonly userId: string;
  readonly role: Role;
  readonly fingerprint: string;
}

/** The own row of a group's newest signed list of members. */
export interface SignedMembership {
  readonly role: Role;
  /** False: it names another key than the one that is open here. */
  readonly isOwnKey: boolean;
}

/** A person and one of their keys. */
export interface Signer {
  readonly userId: string;
  readonly fingerprint: string;
}

/** A person's key as the server shows it, with their former ones if it differs from the known one. */
export interface ShownKey {
  readonly certificate: Certificate;
  readonly former?: readonly Certificate[];
}

export interface OpenedGroup {
  readonly groupId: string;
  readonly version: number;
  /** null: there is no valid list, or it does not name oneself. */
  readonly membership: SignedMembership | null;
  /** Members of the list whose commitment the opened keys fit; null: none. */
  readonly signed: readonly SignedMember[] | null;
  readonly details: GroupTrustDetails;
}

/** Groups whose judgement changed after a decision or a change of the record. */
export interface JudgedAnew {
  readonly changed: readonly OpenedGroup[];
  /** Ids of groups that have to be opened again. */
  readonly stale: readonly string[];
}

/** A fingerprint as people compare it. */
export interface KeyWords {
  /** 64 lower-case hex characters. */
  readonly fingerprint: string;
  /** Eight. */
  readonly words: readonly string[];
}

/** A person's key against the trust record. */
export type JudgedKey =
  /** No decision yet: no key is wrapped before the person has decided. */
  | { readonly state: 'unknown'; readonly current: KeyWords }
  | {
      readonly state: 'trusted';
      readonly how: KeyWay;
      readonly current: KeyWords;
      /** The recorded name if it differs from the present one; else null. */
      readonly formerName: string | null;
      /** The decided key signed this newer one: the person is told, not asked. */
      readonly renewed: boolean;
    }
  /** Sharing is blocked until the words have been compared again. */
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
  /** Members in the server's list that have keys. The list adds no member: only people on the signed list get keys. */
  readonly listed: readonly (ShownKey & { readonly role: Role })[];
}

interface Confirmed {
  /** Members that the person confirmed, each with the key that was shown; null: the person was not asked. */
  readonly confirmed: readonly (Signer & { readonly role: Role })[] | null;
}

interface Unasked {
  /** Started without a person: allowed only for groups and members that this browser knew before this unlock. */
  readonly isUnasked: boolean;
}

interface NamedSigner extends Signer {
  readonly name: string;
}

export interface MemberCalls {
  ownKey: Call<null, KeyWords & { readonly userId: string }>;
  /** Lowest (`seq`) and highest accepted sequence numbers. The server's answer has to begin at `seq`; null: the newest list is enough. */
  acceptedSeq: Call<{ readonly groupId: string }, { readonly seq: number | null; readonly highest: number | null }>;
  /**
   * Opens the own grant under the newest list and judges the group. `certificates`: present and former ones of its signers. `path`: names from the root as shown;
   * empty: not known.
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
  /** Opens keys of the group's former versions; `roster` has all lists from the first. @returns the group if it is locked now, else null */
  openOlderVersions: Call<{ readonly groupId: string; readonly roster: RosterAnswer }, OpenedGroup | null>;
  /** Whether a rotation of the opened group may run without a person. */
  mayUnasked: Call<{ readonly groupId: string }, boolean>;
  /** Ids of groups to sign with a key proof: accepted before this unlock, without a proof, and oneself is admin. */
  unproved: Call<null, readonly string[]>;

  /** State of the account's record. Restores the own copy first if the device store has lost it. */
  accountTrust: Call<null, AccountTrust>;
  /** The sealed record for the server, as `TrustBook.sealed`; null: nothing to write. */
  sealTrust: Call<
    null,
    {
      readonly replaces: number;
      readonly version: number;
      readonly blob_base64: string;
      readonly isOwn: boolean;
    } | null
  >;
  /** The server has stored the sealed record as this version. */
  trustStored: Call<{ readonly version: number }, null>;
  trustFailed: Call<{ readonly reason: string }, null>;
  /** Merges the server's document; null: the server has none. */
  readTrust: Call<{ readonly document: StoredDocument | null }, JudgedAnew>;
  /** See `TrustWrites.confirmSigner`. */
  confirmSigner: Call<
    {
      readonly groupId: string;
      readonly hash: string;
      readonly signer: NamedSigner;
      readonly how: 'words' | 'qr' | 'first-use';
    },
    JudgedAnew
  >;
  /** The newest list replaces the accepted ones; see `TrustWrites.goOn`. `next`: sign a list, rotate the key, or nothing (null). */
  goOn: Call<
    {
      readonly groupId: string;
      readonly hash: string | null;
      readonly compared: (NamedSigner & { readonly how: 'words' | 'qr' }) | null;
    },
    JudgedAnew & { readonly next: 'sign' | 'rotate' | null }
  >;
  /** See `TrustWrites.decideReturned`. */
  decideReturned: Call<
    { readonly groupId: string; readonly hash: string; readonly userId: string; readonly isOut: boolean },
    JudgedAnew
  >;
  answerLastUse: Call<{ readonly isRight: boolean }, JudgedAnew>;
  beginRecord: Call<null, JudgedAnew>;
  /** See `TrustWrites.proposeRecord`. `groups`: the newest lists of all own groups. */
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
  /** Whether the site asks for compared keys. */
  setSiteTrust: Call<{ readonly isStrict: boolean }, JudgedAnew>;
  /** Records a removal before it is sent, so that no browser of the person wraps a key for the removed member. */
  noteRemoval: Call<{ readonly groupId: string; readonly userId: string }, null>;
  /** The person renamed, moved or deleted these groups. `under`: the deleted group below which the server lists this one. */
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
   * Records keys that the person confirmed. `renewed`: newer keys that `judgeKey` found to be signed by the decided ones.
   * @throws KeyringError 'key_changed', 'must_compare', 'record'
   */
  decideKeys: Call<
    { readonly people: readonly NamedSigner[]; readonly how: 'words' | 'qr' | 'invite' | 'first-use' | 'renewed' },
    JudgedAnew
  >;

  /** Makes the keys of a new group: oneself as admin, and the members of the parent's signed list. */
  createGroupKeys: Call<InGroup & { readonly parentId: string | null; readonly path: readonly string[] }, NewGroupKeys>;
  /**
   * One wrap and the next roster. `person`: exactly the key that was confirmed. `evenUnfinished`: also while revisions are still under former keys,
   * which the new member does not get. @throws KeyringError 'rotation_unfinished' without it
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
  /** Signs the next list with the same members under the same key: to add a key proof, or to supersede replaced lists. */
  signAnew: Call<InGroup & Unasked, SignedAnew>;
  /** The server has stored this list that was signed here: accepts it. null: unknown draft, or the group has to be opened again. */
  keepOwnList: Call<{ readonly groupId: string; readonly roster_base64: string }, (OpenedGroup & JudgedAnew) | null>;
  /** Makes a new key version for the remaining members. `confirmed`: the exact members, for an unsigned group. */
  startRotation: Call<InGroup & Confirmed & Unasked, BodyOf<typeof rotate>>;
  /** Wraps a batch of older content keys under the present version; rows that do not open are left out. */
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

/** A group as the server shows it, for setting up the record. */
export interface GroupToPropose {
  readonly groupId: string;
  readonly path: readonly string[];
  readonly roster: RosterAnswer;
}
