/** Local copies as the worker makes, checks and opens them; what is asked is said in `keyring/offline-calls.ts`. */
import * as z from 'zod/mini';
import { OfflineAnswer, type OfflineDelta } from '@passwordbroker/core/contract/offline';
import { type Bytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import { isSoundCopy, isSoundDelta } from '@passwordbroker/core/domain/offline-soundness';
import { KeyringError } from '../keyring-error.ts';
import type { OfflineCallName } from '../offline-calls.ts';
import type { OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import { CopyFaultError, jsonIn, openChain, sealPiece, type PieceHeader } from './copy-pieces.ts';
import { openedCopy, type OpenedCopy } from './opened-copy.ts';
import { type CopyIndex, filesOfChange, indexCopy } from './copy-index.ts';
import { copyReads } from './copy-reads.ts';
import { nameOfCopy, type CopyStore, type StoredPiece } from './copy-store.ts';
import { packCopy, type PackedCopy, type PackedGroups } from './packed-copy.ts';
import { readSeen } from './seen-piece.ts';

// Without this zod probes `new Function`, which a strict CSP reports.
z.config({ jitless: true });

/** Pieces behind the whole copy before they become one with it. */
const MOST_PIECES = 40;

export type CopyServices = Pick<Services, OfflineCallName>;

export function copyServices(session: () => OpenSession, store: CopyStore): CopyServices {
  /** The newest piece of each copy, once all were checked or written here. */
  const heads = new Map<string, PieceHeader>();
  /** What each copy has, as of a piece of it. */
  const indices = new Map<string, { readonly of: string; readonly index: CopyIndex }>();
  let opened: OpenedCopy | null = null;
  /** Read before the key was there; for the one opening that follows. */
  let early: { readonly of: string; readonly pieces: Promise<readonly StoredPiece[]> } | null = null;

  const nameOf = (origin: string) => nameOfCopy(origin, session().keyring.userId);
  const seenOf = async (name: string) => readSeen(await store.seen(name));

  /** Those that were read before, unless another tab has written since. */
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
    // Where a copy was seen and none is left, it was not this client that took it away.
    if (pieces.length === 0) {
      indices.delete(name);
      return null;
    }
    const chain = await openChain(keyring, origin, pieces, seen);
    const copy = openedCopy(chain);
    heads.set(name, copy.head);
    return { copy, length: chain.length };
  }

  /** @throws KeyringError 'offline_copy' */
  async function copyOf(origin: string): Promise<OpenedCopy> {
    const chain = await chainOf(origin).catch((failure: unknown) => {
      throw failure instanceof CopyFaultError ? faulty(failure.fault) : failure;
    });
    if (chain === null) throw faulty('missing');
    await becomeOneInTime(origin, chain);
    return chain.copy;
  }

  /** Before its changes are too many to be opened one by one. */
  async function becomeOneInTime(origin: string, { copy, length }: OpenedChain): Promise<void> {
    if (length > MOST_PIECES) await becomeOne(origin, copy).catch(ignoreUnlessLocked);
  }

  /** The whole copy and its changes as one whole copy of the same time. */
  async function becomeOne(origin: string, { head, trees, data }: OpenedCopy): Promise<void> {
    const name = nameOf(origin);
    const [id, step] = [crypto.randomUUID(), head.step + 1];
    const header: PieceHeader = { ...head, kind: 'whole', id, after: null, step, trees };
    await write(origin, header, storedGroups(data()), head.step);
    const known = indices.get(name);
    if (known?.of === head.id) indices.set(name, { ...known, of: header.id });
  }

  /** Of the copy whose newest piece that is; null where it is not known here. */
  function indexOf(name: string, head: PieceHeader | undefined): CopyIndex | null {
    const known = indices.get(name);
    return known === undefined || known.of !== head?.id ? null : known.index;
  }

  /** @throws CopyFaultError for pieces that are sound, each for itself, and do not fit together */
  function index(name: string, head: PieceHeader, data: PackedCopy): void {
    const made = indexCopy(data);
    if (made === null) throw new CopyFaultError('damaged');
    indices.set(name, { of: head.id, index: made });
  }

  /** @throws KeyringError 'offline_copy' when another tab has written meanwhile, or the browser has no room */
  async function write(origin: string, header: PieceHeader, json: Bytes, after: number): Promise<void> {
    const name = nameOf(origin);
    const piece = await sealPiece(session().keyring, origin, header, json);
    const added = store.add(name, piece, { after, isWhole: header.kind === 'whole' }).catch((failure: unknown) => {
      throw isFull(failure) ? faulty('full') : failure;
    });
    if (!(await added)) throw faulty('moved on');
    heads.set(name, header);
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
        const { head, data } = chain.copy;
        const name = nameOf(origin);
        if (indexOf(name, head) === null) index(name, head, data());
        await becomeOneInTime(origin, chain);
        return { state: 'found', ...headOf(heads.get(name) ?? head) };
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
      const common = { format: 2, id: crypto.randomUUID(), timestamp, cursor } as const;
      const { userId } = session().keyring;
      if (data !== undefined) {
        if (!isSoundCopy(data, userId)) throw faulty('answer');
        const after = await store.lastStep(name);
        const step = Math.max(after, seen?.step ?? 0) + 1;
        const copy = packCopy(data);
        const header = { ...common, kind: 'whole', after: null, step, trees: copy.trees } as const;
        await write(origin, header, storedGroups(copy), after);
        index(name, header, copy);
        return { timestamp, cursor, step, isWhole: true, files: [], goneFiles: [] };
      }
      const head = heads.get(name);
      const known = indexOf(name, head);
      // The change is one to exactly this copy: what was asked for is what is kept.
      const isAskedFor = delta !== undefined && head !== undefined && since === head.cursor;
      if (!isAskedFor || known === null || !isSoundDelta(delta, userId) || !known.fits(delta)) throw faulty('answer');
      // Nothing has happened to the copy, which the server knows by the same name as before: there is nothing to keep.
      if (cursor === since && isNothing(delta)) return { ...headOf(head), isWhole: false, files: [], goneFiles: [] };
      const header = { ...common, kind: 'delta', after: head.id, step: head.step + 1, trees: null } as const;
      await write(origin, header, utf8(JSON.stringify(delta)), head.step);
      const goneFiles = known.take(delta);
      indices.set(name, { of: header.id, index: known });
      return { ...headOf(header), isWhole: false, files: filesOfChange(delta), goneFiles };
    },

    async openCopy({ origin }) {
      const copy = await copyOf(origin);
      opened = copy;
      // While its trees are drawn.
      setTimeout(() => {
        if (opened === copy) copy.snapshot();
      });
      return { timestamp: copy.head.timestamp, trees: copy.trees };
    },

    async closeCopy() {
      opened = null;
      return null;
    },

    async copiedFiles({ origin }) {
      const name = nameOf(origin);
      const known = indexOf(name, heads.get(name)) ?? indexCopy((await copyOf(origin)).data());
      if (known === null) throw faulty('damaged');
      return known.files();
    },

    ...copyReads(session, store, () => {
      if (opened === null) throw faulty('missing');
      return opened.snapshot();
    }),
  };
}

