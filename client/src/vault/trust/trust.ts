/** Trust as the page sees it (ADR 23). The keyring worker judges and stores. */
import type { GroupTrust } from '@passwordbroker/core/domain/trust/judge-group';
import type { KnownKey, ListDifference, ListedPerson } from '@passwordbroker/core/domain/trust/list-difference';
import type { Signer } from '../../keyring/groups/member-calls.ts';
import type { ConfirmedMember } from '../groups/people.ts';

export interface ShownList {
  /** Hex SHA-256; a decision names it. */
  readonly hash: string;
  readonly seq: number;
  readonly people: readonly ListedPerson[];
  readonly signer: Signer & { readonly name: string | null; readonly known: KnownKey };
  /** False: it cannot be confirmed by a question. */
  readonly hasProof: boolean;
}

export interface GroupTrustDetails {
  readonly trust: GroupTrust;
  /** Names from the root. */
  readonly path: readonly string[];
  /** Newest list with a valid signature; null: none. */
  readonly newest: ShownList | null;
  /** `same-path`: the recorded group at this path. */
  readonly twin: { readonly groupId: string; readonly path: readonly string[] } | null;
  /** `left`: Unix seconds at which the signer was left out. */
  readonly leftAt: number | null;
  /** `returned`: removed by this account and listed again. */
  readonly returned: readonly { readonly userId: string; readonly name: string | null; readonly removedAt: number }[];
  /** The former name, only in the opening that noticed a rename. */
  readonly formerName: string | null;
  /** Of a disputed group, to the accepted list if it is shown. */
  readonly difference: ListDifference | null;
  /**
   * Who may accept the newest list: an `admin` of the accepted one, or others by `comparing` the signer's
   * words.
   */
  readonly mayGoOn: 'admin' | 'comparing' | null;
}

/**
 * `behind`: this browser puts its newer record back. `missing`: neither server nor browser has it.
 * `none-yet`: account of release 1.0. `doubted`: nothing is written.
 */
type AccountTrustState = 'sound' | 'behind' | 'missing' | 'none-yet' | 'doubted';

interface UsedBrowser {
  readonly id: string;
  readonly name: string;
  /** Unix seconds. */
  readonly first: number;
  readonly last: number;
  readonly isThis: boolean;
}

export interface AccountTrust {
  readonly state: AccountTrustState;
  /** Version on the server, or the highest seen. */
  readonly n: number;
  /** Unix seconds of the last change; 0: none. */
  readonly at: number;
  readonly browsers: readonly UsedBrowser[];
  /** This browser knew the record, or data of release 1.0, before this unlock. */
  readonly hasMemory: boolean;
  /** Last use elsewhere, for a browser without memory. `group`: path of the last changed group. */
  readonly lastUse: { readonly at: number; readonly browser: string; readonly group: readonly string[] | null } | null;
  /** Until it is answered nothing is sealed or wrapped (KeyringError 'last_use'). */
  readonly asksLastUse: boolean;
  readonly wasPutBack: boolean;
  /** Reason of the last failed write, after three in a row. */
  readonly writeProblem: string | null;
  /** Its copy was deleted while the page was open, and written again. */
  readonly wasStorageDeleted: boolean;
  /** Only compared keys count, by the site or the person. */
  readonly isStrict: boolean;
  /** The site dropped the requirement; the person decides for the account. */
  readonly asksStrict: boolean;
}

export interface RecordProposal {
  /** Signed with the own key. */
  readonly groups: readonly {
    readonly groupId: string;
    readonly path: readonly string[];
    readonly people: readonly ListedPerson[];
  }[];
  /** Confirmed in release 1.0. */
  readonly people: readonly (Signer & { readonly name: string; readonly known: KnownKey })[];
}

/** For comparing two of one's own browsers. */
export interface RecordWords {
  readonly n: number;
  /** 64 lower-case hex characters, for the QR code. */
  readonly hash: string;
  readonly words: readonly string[];
}

/** `words` and `qr` count as compared. */
type Confirming = 'words' | 'qr' | 'first-use';

export interface TrustReads {
  /** The same object until it changes; undefined until opened. */
  details(groupId: string): GroupTrustDetails | undefined;
  /** The same object until it changes; undefined until unlocked. */
  account(): AccountTrust | undefined;
  /** @returns unsubscribe */
  subscribe(listener: () => void): () => void;
}

/**
 * Decisions of a person, valid for the shown hash or fingerprint only.
 * @throws KeyringError 'locked'; 'other_list' if another list is shown
 */
export interface TrustWrites {
  /**
   * For `same-path` also accepts the shown list. @throws KeyringError 'must_compare' if 'first-use' is not
   * allowed
   */
  confirmSigner(
    groupId: string,
    shown: { readonly hash: string; readonly signer: Signer & { readonly name: string } },
    how: Confirming,
  ): Promise<void>;
  /** Signs an unsigned group with exactly these members, under a new key. */
  signMembers(groupId: string, members: readonly ConfirmedMember[]): Promise<void>;
  /**
   * Accepts the newest list of a disputed group (`hash` null: none); an admin's browser then signs or
   * rotates.
   * Others must have `compared` the signer's key. @throws KeyringError 'not_admin', 'never_without',
   * 'not_to_go_on', 'key_changed'
   */
  goOn(
    groupId: string,
    hash: string | null,
    compared?: Signer & { readonly name: string; readonly how: 'words' | 'qr' },
  ): Promise<void>;
  /** `keep-out` removes the person again and rotates the key. */
  decideReturned(groupId: string, hash: string, userId: string, decision: 'keep-out' | 'may-stay'): Promise<void>;
  /** False: the record becomes `doubted`. */
  answerLastUse(isRight: boolean): Promise<void>;
  /** Writes pending changes first. */
  readAgain(): Promise<void>;
  /** Does nothing if the record is sound or behind. */
  beginNewRecord(): Promise<void>;
  proposeRecord(): Promise<RecordProposal>;
  /** Uses the last proposal. @throws Error without one */
  setUpRecord(chosen: { readonly groupIds: readonly string[]; readonly userIds: readonly string[] }): Promise<void>;
  /** Writes and reads first. @throws KeyringError 'record' if the server has none */
  recordWords(): Promise<RecordWords>;
  /** False: the record becomes `doubted`; true ends a doubt. */
  compareBrowsers(isSame: boolean): Promise<void>;
  setStrict(isStrict: boolean): Promise<void>;
}
