/** Pins: which key of which person was accepted by oneself, and how (`crypto.md` §13). The document `pins` as a value. */
import { CryptoError } from '../crypto/errors.ts';
import type { KeyChain } from './certificate-chain.ts';
import type { Keyring } from './keyring.ts';

/** `first-use`: trusted for now, not compared. */
export const PIN_WAYS = ['first-use', 'words', 'qr', 'invite'] as const;
export type PinWay = (typeof PIN_WAYS)[number];

export interface Pin {
  readonly fingerprint: string;
  /** As it was shown when the key was pinned. */
  readonly name: string;
  readonly verified: boolean;
  readonly how: PinWay;
  /** Unix seconds. */
  readonly firstSeen: number;
  /** Pinned because he had signed a group that this client met for the first time: no person was asked about the key yet. */
  readonly met?: true;
}

/** By user id. */
export type Pins = ReadonlyMap<string, Pin>;

export const NO_PINS: Pins = new Map();

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

/** Reads the document strictly; unknown members are ignored. @throws CryptoError `payload` */
export function readPins(raw: unknown): Pins {
  if (!isObject(raw) || raw['v'] !== 1 || !isObject(raw['users'])) throw new CryptoError('payload');
  return new Map(Object.entries(raw['users']).map(([userId, pin]) => [readId(userId), readPin(pin)]));
}

function readId(userId: string): string {
  if (!ID.test(userId)) throw new CryptoError('payload');
  return userId;
}

function readPin(raw: unknown): Pin {
  if (!isObject(raw)) throw new CryptoError('payload');
  const { fpr, name, verified, how, first_seen, met } = raw;
  const way = PIN_WAYS.find((known) => known === how);
  const isShaped =
    typeof fpr === 'string' &&
    FINGERPRINT.test(fpr) &&
    typeof name === 'string' &&
    typeof verified === 'boolean' &&
    way !== undefined &&
    Number.isSafeInteger(first_seen) &&
    Number(first_seen) >= 0 &&
    (met === undefined || met === true);
  if (!isShaped) throw new CryptoError('payload');
  const pin = { fingerprint: fpr, name, verified, how: way, firstSeen: Number(first_seen) };
  return met === true ? { ...pin, met } : pin;
}

/** The document's content, to be sealed with `sealDocument`. */
export function writePins(pins: Pins): object {
  const users = [...pins].map(([userId, { fingerprint, name, verified, how, firstSeen, met }]) => {
    const row = { fpr: fingerprint, name, verified, how, first_seen: firstSeen };
    return [userId, met === true ? { ...row, met } : row];
  });
  return { v: 1, users: Object.fromEntries(users) };
}

/** What a key that the server shows is, seen from the pin. */
export type KeyJudgement =
  /** Nobody was asked about this person's key yet. */
  | { readonly state: 'unknown' }
  /** `formerName`: he was pinned under that name; null when it is the same. `renewed`: the pinned key vouches for this newer one. */
  | { readonly state: 'trusted'; readonly pin: Pin; readonly formerName: string | null; readonly renewed: boolean }
  /** Another key, for which the pinned one does not vouch: nothing is wrapped for it before it has been compared. */
  | { readonly state: 'changed'; readonly pin: Pin };

/**
 * Judges a verified key against the pin of that person.
 * @param fingerprints of `followCertificates`: the present key's first, then those that lead to it
 */
export function judgeKey(
  pin: Pin | undefined,
  { name, fingerprints }: { readonly name: string; readonly fingerprints: readonly string[] },
): KeyJudgement {
  if (pin === undefined) return { state: 'unknown' };
  const at = fingerprints.indexOf(pin.fingerprint);
  if (at < 0) return { state: 'changed', pin };
  if (pin.met === true) return { state: 'unknown' };
  return { state: 'trusted', pin, formerName: pin.name === name ? null : pin.name, renewed: at > 0 };
}

/** Whom a pin is about. */
export interface PinnedPerson {
  readonly userId: string;
  readonly name: string;
  readonly fingerprint: string;
}

/**
 * The pins after a person has accepted this key. A key that was compared once stays compared when it is merely met again.
 * @param now milliseconds
 */
export function withPin(pins: Pins, person: PinnedPerson, how: PinWay, now: number): Pins {
  const { userId, name, fingerprint } = person;
  const former = pins.get(userId);
  const isSame = former?.fingerprint === fingerprint;
  const firstSeen = isSame ? former.firstSeen : Math.floor(now / 1000);
  const keeps = isSame && former.verified && how === 'first-use';
  const way = keeps ? former.how : how;
  return new Map(pins).set(userId, { fingerprint, name, verified: way !== 'first-use', how: way, firstSeen });
}

/**
 * The pins after a group was met for the first time, with the key that signed it: another key of this person will be noticed, but sharing with him
 * asks as if there were no pin (a server could bring such a meeting about). A pin that is there already stays.
 * @param now milliseconds
 */
export function withMetSigner(pins: Pins, { userId, name, fingerprint }: PinnedPerson, now: number): Pins {
  if (pins.has(userId)) return pins;
  const firstSeen = Math.floor(now / 1000);
  return new Map(pins).set(userId, { fingerprint, name, verified: false, how: 'first-use', firstSeen, met: true });
}

/** The pins after a key that the pinned one vouches for: what was compared counts as compared. @param now milliseconds */
export function withRenewedPin(pins: Pins, person: PinnedPerson, now: number): Pins {
  const { userId, name, fingerprint } = person;
  const former = pins.get(userId);
  if (former === undefined) throw new CryptoError('certificate');
  return new Map(pins).set(userId, { ...former, name, fingerprint, firstSeen: Math.floor(now / 1000) });
}

/** Whether the person at this client has compared exactly this key with its owner. A key "trusted for now" is not confirmed. */
export function isConfirmed(pins: Pins, userId: string, fingerprint: string): boolean {
  const pin = pins.get(userId);
  return pin !== undefined && pin.verified && pin.fingerprint === fingerprint;
}

/**
 * What is known of a key beside the signed list: `compared`, by the person at this client; `refuted`, because another key of this person is pinned that
 * does not vouch for it, be it a former one that the server shows again; else `unknown`.
 */
export type KeyVerdict = 'compared' | 'refuted' | 'unknown';

/** @param self nothing but the present key is one's own */
export function verdictOn(
  { identity: { userId, fingerprint }, fingerprints }: KeyChain,
  pins: Pins,
  self: Pick<Keyring, 'userId' | 'fingerprint'>,
): KeyVerdict {
  if (userId === self.userId) return fingerprint === self.fingerprint ? 'compared' : 'refuted';
  const pin = pins.get(userId);
  if (pin === undefined) return 'unknown';
  if (!fingerprints.includes(pin.fingerprint)) return 'refuted';
  return isConfirmed(pins, userId, fingerprint) ? 'compared' : 'unknown';
}
