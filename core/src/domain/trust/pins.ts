/** The document `pins` of release 1.0. Imported into the trust record once. */
import { CryptoError } from '../../crypto/errors.ts';

/** `first-use`: not compared. */
export const PIN_WAYS = ['first-use', 'words', 'qr', 'invite'] as const;
export type PinWay = (typeof PIN_WAYS)[number];

export interface Pin {
  readonly fingerprint: string;
  readonly name: string;
  readonly verified: boolean;
  readonly how: PinWay;
  /** Unix seconds. */
  readonly firstSeen: number;
  /** Trusted on first use of a group that this person signed. */
  readonly met?: true;
}

export type Pins = ReadonlyMap<string, Pin>;

export const NO_PINS: Pins = new Map();

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

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

/** For `sealDocument`. */
export function writePins(pins: Pins): object {
  const users = [...pins].map(([userId, { fingerprint, name, verified, how, firstSeen, met }]) => {
    const row = { fpr: fingerprint, name, verified, how, first_seen: firstSeen };
    return [userId, met === true ? { ...row, met } : row];
  });
  return { v: 1, users: Object.fromEntries(users) };
}
