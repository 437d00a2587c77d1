/** What the page asks of the worker about people, their keys, and who belongs to a group. */
import type { Certificate, KeyBundle, RosterAnswer, Wrap } from '@passwordbroker/core/contract/entities';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { NewGrant } from '@passwordbroker/core/contract/entry-groups';
import type { add, rewraps, rotate } from '@passwordbroker/core/contract/members';
import type { Role } from '@passwordbroker/core/domain/policy';
import type { PinWay, PinnedPerson } from '@passwordbroker/core/domain/pins';
import type * as z from 'zod/mini';

/**
 * What the device makes of a group's list of members. `unsigned`: the server made the group, nobody has signed it yet; `locked`: list or key are
 * broken, nothing opens; `readOnly`: the list does not follow from the one that this device has accepted, nothing is sealed or wrapped.
 */
export type GroupTrust =
  | 'unsigned'
  | 'accepted'
  | { readonly locked: 'roster' | 'grant' }
  | { readonly readOnly: 'rolled-back' | 'forked' | 'signer' | 'vanished' };

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

/** A list that a person is asked about. */
export interface NewestList {
  /** Hex SHA-256 of its bytes. */
  readonly hash: string;
  readonly members: readonly SignedMember[];
  /** Who signed it. */
  readonly signerId: string;
}

export interface OpenedGroup {
  readonly version: number;
  /** null: the server made the group, and nobody has signed who belongs to it (crypto.md §8). */
  readonly membership: SignedMembership | null;
  readonly trust: GroupTrust;
  readonly signed: readonly SignedMember[] | null;
  /** Of a read-only group: the list that a person would go on from; null where there is none. */
  readonly newest: NewestList | null;
  /** Who signed the newest list, met for the first time: to be pinned as met before the list is remembered. */
  readonly firstSigner: Signer | null;
  /** False: this device could not store which list it has accepted, and forgets it with this page. */
  readonly isKept: boolean;
}

/** A fingerprint as people compare it. */
export interface KeyWords {
  /** 64 lower-case hex characters. */
  readonly fingerprint: string;
  /** Eight. */
  readonly words: readonly string[];
}

/** A person's key against the pin. */
export type JudgedKey =
  /** Never met: nothing is sent before the person has decided. */
  | { readonly state: 'unknown'; readonly current: KeyWords }
  | {
      readonly state: 'trusted';
      readonly how: PinWay;
      readonly current: KeyWords;
      /** The name at the time of the pin, where it is another one now. */
      readonly formerName: string | null;
      /** The key that was pinned vouches for this newer one: told, not asked. */
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

export interface MemberCalls {
  ownKey: Call<null, KeyWords & { readonly userId: string }>;
  /** The roster of the group that this device accepted last: from there on the server's answer begins. Whether its first one was ever seen here. */
  acceptedSeq: Call<{ readonly groupId: string }, { readonly seq: number | null; readonly isOriginKnown: boolean }>;
  /** Judges the newest roster and opens one's own grant under it. `certificates`: former and present ones of its signer. */
  openGroup: Call<
    { readonly groupId: string; readonly roster: RosterAnswer; readonly certificates: readonly Certificate[] },
    OpenedGroup
  >;
  /** The signer of the opened group's list is pinned now. */
  rememberGroup: Call<{ readonly groupId: string }, null>;
  /**
   * The newest list becomes the accepted one, as an admin decided who was shown exactly it. @param hash null: he was told that there is none.
   * @param certificates former and present ones of its signer: the pinned key may vouch for the one that signed, or be vouched for by it
   * @returns who signed it, where he is to be pinned first
   */
  confirmGroup: Call<
    { readonly groupId: string; readonly hash: string | null; readonly certificates: readonly Certificate[] },
    { readonly signer: Signer | null }
  >;
  /** Keys of the group's former versions; `roster` from the very first one on. */
  openOlderVersions: Call<{ readonly groupId: string; readonly roster: RosterAnswer }, null>;

  judgeKey: Call<ShownKey & { readonly userId: string; readonly name: string }, JudgedKey>;
  /**
   * One's own list of pins with these people in it, for the server. `met`: as signers, no person was asked; `renewed`: with the newer key that the pinned
   * one vouches for, as `judgeKey` has found. null: it has them already.
   */
  sealPins: Call<
    { readonly people: readonly PinnedPerson[]; readonly how: PinWay | 'met' | 'renewed' },
    { readonly replaces: number; readonly blob_base64: string } | null
  >;
  /** The list of pins as the server shows it. `isDecided`: a person goes on from it, whatever this device has seen. */
  readPins: Call<{ readonly document: StoredDocument | null; readonly isDecided: boolean }, null>;

  /**
   * Keys of a new group: oneself as admin, and the members of the parent as they are signed there. `confirmed`: of a parent that nobody has signed,
   * exactly these.
   */
  createGroupKeys: Call<InGroup & Confirmed & { readonly parentId: string | null }, NewGroupKeys>;
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
  /** The server has taken this list, which was signed here: it is the accepted one now. null: it comes with the next opening, or has come already. */
  keepOwnList: Call<{ readonly groupId: string; readonly roster_base64: string }, OpenedGroup | null>;
  /** A new key version for the members who go on. `confirmed`: of a group that nobody has signed yet, exactly these. */
  startRotation: Call<InGroup & Confirmed, BodyOf<typeof rotate>>;
  /** A batch of older wraps under the present version; what does not open is left out. */
  rewrapOlder: Call<
    { readonly groupId: string; readonly rows: readonly z.output<typeof Wrap>[] },
    BodyOf<typeof rewraps>
  >;
}
