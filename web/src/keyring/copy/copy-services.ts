/** Local copies as the worker makes, checks and opens them; what is asked is said in `keyring/offline-calls.ts`. */
import * as z from 'zod/mini';
import { OfflineAnswer, type OfflineDelta } from '@passwordbroker/core/contract/offline';
import { type Bytes, utf8 } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { CopiedFile } from '../calls.ts';
import { KeyringError } from '../keyring-error.ts';
import type { OfflineCallName } from '../offline-calls.ts';
import type { OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import { CopyFaultError, openChain, sealPiece, type OpenedPiece, type PieceHeader } from './copy-pieces.ts';
import { copyReads } from './copy-reads.ts';
import { nameOfCopy, type CopyStore } from './copy-store.ts';
import { packCopy, packInto, type PackedCopy } from './packed-copy.ts';
import { readSeen } from './seen-piece.ts';
import { snapshotOf, type Snapshot } from './snapshot.ts';

// Without this zod probes `new Function`, which a strict CSP reports.
z.config({ jitless: true });

/** Pieces behind the whole copy before they become one with it. */
const MOST_PIECES = 40;

export type CopyServices = Pick<Services, OfflineCallName>;

export function copyServices(session: () => OpenSession, store: CopyStore): CopyServices {
  /** The newest piece of each copy, once all were checked or written here. */
  const heads = new Map<string, PieceHeader>();
  let opened: Snapshot | null = null;

  const nameOf = (origin: string) => nameOfCopy(origin, session().keyring.userId);
  const seenOf = async (name: string) => readSeen(await store.seen(name));

  /** @throws CopyFaultError; CryptoError `locked` */
  async function chainOf(origin: string): Promise<readonly OpenedPiece[] | null> {
    const { keyring } = session();
    const name = nameOf(origin);
    heads.delete(name);
    const [pieces, seen] = await Promise.all([store.pieces(name), seenOf(name)]);
    // Where a copy was seen and none is left, it was not this client that took it away.
    if (pieces.length === 0) return null;
    const chain = await openChain(keyring, origin, pieces, seen);
    const head = chain.at(-1)?.header;
    if (head !== undefined) heads.set(name, head);
    return chain;
  }

  /** @throws KeyringError 'offline_copy' */
  async function dataOf(origin: string): Promise<{ readonly timestamp: number; readonly data: PackedCopy }> {
    const chain = await chainOf(origin).catch((failure: unknown) => {
      throw failure instanceof CopyFaultError ? faulty(failure.fault) : failure;
    });
    const head = chain?.at(-1)?.header;
    if (chain === null || head === undefined) throw faulty('missing');
    const data = joined(chain);
    if (chain.length > MOST_PIECES) await becomeOne(origin, head, data).catch(ignoreUnlessLocked);
    return { timestamp: head.timestamp, data };
  }

  /** The whole copy and its changes as one whole copy of the same time. */
  async function becomeOne(origin: string, head: PieceHeader, data: PackedCopy): Promise<void> {
    const header: PieceHeader = { ...head, kind: 'whole', id: crypto.randomUUID(), after: null, step: head.step + 1 };
    await write(origin, header, utf8(JSON.stringify(data)), head.step);
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
    async checkCopy({ origin }) {
      try {
        const chain = await chainOf(origin);
        const head = chain?.at(-1)?.header;
        if (chain === null || head === undefined) return { state: 'missing' };
        if (chain.length > MOST_PIECES) await becomeOne(origin, head, joined(chain)).catch(ignoreUnlessLocked);
        return { state: 'found', ...headOf(heads.get(nameOf(origin)) ?? head) };
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
      if (data !== undefined) {
        const { userId } = session().keyring;
        const isForeign = data.groups.some(({ grants }) => grants.some(({ user_id }) => user_id !== userId));
        if (isForeign) throw faulty('answer');
        const after = await store.lastStep(name);
        const step = Math.max(after, seen?.step ?? 0) + 1;
        const copy = packCopy(data);
        await write(origin, { ...common, kind: 'whole', after: null, step }, utf8(JSON.stringify(copy)), after);
        return { timestamp, cursor, step, isWhole: true, files: filesOf(copy) };
      }
      const head = heads.get(name);
      // The change is one to exactly this copy: what was asked for is what is kept.
      if (delta === undefined || head === undefined || since !== head.cursor) throw faulty('answer');
      const header = { ...common, kind: 'delta', after: head.id, step: head.step + 1 } as const;
      await write(origin, header, utf8(JSON.stringify(delta)), head.step);
      return { ...headOf(header), isWhole: false, files: filesOfChange(delta) };
    },

    async openCopy({ origin }) {
      const { timestamp, data } = await dataOf(origin);
      opened = snapshotOf(timestamp, data);
      return { timestamp };
    },

    async closeCopy() {
      opened = null;
      return null;
    },

    copiedFiles: async ({ origin }) => filesOf((await dataOf(origin)).data),

    ...copyReads(session, store, () => {
      if (opened === null) throw faulty('missing');
      return opened;
    }),
  };
}

const headOf = ({ timestamp, cursor, step }: PieceHeader) => ({ timestamp, cursor, step });

const faulty = (detail: string) => new KeyringError({ code: 'offline_copy', detail });

const isFull = (failure: unknown) => failure instanceof DOMException && failure.name === 'QuotaExceededError';

function ignoreUnlessLocked(failure: unknown): void {
  if (failure instanceof CryptoError && failure.code === 'locked') throw failure;
}

/** @throws KeyringError 'offline_copy' for anything that the contract does not describe */
function readAnswer(bytes: Bytes): z.output<typeof OfflineAnswer> {
  try {
    const read = z.safeParse(OfflineAnswer, parsed(bytes));
    if (read.success && (read.data.data === undefined) !== (read.data.delta === undefined)) return read.data;
  } catch {
    // Not JSON, or nested beyond the stack: the same answer to both.
  }
  throw faulty('answer');
}

const parsed = (json: Bytes): unknown => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));

/** Sealed by this client after it had been checked, so it is not checked again. */
function joined([whole, ...changes]: readonly OpenedPiece[]): PackedCopy {
  if (whole === undefined) throw faulty('missing');
  return changes.reduce<PackedCopy>(
    (copy, { json }) => packInto(copy, parsed(json) as OfflineDelta),
    parsed(whole.json) as PackedCopy,
  );
}

const filesOf = ({ groups }: PackedCopy): readonly CopiedFile[] =>
  groups.flatMap(({ entry_group_id: groupId, entries }) =>
    entries.flatMap(({ entry_id: entryId, row: [, , , fields] }) =>
      fields.flatMap(([, fieldId, , rev, , , , , , , , own]) =>
        own === null || !('body' in own) ? [] : [{ groupId, entryId, fieldId, rev, bodySize: own.body }],
      ),
    ),
  );

const filesOfChange = ({ groups }: OfflineDelta): readonly CopiedFile[] =>
  groups.flatMap(({ entry_group_id: groupId, entries }) =>
    entries.flatMap(({ entry_id: entryId, files }) =>
      files.map(({ field_id: fieldId, rev, file }) => ({
        groupId,
        entryId,
        fieldId,
        rev,
        bodySize: file?.body_size ?? 0,
      })),
    ),
  );
