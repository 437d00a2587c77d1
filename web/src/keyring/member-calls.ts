/** What the page asks of the worker about people, their keys, and who belongs to a group. */
import type { Certificate, KeyBundle, RosterAnswer, Wrap } from '@passwordbroker/core/contract/entities';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { NewGrant } from '@passwordbroker/core/contract/entry-groups';
import type { add, rewraps, rotate } from '@passwordbroker/core/contract/members';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { KeyWay } from '@passwordbroker/core/domain/trust/trust-record';
import type * as z from 'zod/mini';
import type { AccountTrust, GroupTrustDetails, RecordProposal, RecordWords } from '../vault/trust.ts';

/** One row of a signed list of members. */
export interface SignedMember {
  readonly userId: string;
  readonly role: Role;
  readonly fingerprint: string;
}

/** What the newest signed list of a group's members says of oneself (crypto.md §9). */
export interface SignedMembership {
  readonly role: Role;
  /** False: it names another key than the one that is open here. */
  readonly isOwnKey: boolean;
}

/** Somebody with one of his keys, by its fingerprint. */
export interface Signer {
  readonly userId: string;
  readonly fingerprint: string;
}

/** A person's key as the server shows it, with his former ones where it is another one than was known. */
export interface ShownKey {
  readonly certificate: Certificate;
  readonly former?: readonly Certificate[];
}

export interface OpenedGroup {
  readonly groupId: string;
  readonly version: number;
  /** null: no list that counts names the members. */
  readonly membership: SignedMembership | null;
  /** Of the list that the keys hang on. */
  readonly signed: readonly SignedMember[] | null;
  readonly details: GroupTrustDetails;
}

/** Groups that are judged otherwise after a decision, or after the record changed. */
export interface JudgedAnew {
  readonly changed: readonly OpenedGroup[];
  /** Have to be opened again. */
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
  /** Nobody was asked about it: nothing is sent before the person has decided. */
  | { readonly state: 'unknown'; readonly current: KeyWords }
  | {
      readonly state: 'trusted';
      readonly how: KeyWay;
      readonly current: KeyWords;
      /** The name at the time of the decision, where it is another one now. */
      readonly formerName: string | null;
      /** The key that was decided vouches for this newer one: told, not asked. */
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
  /** The server's list, as far as its people have keys. It adds nobody: the signed list decides who goes on. */
  readonly listed: readonly (ShownKey & { readonly role: Role })[];
}

interface Confirmed {
  /** As a person has confirmed them, each with the key that he was shown; null: nobody was asked. */
  readonly confirmed: readonly (Signer & { readonly role: Role })[] | null;
}

interface Unasked {
  /** No person asked for it: only for groups and members that this browser knew before this unlock (crypto.md §12). */
  readonly isUnasked: boolean;
}

interface NamedSigner extends Signer {
  readonly name: string;
}

export interface MemberCalls {
  ownKey: Call<null, KeyWords & { readonly userId: string }>;
  /** Where the server's answer is to begin: the lowest accepted list; null: the newest alone is enough. And the highest. */
  acceptedSeq: Call<{ readonly groupId: string }, { readonly seq: number | null; readonly highest: number | null }>;
  /**
   * Opens one's own grant under the newest list and judges the group. `certificates`: former and present ones of its signers. `path`: names from the root as shown,
   * empty where it is not known.
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
  /** Keys of the group's former versions; `roster` from the very first one on. */
  openOlderVersions: Call<{ readonly groupId: string; readonly roster: RosterAnswer }, OpenedGroup | null>;
  /** Whether a rotation of the opened group may run without a person. */
  mayUnasked: Call<{ readonly groupId: string }, boolean>;
  /** Groups whose accepted list has no key proof yet and that were accepted before this unlock. */
  unproved: Call<null, readonly string[]>;

  /** The state of the account's record; the shelf is looked at on the way. */
  accountTrust: Call<null, AccountTrust>;
  /** The record for the server; null: nothing is to be written. */
  sealTrust: Call<
    null,
    {
      readonly replaces: number;
      readonly version: number;
      readonly blob_base64: string;
      readonly isOwn: boolean;
    } | null
  >;
  /** The server has taken it as this version. */
  trustStored: Call<{ readonly version: number }, null>;
  trustFailed: Call<{ readonly reason: string }, null>;
  /** The server's document. */
  readTrust: Call<{ readonly document: StoredDocument | null }, JudgedAnew>;
  /** Q1: see `TrustWrites.confirmSigner`. */
  confirmSigner: Call<
    {
      readonly groupId: string;
      readonly hash: string;
      readonly signer: NamedSigner;
      readonly how: 'words' | 'qr' | 'first-use';
    },
    JudgedAnew
  >;
  /** Q4: the newest list takes the place of the accepted ones. What is to follow: a list signed here, a rotation, or nothing. */
  goOn: Call<
    {
      readonly groupId: string;
      readonly hash: string | null;
      readonly compared: (NamedSigner & { readonly how: 'words' | 'qr' }) | null;
    },
    JudgedAnew & { readonly next: 'sign' | 'rotate' | null }
  >;
  /** Q5. */
  decideReturned: Call<
    { readonly groupId: string; readonly hash: string; readonly userId: string; readonly isOut: boolean },
    JudgedAnew
  >;
  answerLastUse: Call<{ readonly isRight: boolean }, JudgedAnew>;
  beginRecord: Call<null, JudgedAnew>;
  /** Q8. `groups`: the newest lists of all of one's groups. */
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
  /** Written down before the person removes somebody (crypto.md §12). */
  noteRemoval: Call<{ readonly groupId: string; readonly userId: string }, null>;
  /** The person gave these groups other names or places, or deleted them. `under`: the deleted group, where the server lists this one below it. */
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
  /** Keys that the person has confirmed. `renewed`: newer ones that the decided keys vouch for, as `judgeKey` has found. */
  decideKeys: Call<
    { readonly people: readonly NamedSigner[]; readonly how: 'words' | 'qr' | 'invite' | 'first-use' | 'renewed' },
    JudgedAnew
  >;

  /** Keys of a new group: oneself as admin, and the members of the parent as they are signed there. */
  createGroupKeys: Call<InGroup & { readonly parentId: string | null; readonly path: readonly string[] }, NewGroupKeys>;
  /**
   * One wrap and the next roster. `person`: exactly the key that was confirmed. `evenUnfinished`: also where revisions are still under former keys,
   * which he does not get (crypto.md §12).
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
  /** The next list with the same members under the same key: with a key proof, or superseding the lists that a person went on from. */
  signAnew: Call<InGroup & Unasked, SignedAnew>;
  /** The server has taken this list, which was signed here: it is the accepted one now. null: it comes with the next opening, or has come already. */
  keepOwnList: Call<{ readonly groupId: string; readonly roster_base64: string }, (OpenedGroup & JudgedAnew) | null>;
  /** A new key version for the members who go on. `confirmed`: of a group that nobody has signed yet, exactly these. */
  startRotation: Call<InGroup & Confirmed & Unasked, BodyOf<typeof rotate>>;
  /** A batch of older wraps under the present version; what does not open is left out. */
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
