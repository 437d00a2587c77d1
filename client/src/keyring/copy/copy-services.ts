/** Makes, checks and opens local copies in the worker. */
import * as z from 'zod/mini';
import { OfflineAnswer, type OfflineDelta } from '@passwordbroker/core/contract/account/offline';
import { type Bytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { isConsistentCopy, isConsistentDelta } from '@passwordbroker/core/domain/offline/offline-consistency';
import { KeyringError } from '../keyring-error.ts';
import type { OfflineCallName } from '../offline-calls.ts';
import type { OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import { CopyFaultError, jsonIn, openChain, sealPiece, type OpenedChain, type PieceHeader } from './copy-pieces.ts';
import { type CopyIndex, filesOfChange, indexCopy } from './copy-index.ts';
import { copyReads } from './copy-reads.ts';
import { nameOfCopy, type CopyStore, type StoredPiece, readSeen } from './copy-store.ts';
import { openedCopy, type OpenedCopy } from './snapshot.ts';
import { packCopy, type PackedCopy } from './packed-copy.ts';

/** Longest chain before it becomes one piece. */
const MOST_PIECES = 40;

/** Time in which the page draws the trees. */
const DRAWN_MS = 300;

export type CopyServices = Pick<Services, OfflineCallName>;

export function copyServices(session: () => OpenSession, store: CopyStore): CopyServices {
  /** Newest pieces of checked or written copies. */
  const heads = new Map<string, PieceHeader>();
  /** By copy, with the id of the piece it describes. */
  const indices = new Map<string, { readonly of: string; readonly index: CopyIndex }>();
  let opened: OpenedCopy | null = null;
  /** Read before unlock, for the next opening. */
  let early: { readonly of: string; readonly pieces: Promise<readonly StoredPiece[]> } | null = null;

  const nameOf = (origin: string) => nameOfCopy(origin, session().keyring.userId);
  const seenOf = async (name: string) => readSeen(await store.seen(name));

  /** The early pieces, unless another tab has written since. */
  async function piecesOf(name: string): Promise<readonly StoredPiece[]> {
    const read = early?.of === name ? early.pieces : null;
    early = null;
    const pieces = await read?.catch(() => null);
    if (pieces === null || pieces === undefined) return store.pieces(name);
    return (await store.lastStep(name)) === (pieces.at(-1)?.step ?? 0) ? pieces : store.pieces(name);
  }

  /** @throws CopyFaultError; CryptoError `locked` */
  async function chainOf(origin: string): Promise<OpenedChain | null> {
    const { keyring } = session();
    const name = nameOf(origin);
    heads.delete(name);
    const [pieces, seen] = await Promise.all([piecesOf(name), seenOf(name)]);
    // A deleted copy counts as missing, not as rolled back.
    if (pieces.length === 0) {
      indices.delete(name);
      return null;
    }
    const chain = await openChain(keyring, origin, pieces, seen);
    heads.set(name, headOf(chain));
    return chain;
  }

  /** @throws KeyringError 'offline_copy' */
  async function copyOf(origin: string): Promise<OpenedCopy> {
    try {
      const chain = await chainOf(origin);
      if (chain === null) throw faulty('missing');
      const copy = openedCopy(chain);
      await becomeOneInTime(origin, chain, copy);
      return copy;
    } catch (failure) {
      throw asFaulty(failure);
    }
  }

  async function becomeOneInTime(origin: string, chain: OpenedChain, copy: OpenedCopy): Promise<void> {
    if (chain.length <= MOST_PIECES) return;
    const data = copy.data();
    await becomeOne(origin, headOf(chain), data).catch(ignoreUnlessLocked);
  }

  async function becomeOne(origin: string, head: PieceHeader, data: PackedCopy): Promise<void> {
    const name = nameOf(origin);
    const header: PieceHeader = { ...head, kind: 'whole', id: crypto.randomUUID(), after: null, step: head.step + 1 };
    await write(origin, header, data, head.step);
    const known = indices.get(name);
    if (known?.of === head.id) indices.set(name, { ...known, of: header.id });
  }

  function indexOf(name: string, head: PieceHeader | undefined): CopyIndex | null {
    const known = indices.get(name);
    return known === undefined || known.of !== head?.id ? null : known.index;
  }

  /** @throws CopyFaultError for pieces that do not fit together */
  function index(name: string, head: PieceHeader, data: PackedCopy): void {
    const made = indexCopy(data);
    if (made === null) throw new CopyFaultError('damaged');
    indices.set(name, { of: head.id, index: made });
  }

  /** @throws KeyringError 'offline_copy' if another tab wrote, or storage is full */
  async function write(
    origin: string,
    header: PieceHeader,
    data: PackedCopy | OfflineDelta,
    after: number,
  ): Promise<void> {
    const name = nameOf(origin);
    const line = 'users' in data ? { ...header, trees: data.trees } : header;
    const piece = await sealPiece(session().keyring, origin, line, utf8(JSON.stringify(data)));
    const added = store.add(name, piece, { after, isWhole: header.kind === 'whole' }).catch((failure: unknown) => {
      throw isFull(failure) ? faulty('full') : failure;
    });
    if (!(await added)) throw faulty('moved on');
    heads.set(name, header);
  }

  const { begin, ...reads } = copyReads(session, store, () => {
    if (opened === null) throw faulty('missing');
    return inTerms(opened.snapshot);
  });

  /** Delayed, because it would slow the drawing of the trees. */
  async function readAhead(copy: OpenedCopy): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, DRAWN_MS));
    try {
      if (opened === copy) begin();
    } catch {
      // The next read reports the error.
    }
  }

  return {
    async prepareCopy(copy) {
      if (copy === null) {
        early = null;
        return null;
      }
      const name = nameOfCopy(copy.origin, copy.userId);
      if (early?.of === name) return null;
      const pieces = store.pieces(name);
      pieces.catch(() => undefined);
      early = { of: name, pieces };
      return null;
    },

    async checkCopy({ origin }) {
      try {
        const chain = await chainOf(origin);
        if (chain === null) return { state: 'missing' };
        const [name, head] = [nameOf(origin), headOf(chain)];
        const isKnown = indexOf(name, head) !== null;
        if (!isKnown || chain.length > MOST_PIECES) {
          const copy = openedCopy(chain);
          if (!isKnown) index(name, head, copy.data());
          await becomeOneInTime(origin, chain, copy);
        }
        return { state: 'found', ...stateOf(heads.get(name) ?? head) };
      } catch (failure) {
        if (failure instanceof CopyFaultError) return { state: 'corrupted', reason: failure.fault };
        throw failure;
      }
    },

    async takeCopy({ origin, answer, since }) {
      const name = nameOf(origin);
      const { timestamp, cursor, data, delta } = readAnswer(new Uint8Array(answer));
      const seen = await seenOf(name);
      if (seen !== null && timestamp < seen.timestamp) throw faulty('older');
      const common = { format: 1, id: crypto.randomUUID(), timestamp, cursor } as const;
      const { userId } = session().keyring;
      if (data !== undefined) {
        if (!isConsistentCopy(data, userId)) throw faulty('answer');
        const after = await store.lastStep(name);
        const step = Math.max(after, seen?.step ?? 0) + 1;
        const copy = packCopy(data);
        const header = { ...common, kind: 'whole', after: null, step } as const;
        await write(origin, header, copy, after);
        index(name, header, copy);
        return { timestamp, cursor, step, isWhole: true, files: [], goneFiles: [] };
      }
      const head = heads.get(name);
      const known = indexOf(name, head);
      // The change must start at exactly the stored copy.
      const isAskedFor = delta !== undefined && head !== undefined && since === head.cursor;
      if (!isAskedFor || known === null || !isConsistentDelta(delta, userId) || !known.fits(delta))
        throw faulty('answer');
      // Nothing to store.
      if (cursor === since && isNothing(delta)) return { ...stateOf(head), isWhole: false, files: [], goneFiles: [] };
      const header = { ...common, kind: 'delta', after: head.id, step: head.step + 1 } as const;
      await write(origin, header, delta, head.step);
      const goneFiles = known.take(delta);
      indices.set(name, { of: header.id, index: known });
      return { ...stateOf(header), isWhole: false, files: filesOfChange(delta), goneFiles };
    },

    async openCopy({ origin }) {
      const copy = await copyOf(origin);
      opened = copy;
      void readAhead(copy);
      return { timestamp: copy.timestamp, trees: inTerms(copy.trees) };
    },

    async closeCopy() {
      opened = null;
      return null;
    },

    async copiedFiles({ origin }) {
      const name = nameOf(origin);
      const known = indexOf(name, heads.get(name)) ?? indexCopy(inTerms((await copyOf(origin)).data));
      if (known === null) throw faulty('damaged');
      return known.files();
    },

    ...reads,
  };
}

