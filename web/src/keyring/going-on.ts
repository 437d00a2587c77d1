/** Going on from a list of members that does not follow from the one that this device has accepted, as a person has decided (crypto.md §9). */
import { acceptedRosterOf, type AcceptedRoster } from '@passwordbroker/core/domain/accepted-rosters';
import type { HeldGroup } from './held-group.ts';
import type { Signer } from './member-calls.ts';
import type { OpenSession } from './open-session.ts';
import { trustError } from './trust-error.ts';

interface NextAccepted {
  readonly roster: AcceptedRoster;
  /** Who signed it and is to be pinned; null: he is known. */
  readonly signer: Signer | null;
}

/**
 * Who goes on, and of what kind the group is, says the list that was accepted before: the one that is shown now is the server's word.
 * @returns null where there is nothing to go on from
 * @throws KeyringError 'not_admin'; 'never_without' for a group that a client made; 'key_changed', 'pins'
 */
export function goneOn(
  session: Pick<OpenSession, 'keyring' | 'pins'>,
  { newest, origin }: HeldGroup,
  accepted: AcceptedRoster | null,
): NextAccepted | null {
  if (newest === null) return accepted === null ? null : { roster: goneOnWithout(accepted, origin), signer: null };
  const { userId } = session.keyring;
  const roster = acceptedRosterOf(newest.roster, userId);
  // Whom it does not name could not open anything under it.
  const before = accepted === null ? roster.role : accepted.role;
  if (before !== 'admin' || roster.role === undefined) throw trustError('not_admin');
  const signer = signerToMeet(session, newest.signer);
  return { roster: signer === null ? roster : { ...roster, unpinned: true }, signer };
}

/** A restored backup may be older than the first list of a group that the server made, and of no other. Unknown here counts as made by a client. */
function goneOnWithout(accepted: AcceptedRoster, shown: HeldGroup['origin']): AcceptedRoster {
  if (accepted.role !== 'admin') throw trustError('not_admin');
  if (accepted.origin !== 'server' || shown === 'client') throw trustError('never_without');
  return { ...accepted, gone: true };
}

/** @throws KeyringError 'key_changed', 'pins' */
function signerToMeet({ keyring, pins }: Pick<OpenSession, 'keyring' | 'pins'>, signer: Signer): Signer | null {
  const { userId, fingerprint } = signer;
  const isOwn = userId === keyring.userId;
  const known = isOwn ? keyring.fingerprint : pins.pins().get(userId)?.fingerprint;
  const isFormer = isOwn && pins.mayBeOwnFormer(fingerprint);
  // Another key than the pinned one is compared first: confirming the list says nothing about it.
  if (known !== undefined && known !== fingerprint && !isFormer) throw trustError('key_changed', { userIds: [userId] });
  return known === undefined ? signer : null;
}
