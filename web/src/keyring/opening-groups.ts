/** Opening a group: is its newest signed list accepted on this device, and does the own grant fit it (crypto.md §8, §9)? */
import { decodeBase64 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { AcceptedRoster } from '@passwordbroker/core/domain/accepted-rosters';
import type { Follow } from '@passwordbroker/core/domain/certificate-chain';
import type { CertificateWire } from '@passwordbroker/core/domain/certificate';
import { openGroupUnder, type ShownRoster } from '@passwordbroker/core/domain/group-keys';
import type { Keyring } from '@passwordbroker/core/domain/keyring';
import type { Pins } from '@passwordbroker/core/domain/pins';
import { acceptRoster, type RosterAcceptance } from '@passwordbroker/core/domain/roster-acceptance';
import type { LinkedRoster } from '@passwordbroker/core/domain/roster-succession';
import { hashRoster, readRoster } from '@passwordbroker/core/domain/roster';
import type { GroupTrust, InputOf, Signer } from './calls.ts';
import type { HeldGroup } from './held-group.ts';
import { originFrom } from './older-versions.ts';

export interface Opening {
  readonly keyring: Keyring;
  readonly accepted: AcceptedRoster | null;
  readonly pins: Pins;
  /** Whether a key that is met for the first time can be pinned at all. */
  readonly canPin: boolean;
  readonly request: InputOf<'openGroup'>;
  /** Remembers what it has verified. */
  readonly follow: Follow;
}

/** @throws CryptoError `roster`, `grant`: the group is locked in this client */
export async function openHeldGroup(opening: Opening): Promise<HeldGroup> {
  const { keyring, accepted, pins, request, follow } = opening;
  const { groupId, roster: answer, certificates } = request;
  const acceptance = await acceptRoster({ groupId, answer, accepted, pins, certificates, self: keyring, follow });
  const trust = trustOf(acceptance, opening.canPin);
  const place = { groupId, gkVersion: answer.gk_version, grants: answer.grants };
  const certificate = answer.rosters.at(-1)?.signer_certificate ?? null;
  const newest = await newestOf(acceptance, certificate, certificates, follow);
  const { origin, gk_version: gkVersion, grants } = answer;
  const unknown = { firstSigner: null, learntOrigin: undefined };
  const common = { groupId, trust, origin, newest, ...unknown, hasOlder: false, gkVersion, grants };
  if (trust !== 'unsigned' && trust !== 'accepted') {
    const readable = await openForReading(opening, acceptance, newest);
    return { ...common, ...readable };
  }
  const base = trust === 'accepted' ? (newest?.roster ?? null) : null;
  const { groupKey } = await openGroupUnder(keyring, shownRoster(base, answer.rosters.at(-1)), place);
  const { version } = groupKey;
  const firstSigner = firstSignerOf(opening, acceptance, newest);
  const learntOrigin = base === null ? undefined : await originFrom(base, answer.rosters);
  return { ...common, firstSigner, learntOrigin, base, version, keys: new Map([[version, groupKey]]) };
}

/** Whose key is met for the first time; also when he was met before and the list of pins could not be written then. */
function firstSignerOf(
  { keyring, accepted, pins }: Opening,
  acceptance: RosterAcceptance,
  newest: HeldGroup['newest'],
): Signer | null {
  if (acceptance.state === 'first-use') return acceptance.key === 'trusted' ? null : acceptance.signer;
  if (newest === null || accepted?.unpinned !== true) return null;
  const { userId } = newest.signer;
  return userId === keyring.userId || pins.has(userId) ? null : newest.signer;
}

function trustOf(acceptance: RosterAcceptance, canPin: boolean): GroupTrust {
  switch (acceptance.state) {
    case 'unsigned':
    case 'accepted':
      return acceptance.state;
    case 'refused':
      return { readOnly: acceptance.fault };
    case 'first-use':
      // On a gap a person decides; without a list of pins nobody can be met.
      return acceptance.because === 'gap' || !canPin ? { readOnly: 'signer' } : 'accepted';
  }
}

async function newestOf(
  acceptance: RosterAcceptance,
  certificate: CertificateWire | null,
  former: readonly CertificateWire[],
  follow: Follow,
): Promise<HeldGroup['newest']> {
  if (acceptance.state === 'unsigned' || acceptance.newest === null || certificate === null) return null;
  const { identity } = await follow(certificate, former);
  const { userId, fingerprint } = identity;
  return { roster: acceptance.newest, signer: { userId, fingerprint } };
}

type Readable = Pick<HeldGroup, 'base' | 'version' | 'keys'>;

/**
 * What may still be read where the newest list is refused: by the one last accepted, if the server shows it; else by the newest, unless its signer's
 * key contradicts the pins. Where nothing vouches for a key, nothing opens.
 */
async function openForReading(
  { keyring, accepted, pins, request, follow }: Opening,
  acceptance: RosterAcceptance,
  newest: HeldGroup['newest'],
): Promise<Readable> {
  const { groupId, roster: answer, certificates } = request;
  const nothing: Readable = { base: null, version: answer.gk_version, keys: new Map() };
  // Only a group that the server made can honestly be without a list: a restored backup may be older than its first one. Its lists have to have
  // shown that here: the server's word alone would open what it has made up itself.
  const isOfServer = answer.origin === 'server' && accepted?.origin === 'server';
  const isVanished = acceptance.state === 'refused' && acceptance.fault === 'vanished' && isOfServer;
  const last = await lastAccepted(answer.rosters, accepted);
  const signer = answer.rosters.at(-1)?.signer_certificate ?? null;
  const isKnown = signer !== null && (await isKnownSigner(signer, { keyring, pins, certificates, follow }));
  const [base, wire] = last ?? [isKnown ? (newest?.roster ?? null) : null, answer.rosters.at(-1)];
  if (base === null && !isVanished) return nothing;
  try {
    const place = { groupId, gkVersion: answer.gk_version, grants: answer.grants };
    const { groupKey } = await openGroupUnder(keyring, shownRoster(base, wire), place);
    return { base, version: groupKey.version, keys: new Map([[groupKey.version, groupKey]]) };
  } catch (failure) {
    if (failure instanceof CryptoError && failure.code !== 'locked') return nothing;
    throw failure;
  }
}

const shownRoster = (roster: LinkedRoster | null, wire: ShownRoster['wire'] | undefined): ShownRoster | null =>
  roster === null || wire === undefined ? null : { content: roster.content, wire };

/** Known by its hash, so that nothing else about it needs to hold. */
async function lastAccepted(
  wires: readonly ShownRoster['wire'][],
  accepted: AcceptedRoster | null,
): Promise<[LinkedRoster, ShownRoster['wire']] | null> {
  for (const wire of accepted === null ? [] : wires) {
    const bytes = decodeBase64(wire.roster_base64);
    const hash = await hashRoster(bytes);
    if (hash === accepted?.hash) return [{ content: readRoster(bytes), hash }, wire];
  }
  return null;
}

async function isKnownSigner(
  certificate: CertificateWire,
  {
    keyring,
    pins,
    certificates,
    follow,
  }: { keyring: Keyring; pins: Pins; certificates: readonly CertificateWire[]; follow: Follow },
): Promise<boolean> {
  const { identity, fingerprints } = await follow(certificate, certificates);
  if (identity.userId === keyring.userId) return fingerprints.includes(keyring.fingerprint);
  // Whether a person was asked about the key is of no account here: reading shares nothing.
  const pin = pins.get(identity.userId);
  return pin !== undefined && fingerprints.includes(pin.fingerprint);
}
