/** Whether this device accepts the roster that the server shows as a group's newest (`crypto.md` §9, Accepting). Asks nobody, stores nothing. */
import { decodeBase64 } from '../crypto/bytes.ts';
import { CryptoError } from '../crypto/errors.ts';
import type { AcceptedRoster } from './accepted-rosters.ts';
import { type Follow, type KeyChain, followCertificates } from './certificate-chain.ts';
import type { CertificateWire } from './certificate.ts';
import type { Keyring } from './keyring.ts';
import { type Pins, isConfirmed } from './pins.ts';
import { type LinkedRoster, keyFaultOf, linkBack } from './roster-succession.ts';
import { type RosterContent, type RosterWire, hashRoster, verifyRosterOf } from './roster.ts';

/** What `GET G/roster?from=<seq last accepted>` answers, as far as acceptance needs it. */
export interface RosterAnswer {
  readonly origin: 'client' | 'server';
  /** Ascending, the one last accepted included. */
  readonly rosters: readonly SignedRoster[];
}

type SignedRoster = RosterWire & { readonly signer_certificate: CertificateWire | null };

/**
 * `rolled-back`: a lower sequence or key version than accepted. `forked`: another roster at an accepted place, a wrong link, another commitment of
 * the same key version. `signer`: signed by somebody who was no admin. `vanished`: none where one was accepted.
 */
export type SuccessionFault = 'rolled-back' | 'forked' | 'signer' | 'vanished';

export type RosterAcceptance =
  /** The server made this group and nobody has signed its members yet. */
  | { readonly state: 'unsigned' }
  /** To be remembered as `{seq, hash}`. */
  | { readonly state: 'accepted'; readonly newest: LinkedRoster }
  /**
   * Nothing to compare with. `new`: this device meets the group for the first time, its signer gets pinned with `withMetSigner`. `gap`: the certificate of
   * somebody who signed on the way is gone: a person decides, whatever `key` says.
   */
  | {
      readonly state: 'first-use';
      readonly because: 'new' | 'gap';
      readonly newest: LinkedRoster;
      readonly signer: { readonly userId: string; readonly fingerprint: string };
      readonly key: 'trusted' | 'unknown' | 'changed';
    }
  /** Read-only until a person confirms it; `newest` is what he would confirm, null when it vanished. */
  | { readonly state: 'refused'; readonly fault: SuccessionFault; readonly newest: LinkedRoster | null };

export interface AcceptanceRequest {
  readonly groupId: string;
  readonly answer: RosterAnswer;
  /** What this device accepted last, or null. */
  readonly accepted: AcceptedRoster | null;
  readonly pins: Pins;
  /** Certificates that may lead from a former key to a signer's present one. */
  readonly certificates: readonly CertificateWire[];
  /** Oneself: the own key needs no pin. */
  readonly self: Pick<Keyring, 'userId' | 'fingerprint'>;
  /** `followCertificates`, or one that remembers what it has verified: the same people sign many groups. */
  readonly follow?: Follow;
}

/**
 * Stricter than the table of `crypto.md` §9 in one point: all rosters from the one last accepted to the newest must be there and linked, since the
 * server keeps them all.
 * @throws CryptoError `roster` when the newest one does not verify, or a client-made group has none: the group is locked in this client
 */
export async function acceptRoster(request: AcceptanceRequest): Promise<RosterAcceptance> {
  const { answer, accepted } = request;
  const wire = answer.rosters.at(-1);
  if (wire === undefined) {
    if (accepted !== null && accepted.gone !== true) return { state: 'refused', fault: 'vanished', newest: null };
    if (answer.origin === 'client') throw new CryptoError('roster');
    return { state: 'unsigned' };
  }
  const signed = await verifySigned(wire, request);
  const newest = { content: signed.content, hash: await hashRoster(decodeBase64(wire.roster_base64)) };
  if (accepted === null) return meetFirst(request, newest, signed.signer);
  const { seq } = newest.content;
  if (seq < accepted.seq) return { state: 'refused', fault: 'rolled-back', newest };
  return acceptSuccession(request, accepted, newest, signed.signer);
}

const followOf = ({ follow = followCertificates }: AcceptanceRequest): Follow => follow;

