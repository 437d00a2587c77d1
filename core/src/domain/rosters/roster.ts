/**
 * A signed list of a group's members with the commitment of its key (docs/spec/crypto.md §9), stored as sent,
 * and the proofs of that key.
 */
import { sha256 } from '#primitives';
import {
  type Bytes,
  decodeBase64,
  encodeBase64,
  encodeHex,
  encodePieces,
  utf8,
  sameBytes,
} from '../../crypto/bytes.ts';
import { sign, verify } from '../../crypto/ed25519.ts';
import { CryptoError } from '../../crypto/errors.ts';
import { type CertificateWire, type PublicIdentity, verifyCertificate } from '../keyring/certificate.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { ROLES, type Role } from '../policy.ts';
import { deriveBytes } from '../../crypto/kdf.ts';
import type { GroupSecret } from '../groups/grants.ts';

export interface RosterMember {
  readonly userId: string;
  readonly role: Role;
  readonly fingerprint: string;
}

export interface RosterContent {
  readonly groupId: string;
  readonly seq: number;
  /** Hex SHA-256 of the previous roster; '' at seq 0. */
  readonly prev: string;
  readonly gkVersion: number;
  readonly gkCommit: string;
  readonly members: readonly RosterMember[];
  readonly signer: string;
  /** Unix seconds. */
  readonly ts: number;
  /** A key proof accompanies the signature. Absent in release 1.0. */
  readonly hasProof?: true;
  /** Hashes of 1 to 8 accepted rosters that this one replaces without following them. */
  readonly supersedes?: readonly string[];
  /** Commitments of key versions before the first roster; only at seq 0. */
  readonly older?: ReadonlyMap<number, string>;
}

export interface RosterWire {
  readonly roster_base64: string;
  readonly roster_sig_base64: string;
}

export const MAX_ROSTER_BYTES = 256 * 1024;
const MAX_SUPERSEDED = 8;

const rosterMessage = (bytes: Bytes) => encodePieces(['pb1:roster', bytes]);

/** Sorts the members by id. @throws CryptoError `roster` if it is too long, `locked` */
export async function signRoster(keyring: Keyring, content: Omit<RosterContent, 'signer'>): Promise<RosterWire> {
  const members = [...content.members].sort((a, b) => (a.userId < b.userId ? -1 : 1));
  const bytes = utf8(
    JSON.stringify({
      v: 1,
      group_id: content.groupId,
      seq: content.seq,
      prev: content.prev,
      gk_version: content.gkVersion,
      gk_commit: content.gkCommit,
      members: members.map((member) => [member.userId, member.role, member.fingerprint]),
      signer: keyring.userId,
      ts: content.ts,
      ...(content.hasProof === true ? { proof: 1 } : {}),
      ...(content.supersedes === undefined ? {} : { supersedes: content.supersedes }),
      ...(content.older === undefined ? {} : { older: [...content.older] }),
    }),
  );
  if (bytes.length > MAX_ROSTER_BYTES) throw new CryptoError('roster');
  const signature = await sign(keyring.keys().signingKey, rosterMessage(bytes));
  return { roster_base64: encodeBase64(bytes), roster_sig_base64: encodeBase64(signature) };
}

/** Hex SHA-256: the next roster's `prev`. */
export async function hashRoster(bytes: Bytes): Promise<string> {
  return encodeHex(await sha256(bytes));
}

/**
 * The certificate in `wire` must have signed it, and the signer be an admin in it. The trust record decides
 * whether to trust that key.
 * @throws CryptoError `roster` for any fault, also of the certificate
 */
export async function verifyRoster(
  wire: RosterWire & { readonly signer_certificate: CertificateWire | null },
  groupId: string,
): Promise<RosterContent> {
  const signer = await verifyCertificate(wire.signer_certificate).catch(() => {
    throw new CryptoError('roster');
  });
  return verifyRosterOf(signer, wire, groupId);
}

export async function verifyRosterOf(
  signer: Pick<PublicIdentity, 'userId' | 'fingerprint' | 'ed25519'>,
  wire: RosterWire,
  groupId: string,
): Promise<RosterContent> {
  const [bytes, signature] = [decoded(wire.roster_base64), decoded(wire.roster_sig_base64)];
  if (!(await verify(signer.ed25519, rosterMessage(bytes), signature))) throw new CryptoError('roster');
  const content = readRoster(bytes);
  const self = content.members.find((member) => member.userId === signer.userId);
  const isSigned =
    content.groupId === groupId &&
    content.signer === signer.userId &&
    self?.role === 'admin' &&
    self.fingerprint === signer.fingerprint;
  if (!isSigned) throw new CryptoError('roster');
  return content;
}

