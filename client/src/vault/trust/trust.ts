/** Trust as the page sees it (ADR 23). The keyring worker judges and stores. */
import type {
  AccountTrust,
  GroupTrustDetails,
  RecordProposal,
  RecordWords,
  PersonKey,
} from '../../keyring/trust/trust-view.ts';
import type { ConfirmedMember } from '../groups/people.ts';

export type { AccountTrust, GroupTrustDetails, RecordProposal, RecordWords };

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
    shown: { readonly hash: string; readonly signer: PersonKey & { readonly name: string } },
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
    compared?: PersonKey & { readonly name: string; readonly how: 'words' | 'qr' },
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
