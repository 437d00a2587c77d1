/**
 * A copy as a chain of sealed pieces: the whole copy, then changes (docs/spec/crypto.md §16). The chain
 * proves that no piece is missing, replaced or rolled back.
 */
import type { TreeNode } from '@passwordbroker/core/contract/entities';
import { type Bytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Keyring } from '@passwordbroker/core/domain/keyring/keyring';
import { openSnapshot, sealSnapshot } from '@passwordbroker/core/domain/keyring/documents';
import type { SeenPiece, StoredPiece } from './copy-store.ts';

/** Readable without parsing the data. */
export interface PieceHeader {
  readonly format: 1;
  readonly kind: 'whole' | 'delta';
  readonly id: string;
  /** Id of the piece before. */
  readonly after: string | null;
  readonly step: number;
  readonly timestamp: number;
  readonly cursor: string;
}

/** A whole copy repeats its trees here, to show them first. Older copies lack them. */
export type FirstLine = PieceHeader & { readonly trees?: readonly TreeNode[] };

export interface OpenedPiece {
  readonly header: PieceHeader;
  readonly trees: readonly TreeNode[] | null;
  /** UTF-8 JSON of a whole copy or a change. */
  readonly json: Bytes;
}

export type OpenedChain = readonly [whole: OpenedPiece, ...changes: OpenedPiece[]];

export type CopyFault = 'damaged' | 'rolled back';

export class CopyFaultError extends Error {
  override readonly name = 'CopyFaultError';
  readonly fault: CopyFault;
  /** No cause: it could quote opened bytes. */
  constructor(fault: CopyFault) {
    super(fault);
    this.fault = fault;
  }
}

const LINE_END = 0x0a;

export async function sealPiece(
  keyring: Keyring,
  serverOrigin: string,
  header: FirstLine,
  json: Bytes,
): Promise<StoredPiece> {
  const line = utf8(`${JSON.stringify(header)}\n`);
  const plain = new Uint8Array(line.length + json.length);
  plain.set(line);
  plain.set(json, line.length);
  const { step, timestamp } = header;
  return { step, timestamp, blob: await sealSnapshot(keyring, { serverOrigin, timestamp }, plain) };
}

/**
 * Pieces ascend by step.
 * @returns the first is a whole copy
 * @throws CopyFaultError; CryptoError `locked`
 */
export async function openChain(
  keyring: Keyring,
  serverOrigin: string,
  pieces: readonly StoredPiece[],
  seen: SeenPiece | null,
): Promise<OpenedChain> {
  const opened: OpenedPiece[] = [];
  for (const piece of pieces) opened.push(await openPiece(keyring, serverOrigin, piece));
  for (const [at, { header }] of opened.entries()) {
    const before = opened[at - 1]?.header;
    const follows =
      before === undefined
        ? header.kind === 'whole' && header.after === null
        : header.kind === 'delta' && header.after === before.id && header.step === before.step + 1;
    if (!follows) throw new CopyFaultError('damaged');
  }
  const [whole, ...changes] = opened;
  if (whole === undefined) throw new CopyFaultError('damaged');
  const { header: head } = changes.at(-1) ?? whole;
  if (seen !== null && (head.step < seen.step || head.timestamp < seen.timestamp))
    throw new CopyFaultError('rolled back');
  return [whole, ...changes];
}

async function openPiece(keyring: Keyring, serverOrigin: string, piece: StoredPiece): Promise<OpenedPiece> {
  try {
    const { timestamp } = piece;
    const plain = await openSnapshot(keyring, { serverOrigin, timestamp }, piece.blob);
    const end = plain.indexOf(LINE_END);
    const line = readFirstLine(plain.subarray(0, Math.max(0, end)));
    if (line === null || line.timestamp !== timestamp || line.step !== piece.step) throw new CopyFaultError('damaged');
    const { trees = null, ...header } = line;
    return { header, trees, json: plain.subarray(end + 1) };
  } catch (failure) {
    if (failure instanceof CopyFaultError || (failure instanceof CryptoError && failure.code === 'locked'))
      throw failure;
    // The store may hold anything in place of bytes.
    throw new CopyFaultError('damaged');
  }
}

/** @throws SyntaxError, TypeError for what is not UTF-8 JSON */
export const jsonIn = (bytes: Bytes): unknown => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));

/** Only this client seals it, so only the format is checked. */
function readFirstLine(line: Bytes): FirstLine | null {
  const read = jsonIn(line) as Partial<FirstLine> | null;
  return read?.format === 1 ? (read as FirstLine) : null;
}