const headOf = ([whole, ...changes]: OpenedChain): PieceHeader => (changes.at(-1) ?? whole).header;

const stateOf = ({ timestamp, cursor, step }: PieceHeader) => ({ timestamp, cursor, step });

const isNothing = ({ trees, groups, gone_groups, gone_entries }: OfflineDelta) =>
  trees === null && groups.length + gone_groups.length + gone_entries.length === 0;

const faulty = (detail: string) => new KeyringError({ code: 'offline_copy', detail });

const asFaulty = (failure: unknown): unknown => (failure instanceof CopyFaultError ? faulty(failure.fault) : failure);

/** @throws KeyringError 'offline_copy' where `read` throws CopyFaultError */
function inTerms<T>(read: () => T): T {
  try {
    return read();
  } catch (failure) {
    throw asFaulty(failure);
  }
}

const isFull = (failure: unknown) => failure instanceof DOMException && failure.name === 'QuotaExceededError';

function ignoreUnlessLocked(failure: unknown): void {
  if (failure instanceof CryptoError && failure.code === 'locked') throw failure;
}

/** @throws KeyringError 'offline_copy' */
function readAnswer(bytes: Bytes): z.output<typeof OfflineAnswer> {
  try {
    const read = z.safeParse(OfflineAnswer, jsonIn(bytes));
    if (read.success && (read.data.data === undefined) !== (read.data.delta === undefined)) return read.data;
  } catch {
    // Not JSON, or nested too deeply.
  }
  throw faulty('answer');
}
