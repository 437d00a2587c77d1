/**
 * Trust as the page sees it (ADR 23): the judgement of each group, the state of the account's trust record, and the decisions of the person. The keyring worker
 * judges and stores; the page asks the questions.
 */
import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import type { KnownKey, ListDifference, ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import type { Signer } from '../../keyring/groups/member-calls.ts';
import type { ConfirmedMember } from '../groups/people.ts';

/** A list of members that a person is asked about. */
export interface ShownList {
  /** Hex SHA-256 of its bytes. A decision about the list names it. */
  readonly hash: string;
  readonly seq: number;
  readonly people: readonly ListedPerson[];
  readonly signer: Signer & { readonly name: string | null; readonly known: KnownKey };
  /** Whether its key proof is right. A list without one cannot be confirmed by a question. */
  readonly hasProof: boolean;
}

/** The judgement of a group, with the facts that screens show about it. */
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
  /** The recorded name if the group has another one now, else null; set only for the opening that noticed it. */
  readonly formerName: string | null;
  /** Differences to the accepted list of a disputed group. Null: the server does not show that list, or nothing is disputed. */
  readonly difference: ListDifference | null;
  /**
   * Whether the person may accept the newest list of a disputed group: `admin` (of the accepted list); `comparing` (others, after comparing the
   * signer's words); null: no.
   */
  readonly mayGoOn: 'admin' | 'comparing' | null;
}

/**
 * State of the account's trust record. `behind`: the server shows an older one or none, this browser puts its own back. `missing`: the account
 * had one, neither server nor browser has it. `none-yet`: an account of release 1.0. `doubted`: by the person; nothing is written.
 */
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
  /** Version of the record on the server, or the highest seen. */
  readonly n: number;
  /** Unix seconds of the last change; 0 for none. */
  readonly at: number;
  /** Last used first. */
  readonly browsers: readonly UsedBrowser[];
  /** Whether this browser had a copy of the record, or data of release 1.0, before this unlock. */
  readonly hasMemory: boolean;
  /** In a browser without memory: the last use elsewhere; null: none is known. `group`: path of the group that was changed last. */
  readonly lastUse: { readonly at: number; readonly browser: string; readonly group: readonly string[] | null } | null;
  /** The person must confirm the last use; until then nothing is sealed or wrapped (KeyringError 'last_use'). */
  readonly asksLastUse: boolean;
  /** `behind`: the newer record was put back on the server. */
  readonly wasPutBack: boolean;
  /** Reason of the last failed write after three failures in a row; else null. */
  readonly writeProblem: string | null;
  /** The browser's copy was deleted while the page was open, and has been written again. */
  readonly wasStorageDeleted: boolean;
  /** Whether only compared keys count, by the site or the person. */
  readonly isStrict: boolean;
  /** The site stopped requiring compared keys, and the person has not decided whether the account keeps requiring them. */
  readonly asksStrict: boolean;
}

/** What `setUpRecord` can write. */
export interface RecordProposal {
  /** Groups whose newest list is signed with the own key. */
  readonly groups: readonly {
    readonly groupId: string;
    readonly path: readonly string[];
    readonly people: readonly ListedPerson[];
  }[];
  /** Keys that the person confirmed in release 1.0. */
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

/** How a person confirmed a key. `words` and `qr` count as compared. */
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
 * Decisions of a person. Each is valid only for the hash or fingerprint that was shown. All throw KeyringError 'locked'; those about a list 'other_list' if the server
 * shows another list by now.
 */
export interface TrustWrites {
  /**
   * Confirms the signer's key of an unconfirmed group. For `same-path` also accepts the shown list of this group.
   * @throws KeyringError 'must_compare' for 'first-use' with `same-path`, or where only compared keys count
   */
  confirmSigner(
    groupId: string,
    shown: { readonly hash: string; readonly signer: Signer & { readonly name: string } },
    how: Confirming,
  ): Promise<void>;
  /** Signs an unsigned group with exactly these members, under a new key. */
  signMembers(groupId: string, members: readonly ConfirmedMember[]): Promise<void>;
  /**
   * Accepts the newest list of a disputed group instead of the accepted ones. `hash` null: the server shows no list. `compared`: the signer's key, which a
   * person who is not an admin has to compare. An admin's browser then signs the next list or rotates the key.
   * @throws KeyringError 'not_admin', 'never_without', 'not_to_go_on', 'key_changed'
   */
  goOn(
    groupId: string,
    hash: string | null,
    compared?: Signer & { readonly name: string; readonly how: 'words' | 'qr' },
  ): Promise<void>;
  /** Decides about a removed person whom the newest list names. `keep-out` removes them again and rotates the key. */
  decideReturned(groupId: string, hash: string, userId: string, decision: 'keep-out' | 'may-stay'): Promise<void>;
  /** Answers whether the shown last use is right. False: the record becomes `doubted`. */
  answerLastUse(isRight: boolean): Promise<void>;
  /** Writes pending changes, and reads the record from the server again. */
  readAgain(): Promise<void>;
  /** Begins an empty record. Does nothing if the present one is sound or behind. */
  beginNewRecord(): Promise<void>;
  /** Groups and people to choose from for `setUpRecord`. */
  proposeRecord(): Promise<RecordProposal>;
  /** Begins the record with these groups and people of the last proposal. @throws Error without a proposal */
  setUpRecord(chosen: { readonly groupIds: readonly string[]; readonly userIds: readonly string[] }): Promise<void>;
  /** Words of the record on the server, which is written and read first. @throws KeyringError 'record' if the server has none */
  recordWords(): Promise<RecordWords>;
  /** Records the result of the comparison. False: the record becomes `doubted`; true ends a doubt. */
  compareBrowsers(isSame: boolean): Promise<void>;
  /** Decides whether only compared keys count in the own account. */
  setStrict(isStrict: boolean): Promise<void>;
}