function decoded(base64: string): Bytes {
  try {
    return decodeBase64(base64);
  } catch {
    throw new CryptoError('roster');
  }
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isId = (text: unknown): text is string => typeof text === 'string' && ID.test(text);
const isHex = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
const isCount = (number: unknown): number is number => Number.isSafeInteger(number) && (number as number) >= 0;

/** Requires sorted, unique members and an admin. Checks no signature. @throws CryptoError `roster` */
export function readRoster(bytes: Bytes): RosterContent {
  if (bytes.length > MAX_ROSTER_BYTES) throw new CryptoError('roster');
  let raw: Record<string, unknown> | null | undefined;
  try {
    raw = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as typeof raw;
  } catch {
    // Fails the check below.
  }
  const { v, group_id, seq, prev, gk_version, gk_commit, members, signer, ts, proof, supersedes, older } = raw ?? {};
  const isShaped =
    v === 1 &&
    isId(group_id) &&
    isCount(seq) &&
    (seq === 0 ? prev === '' : isHex(prev)) &&
    isCount(gk_version) &&
    gk_version >= 1 &&
    isHex(gk_commit) &&
    isId(signer) &&
    isCount(ts) &&
    (proof === undefined || proof === 1) &&
    (supersedes === undefined || isSuperseded(supersedes)) &&
    (older === undefined || (seq === 0 && isOlder(older, gk_version))) &&
    Array.isArray(members);
  if (!isShaped) throw new CryptoError('roster');
  const read = (members as unknown[]).map(readMember);
  let before = '';
  const isOrdered = read.every(({ userId }) => {
    const isNext = before < userId;
    before = userId;
    return isNext;
  });
  if (!isOrdered || !read.some((member) => member.role === 'admin')) throw new CryptoError('roster');
  return {
    groupId: group_id,
    seq,
    prev: prev as string,
    gkVersion: gk_version,
    gkCommit: gk_commit,
    members: read,
    signer,
    ts,
    ...(proof === 1 ? { hasProof: true } : {}),
    ...(supersedes === undefined ? {} : { supersedes: supersedes as string[] }),
    ...(older === undefined ? {} : { older: new Map(older as [number, string][]) }),
  };
}

const isSuperseded = (hashes: unknown) =>
  Array.isArray(hashes) && hashes.length > 0 && hashes.length <= MAX_SUPERSEDED && hashes.every(isHex);

/** Versions below the roster's own, ascending. */
function isOlder(older: unknown, gkVersion: number): boolean {
  if (!Array.isArray(older) || older.length === 0) return false;
  let before = 0;
  return older.every((row: unknown) => {
    if (!Array.isArray(row) || row.length !== 2) return false;
    const [version, commit] = row as unknown[];
    const isNext = isCount(version) && version > before && version < gkVersion && isHex(commit);
    before = Number(version);
    return isNext;
  });
}

function readMember(raw: unknown): RosterMember {
  if (!Array.isArray(raw) || raw.length !== 3) throw new CryptoError('roster');
  const [userId, role, fingerprint] = raw as unknown[];
  const known = ROLES.find((name) => name === role);
  if (!isId(userId) || known === undefined || !isHex(fingerprint)) throw new CryptoError('roster');
  return { userId, role: known, fingerprint };
}

export const PROOF_BYTES = 32;

export interface RosterProofWire {
  /** Null before release 1.1. */
  readonly roster_proof_base64: string | null;
  /** Under the previous secret, if the roster raises the version (except seq 0). */
  readonly roster_proof_prev_base64: string | null;
}

export interface SentProofs {
  readonly roster_proof_base64?: string;
  readonly roster_proof_prev_base64?: string;
}

interface ProvedList {
  readonly groupId: string;
  readonly version: number;
  readonly rosterBase64: string;
}

/** Key proof (ADR 22): the signer of a roster knew the group's secret. */
export async function proveRoster(secret: GroupSecret, list: ProvedList): Promise<string> {
  return encodeBase64(await proofOf(secret, list));
}

/** False for a malformed proof; never throws. */
export async function isProofOf(
  proofBase64: string | null | undefined,
  secret: GroupSecret,
  list: ProvedList,
): Promise<boolean> {
  let proof: Bytes;
  try {
    proof = decodeBase64(proofBase64);
  } catch {
    return false;
  }
  return sameBytes(proof, await proofOf(secret, list));
}

async function proofOf(secret: GroupSecret, { groupId, version, rosterBase64 }: ProvedList): Promise<Bytes> {
  const digest = await sha256(decodeBase64(rosterBase64));
  return deriveBytes(secret, new Uint8Array(0), ['pb1:roster-proof', groupId, String(version), digest], PROOF_BYTES);
}
