/**
 * Whom a client may wrap keys for, as the page sees it (crypto.md §9): how a group was judged and why, the state of the account's trust record, and the decisions that a
 * person takes about them. The keyring worker judges and remembers; the page asks the questions.
 */
import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import type { KnownKey, ListDifference, ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import type { Signer } from '../keyring/member-calls.ts';
import type { ConfirmedMember } from './people.ts';

/** A list of members that a person is asked about. */
export interface ShownList {
  /** Hex SHA-256 of its bytes: a decision about the list is bound to it. */
  readonly hash: string;
  readonly seq: number;
  readonly people: readonly ListedPerson[];
  readonly signer: Signer & { readonly name: string | null; readonly known: KnownKey };
  /** Whether its key proof is right. A list without one is never confirmed by a question. */
  readonly hasProof: boolean;
}

/** Everything that the screens show of a group's trust. */
export interface GroupTrustDetails {
  readonly trust: GroupTrust;
  /** Names from the root, as judged. */
  readonly path: readonly string[];
  /** The newest list whose signature holds; null: none is shown, or it is broken. */
  readonly newest: ShownList | null;
  /** `same-path`: the group that the record knows at this path. */
  readonly twin: { readonly groupId: string; readonly path: readonly string[] } | null;
  /** `left`: when the signer was left out of a list, in unix seconds. */
  readonly leftAt: number | null;
  /** `returned`: removed by this account, and in the newest list again. */
  readonly returned: readonly { readonly userId: string; readonly name: string | null; readonly removedAt: number }[];
  /** The last accepted name where the group is called otherwise now; to be told once. */
  readonly formerName: string | null;
  /** Against the accepted list, where the server still shows it. Null: it cannot be compared. */
  readonly difference: ListDifference | null;
  /**
   * Who may go on from the newest list (Q4): `admin` of the accepted list; `comparing` for others, who compare the signer's words; null: not to be gone on from
   * (it does not open, it has no proof, or a client-made group has none).
   */
  readonly mayGoOn: 'admin' | 'comparing' | null;
}

/** State of the account's trust record. */
type AccountTrustState = 'sound' | 'behind' | 'missing' | 'none-yet' | 'doubted';

interface UsedBrowser {
  /** 32 hex. */
  readonly id: string;
  readonly name: string;
  /** Unix seconds. */
  readonly first: number;
  readonly last: number;
  readonly isThis: boolean;
}

export interface AccountTrust {
  readonly state: AccountTrustState;
  /** Number of the record: counts its writes. */
  readonly n: number;
  /** Unix seconds of the last change; 0 for none. */
  readonly at: number;
  /** Last used first. */
  readonly browsers: readonly UsedBrowser[];
  /** Whether this browser had a copy of the record before this unlock. */
  readonly hasMemory: boolean;
  /** In a browser without memory: the last use elsewhere; null: none is known. `group`: path of the group that was changed last. */
  readonly lastUse: { readonly at: number; readonly browser: string; readonly group: readonly string[] | null } | null;
  /** Q7 is open: until it is answered nothing is sealed or wrapped (KeyringError 'last_use'). */
  readonly asksLastUse: boolean;
  /** `behind`: the newer record was put back on the server. */
  readonly wasPutBack: boolean;
  /** Why writing the record failed three times or more; null: it did not. */
  readonly writeProblem: string | null;
  /** What this browser remembers was deleted while the page was open, and has been written again. */
  readonly wasStorageDeleted: boolean;
  /** Whether only compared keys count, by the site or the person. */
  readonly isStrict: boolean;
  /** The site asked for compared keys before and does not any more: keep asking for them? */
  readonly asksStrict: boolean;
}

/** What `setUp` would write (Q8). */
export interface RecordProposal {
  /** Groups whose newest list is signed with the own key. */
  readonly groups: readonly {
    readonly groupId: string;
    readonly path: readonly string[];
    readonly people: readonly ListedPerson[];
  }[];
  /** Keys that the list of trusted keys of release 1.0 holds. */
  readonly people: readonly (Signer & { readonly name: string; readonly known: KnownKey })[];
}

/** Words of the whole record, for comparing two of one's own browsers. */
export interface RecordWords {
  readonly n: number;
  /** 64 lower-case hex characters, for the QR code. */
  readonly hash: string;
  /** Eight. */
  readonly words: readonly string[];
}

/** How a person confirmed a key. `words` and `qr` are compared. */
type Confirming = 'words' | 'qr' | 'first-use';

export interface TrustReads {
  /** Undefined: the group was not opened since the unlock. The same object until it changes. */
  details(groupId: string): GroupTrustDetails | undefined;
  /** Undefined before the first unlock. The same object until it changes. */
  account(): AccountTrust | undefined;
  /** @returns how to stop listening, to groups and account */
  subscribe(listener: () => void): () => void;
}

/**
 * Decisions of a person. Each counts for exactly the hash or fingerprint that was shown. All throw KeyringError 'locked'; 'other_list' when the server shows another
 * list by now.
 */
export interface TrustWrites {
  /**
   * Q1: the signer's key of an unconfirmed group. For `same-path` also this very group and list.
   * @throws KeyringError 'must_compare' for 'first-use' with `same-path`, or where only compared keys count
   */
  confirmSigner(
    groupId: string,
    shown: { readonly hash: string; readonly signer: Signer & { readonly name: string } },
    how: Confirming,
  ): Promise<void>;
  /** Q3: signs the members of an unsigned group, exactly these. @throws KeyringError 'not_admin' */
  signMembers(groupId: string, members: readonly ConfirmedMember[]): Promise<void>;
  /**
   * Q4. `hash` null: there is no list. `compared`: of somebody who is no admin, the signer's compared key.
   * @throws KeyringError 'not_admin', 'never_without', 'key_changed'
   */
  goOn(
    groupId: string,
    hash: string | null,
    compared?: Signer & { readonly name: string; readonly how: 'words' | 'qr' },
  ): Promise<void>;
  /** Q5. `keep-out` removes and rotates. */
  decideReturned(groupId: string, hash: string, userId: string, decision: 'keep-out' | 'may-stay'): Promise<void>;
  /** Q7. False: 'No, I have used it since', the record is doubted. */
  answerLastUse(isRight: boolean): Promise<void>;
  /** Writes what is pending, and reads the record from the server again. */
  readAgain(): Promise<void>;
  /** An empty record in place of one that is missing or doubted. */
  beginNewRecord(): Promise<void>;
  /** Q8: what `setUp` would write. */
  proposeRecord(): Promise<RecordProposal>;
  /** Q8: writes rows for these groups and people and begins the record with them. */
  setUpRecord(chosen: { readonly groupIds: readonly string[]; readonly userIds: readonly string[] }): Promise<void>;
  /** Writes and reads the record first. */
  recordWords(): Promise<RecordWords>;
  /** False: 'They differ', the record is doubted. */
  compareBrowsers(isSame: boolean): Promise<void>;
  /** Whether the own account goes on asking for compared keys. */
  setStrict(isStrict: boolean): Promise<void>;
}
