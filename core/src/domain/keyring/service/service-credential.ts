/** The credential of a service account: one secret that signs in and opens its keys (docs/spec/crypto.md §6). */
import {
  type Bytes,
  concat,
  decodeBase64,
  decodeBase64Url,
  decodeHex,
  encodeBase64,
  encodeHex,
  randomBytes,
  utf8,
} from '../../../crypto/bytes.ts';
import { CryptoError } from '../../../crypto/errors.ts';
import { deriveBytes, deriveSealingKey } from '../../../crypto/kdf.ts';
import { encodeBase64Url } from '../../../crypto/rsa.ts';
import { open, seal } from '../../../crypto/seal.ts';
import type { SlotWire } from '../keyring-slot.ts';

export const MACHINE_PROFILE = 'S1';
const SLOT_TYPE = 'machine';
const DESC = 'hkdf-s1';
const SECRET_BYTES = 32;

/** `secret` has 32 bytes. `origin` is the server's, e.g. `https://vault.example`. */
export interface ServiceCredential {
  readonly userId: string;
  readonly slotId: string;
  readonly secret: Bytes;
  readonly origin: string;
}

type Place = Pick<ServiceCredential, 'userId' | 'slotId'>;

/** A new slot id and secret. The caller wipes `secret`. */
export const newServiceCredential = (userId: string, origin: string): ServiceCredential => ({
  userId,
  slotId: crypto.randomUUID(),
  secret: randomBytes(SECRET_BYTES),
  origin,
});

/** Seals the user key for the secret of a credential. The caller wipes `secret` and `userKey`. */
export async function createMachineSlot(credential: ServiceCredential, userKey: Bytes): Promise<SlotWire> {
  const { userId, slotId } = credential;
  const key = await deriveSlotKey(credential, credential.secret);
  const blob = await seal('slot', key, { userId, slotId, slotType: SLOT_TYPE, desc: DESC }, userKey);
  return {
    slot_id: slotId,
    slot_type: SLOT_TYPE,
    kdf: MACHINE_PROFILE,
    salt_base64: '',
    blob_base64: encodeBase64(blob),
  };
}

/**
 * Returns the user key. The caller wipes it and the secret.
 * @throws CryptoError `kdf` without the slot of this credential in profile S1; `commit` for another secret; `base64`, …
 */
export async function openMachineSlot(slots: readonly SlotWire[], credential: ServiceCredential): Promise<Bytes> {
  const { userId, slotId, secret } = credential;
  const slot = slots.find(({ slot_id }) => slot_id === slotId);
  if (slot?.slot_type !== SLOT_TYPE || slot.kdf !== MACHINE_PROFILE || slot.salt_base64 !== '') {
    throw new CryptoError('kdf');
  }
  const key = await deriveSlotKey(credential, secret);
  return open('slot', key, { userId, slotId, slotType: SLOT_TYPE, desc: DESC }, decodeBase64(slot.blob_base64));
}

/** A secret has 256 random bits, so no slow derivation is needed. */
const deriveSlotKey = ({ userId, slotId }: Place, secret: Bytes) =>
  deriveSealingKey(checkedSecret(secret), ['pb1:kek', userId, slotId, DESC]);

/** 32 bytes that sign in. The server stores their SHA-256. */
export const deriveMachineToken = ({ userId, slotId, secret }: Omit<ServiceCredential, 'origin'>): Promise<Bytes> =>
  deriveBytes(checkedSecret(secret), new Uint8Array(0), ['pb1:machine-token', userId, slotId], 32);

function checkedSecret(secret: Bytes): Bytes {
  if (secret.length !== SECRET_BYTES) throw new CryptoError('key_length');
  return secret;
}

/** What follows `Bearer ` in the header `Authorization`. */
export const bearerOf = (slotId: string, token: Bytes): string =>
  `pbs_${slotId.replaceAll('-', '')}_${encodeBase64Url(token)}`;

const BEARER = /^pbs_([0-9a-f]{32})_([\w-]{43})$/;

/** Null for other texts. */
export function readBearer(text: string): { readonly slotId: string; readonly token: Bytes } | null {
  const [, slot = '', token = ''] = BEARER.exec(text) ?? [];
  if (slot === '') return null;
  try {
    return { slotId: uuidOf(decodeHex(slot)), token: decodeBase64Url(token) };
  } catch {
    return null;
  }
}

const PREFIX = 'pbsa1_';
const VERSION = 1;
const ID_BYTES = 16;
const HEAD_BYTES = 1 + 2 * ID_BYTES + SECRET_BYTES;
const CRC_BYTES = 4;
/** In characters. An origin has at most 255 characters of host, with scheme and port. */
const MAX_LENGTH = 600;

/** The text that is shown once: `pbsa1_…`. */
export function writeCredential({ userId, slotId, secret, origin }: ServiceCredential): string {
  const body = concat(Uint8Array.of(VERSION), idBytes(userId), idBytes(slotId), checkedSecret(secret), utf8(origin));
  try {
    return PREFIX + encodeBase64Url(concat(body, crc32(body)));
  } finally {
    body.fill(0);
  }
}

/** Null for a text that is cut or damaged. White space around it is ignored. The caller wipes `secret`. */
export function readCredential(text: string): ServiceCredential | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH || !trimmed.startsWith(PREFIX)) return null;
  let bytes: Bytes;
  try {
    bytes = decodeBase64Url(trimmed.slice(PREFIX.length));
  } catch {
    return null;
  }
  const end = bytes.length - CRC_BYTES;
  if (end <= HEAD_BYTES || bytes[0] !== VERSION) return null;
  const body = bytes.subarray(0, end);
  if (encodeHex(bytes.subarray(end)) !== encodeHex(crc32(body))) return null;
  const [slotAt, secretAt] = [1 + ID_BYTES, 1 + 2 * ID_BYTES];
  return {
    userId: uuidOf(body.subarray(1, slotAt)),
    slotId: uuidOf(body.subarray(slotAt, secretAt)),
    secret: body.slice(secretAt, HEAD_BYTES),
    origin: new TextDecoder().decode(body.subarray(HEAD_BYTES)),
  };
}

const idBytes = (id: string) => decodeHex(id.replaceAll('-', ''));

const uuidOf = (bytes: Bytes): string =>
  encodeHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** CRC-32 of ISO 3309 as in zip and PNG, big-endian: finds typing errors and protects nothing. */
function crc32(bytes: Bytes): Bytes {
  let sum = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xed_b8_83_20 : 0);
  }
  const view = new DataView(new ArrayBuffer(CRC_BYTES));
  view.setUint32(0, ~sum >>> 0);
  return new Uint8Array(view.buffer);
}