interface OpenedChain {
  readonly copy: OpenedCopy;
  /** How many pieces it is. */
  readonly length: number;
}

const storedGroups = ({ users, groups }: PackedGroups) => utf8(JSON.stringify({ users, groups }));

const headOf = ({ timestamp, cursor, step }: PieceHeader) => ({ timestamp, cursor, step });

const isNothing = ({ trees, groups, gone_groups, gone_entries }: OfflineDelta) =>
  trees === null && groups.length + gone_groups.length + gone_entries.length === 0;

const faulty = (detail: string) => new KeyringError({ code: 'offline_copy', detail });

const isFull = (failure: unknown) => failure instanceof DOMException && failure.name === 'QuotaExceededError';

function ignoreUnlessLocked(failure: unknown): void {
  if (failure instanceof CryptoError && failure.code === 'locked') throw failure;
}

/** @throws KeyringError 'offline_copy' for anything that the contract does not describe */
function readAnswer(bytes: Bytes): z.output<typeof OfflineAnswer> {
  try {
    const read = z.safeParse(OfflineAnswer, jsonIn(bytes));
    if (read.success && (read.data.data === undefined) !== (read.data.delta === undefined)) return read.data;
  } catch {
    // Not JSON, or nested beyond the stack: the same answer to both.
  }
  throw faulty('answer');
}