interface Signed {
  readonly content: RosterContent;
  readonly signer: KeyChain;
}

/** @throws CryptoError `roster` for everything that is wrong with it, certificates included */
async function verifySigned(wire: SignedRoster, request: AcceptanceRequest): Promise<Signed> {
  const signer = await followOf(request)(wire.signer_certificate, request.certificates).catch(() => {
    throw new CryptoError('roster');
  });
  return { signer, content: await verifyRosterOf(signer.identity, wire, request.groupId) };
}

async function meetFirst(
  request: AcceptanceRequest,
  newest: LinkedRoster,
  signer: KeyChain,
): Promise<RosterAcceptance> {
  const key = await judgeSigner(request, signer);
  if (key === 'trusted') return { state: 'accepted', newest };
  if (key === 'changed') return { state: 'refused', fault: 'signer', newest };
  return askAbout(signer, newest, { because: 'new', key });
}

function askAbout(
  { identity: { userId, fingerprint } }: KeyChain,
  newest: LinkedRoster,
  why: { because: 'new' | 'gap'; key: 'trusted' | 'unknown' | 'changed' },
): RosterAcceptance {
  return { state: 'first-use', newest, signer: { userId, fingerprint }, ...why };
}

/** A roster may be older than the signer's present key: then the pinned key leads back to the one that signed. */
async function judgeSigner(
  request: AcceptanceRequest,
  { identity, fingerprints }: KeyChain,
): Promise<'trusted' | 'unknown' | 'changed'> {
  const { pins, self, certificates } = request;
  const { userId, fingerprint } = identity;
  const known = userId === self.userId ? self.fingerprint : pins.get(userId)?.fingerprint;
  if (known === undefined) return 'unknown';
  if (fingerprints.includes(known)) return 'trusted';
  for (const certificate of certificates) {
    const newer = await followOf(request)(certificate, certificates).catch(() => null);
    if (newer?.identity.fingerprint === known && newer.fingerprints.includes(fingerprint)) return 'trusted';
  }
  return 'changed';
}

async function acceptSuccession(
  request: AcceptanceRequest,
  accepted: AcceptedRoster,
  newest: LinkedRoster,
  signer: KeyChain,
): Promise<RosterAcceptance> {
  const linked = await linkBack(newest, request.answer.rosters);
  const base = linked.find(({ hash }) => hash === accepted.hash);
  if (base === undefined) return { state: 'refused', fault: 'forked', newest };
  const after = linked.slice(linked.indexOf(base));
  const fault = keyFaultOf(after);
  if (fault !== null) return { state: 'refused', fault, newest };
  const between = request.answer.rosters.slice(-after.length).slice(1, -1);
  return acceptStepwise(request, { base: base.content, between, newest }, signer);
}

/** The signer was admin in the one last accepted, or in one in between that is accepted by the same rule. */
async function acceptStepwise(
  request: AcceptanceRequest,
  { base, between, newest }: { base: RosterContent; between: readonly SignedRoster[]; newest: LinkedRoster },
  signer: KeyChain,
): Promise<RosterAcceptance> {
  let last = base;
  let isOneGone = false;
  if (wasAdmin(request, last, signer)) return { state: 'accepted', newest };
  for (const wire of between) {
    isOneGone ||= wire.signer_certificate === null;
    const signed = await verifySigned(wire, request).catch(() => null);
    if (signed !== null && wasAdmin(request, last, signed.signer)) last = signed.content;
    if (wasAdmin(request, last, signer)) return { state: 'accepted', newest };
  }
  if (!isOneGone) return { state: 'refused', fault: 'signer', newest };
  return askAbout(signer, newest, { because: 'gap', key: await judgeSigner(request, signer) });
}

/** Under the same fingerprint, under one that leads to his present one, or with the present one compared meanwhile. */
function wasAdmin(
  { pins, self }: AcceptanceRequest,
  roster: RosterContent,
  { identity, fingerprints }: KeyChain,
): boolean {
  const { userId, fingerprint } = identity;
  const member = roster.members.find((one) => one.userId === userId);
  if (member?.role !== 'admin') return false;
  const isCertain = fingerprint === self.fingerprint || isConfirmed(pins, userId, fingerprint);
  return fingerprints.includes(member.fingerprint) || isCertain;
}
