/** Step-up proof of an open keyring (docs/spec/crypto.md §15). */
import { sha256 } from '#primitives';
import { type Bytes, decodeBase64, encodeBase64, encodePieces, randomBytes, utf8 } from '../../crypto/bytes.ts';
import { sign, verify } from '../../crypto/ed25519.ts';
import { CryptoError } from '../../crypto/errors.ts';
import type { Keyring } from './keyring.ts';

export const PROOF_HEADER = 'x-pb-proof';
/** Clock difference in seconds. */
export const PROOF_TOLERANCE = 90;

export interface ProvenRequest {
  /** Public id of session or token. */
  readonly sessionId: string;
  readonly method: string;
  /** Request target with query, as sent. */
  readonly path: string;
  /** SHA-256 of the body as sent, also if it is empty. */
  readonly bodyDigest: Bytes;
}

export async function digestOf(body: string): Promise<Bytes> {
  return sha256(utf8(body));
}

function proofMessage(request: ProvenRequest, ts: string, nonce: string): Bytes {
  const { sessionId, method, path, bodyDigest } = request;
  return encodePieces(['pb1:proof', sessionId, method, path, bodyDigest, ts, nonce]);
}

/** @param now milliseconds, by the server's clock if known */
export async function prove(keyring: Keyring, request: ProvenRequest, now: number): Promise<string> {
  const ts = String(Math.floor(now / 1000));
  const nonce = encodeBase64(randomBytes(16));
  const signature = await sign(keyring.keys().signingKey, proofMessage(request, ts, nonce));
  return `v1;ts=${ts};nonce=${nonce};sig=${encodeBase64(signature)}`;
}

export interface ReadProof {
  readonly ts: number;
  readonly nonce: string;
}

/** The caller checks time and nonce. @throws CryptoError `signature` */
export async function verifyProof(header: string, request: ProvenRequest, ed25519: Bytes): Promise<ReadProof> {
  const [version, ...pairs] = header.split(';');
  const parts = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  const ts = parts.get('ts') ?? '';
  const nonce = parts.get('nonce') ?? '';
  const isShaped = version === 'v1' && pairs.length === 3 && /^(0|[1-9]\d{0,11})$/.test(ts);
  if (!isShaped) throw new CryptoError('signature');
  const signature = decodeSignature(parts.get('sig'), nonce);
  if (!(await verify(ed25519, proofMessage(request, ts, nonce), signature))) throw new CryptoError('signature');
  return { ts: Number(ts), nonce };
}

function decodeSignature(signature: string | undefined, nonce: string): Bytes {
  try {
    if (decodeBase64(nonce).length === 16) return decodeBase64(signature);
  } catch {
    // Any malformed proof has the error below.
  }
  throw new CryptoError('signature');
}
