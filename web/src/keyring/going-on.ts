/** Going on from a list of members that does not follow from the one that this device has accepted, as a person has decided (crypto.md §9). */
import { acceptedRosterOf, type AcceptedRoster } from '@passwordbroker/core/domain/accepted-rosters';
import type { CertificateWire } from '@passwordbroker/core/domain/certificate';
import type { HeldGroup } from './held-group.ts';
import type { Signer } from './member-calls.ts';
import type { OpenSession } from './open-session.ts';
import { trustError } from './trust-error.ts';

type Session = Pick<OpenSession, 'keyring' | 'pins' | 'chains'>;

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
export async function goneOn(
  session: Session,
  { newest, origin }: HeldGroup,
  accepted: AcceptedRoster | null,
  certificates: readonly CertificateWire[],
): Promise<NextAccepted | null> {
  if (newest === null) return accepted === null ? null : { roster: goneOnWithout(accepted, origin), signer: null };
  const { userId } = session.keyring;
  const roster = acceptedRosterOf(newest.roster, userId);
  // Whom it does not name could not open anything under it.
  const before = accepted === null ? roster.role : accepted.role;
  if (before !== 'admin' || roster.role === undefined) throw trustError('not_admin');
  const signer = await signerToMeet(session, newest.signer, certificates);
  return { roster: signer === null ? roster : { ...roster, unpinned: true }, signer };
}

/** A restored backup may be older than the first list of a group that the server made, and of no other. Unknown here counts as made by a client. */
function goneOnWithout(accepted: AcceptedRoster, shown: HeldGroup['origin']): AcceptedRoster {
  if (accepted.role !== 'admin') throw trustError('not_admin');
  if (accepted.origin !== 'server' || shown === 'client') throw trustError('never_without');
  return { ...accepted, gone: true };
}

/** @throws KeyringError 'key_changed', 'pins' */
async function signerToMeet(
  session: Session,
  signer: Signer,
  certificates: readonly CertificateWire[],
): Promise<Signer | null> {
  const { keyring, pins } = session;
  const { userId, fingerprint } = signer;
  const isOwn = userId === keyring.userId;
  const known = isOwn ? keyring.fingerprint : pins.pins().get(userId)?.fingerprint;
  if (known === undefined) return signer;
  const isKnown = known === fingerprint || (isOwn && pins.mayBeOwnFormer(fingerprint));
  // Another key than the pinned one is compared first: confirming the list says nothing about it.
  if (!isKnown && !(await isOneLine(session, signer, known, certificates)))
    throw trustError('key_changed', { userIds: [userId] });
  return null;
}

/** Whether one of the two keys leads to the other: each vouched for the next. */
async function isOneLine(
  { chains }: Session,
  { userId, fingerprint }: Signer,
  known: string,
  certificates: readonly CertificateWire[],
): Promise<boolean> {
  for (const certificate of certificates) {
    // One that does not verify vouches for nothing.
    const chain = await chains.follow(certificate, certificates).catch(() => null);
    if (chain?.identity.userId !== userId) continue;
    if (chain.fingerprints.includes(known) && chain.fingerprints.includes(fingerprint)) return true;
  }
  return false;
}
