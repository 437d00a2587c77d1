/** The vault of the local copy: it is opened in the crypto worker, which gives its trees and answers every other read. Nothing can be written. */
import { AppError } from '@passwordbroker/core/contract/problem';
import type { Field, FieldHistory } from '@passwordbroker/core/contract/entities';
import type { OpenedContent, OutputOf } from '../keyring/calls.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import { keepMemberships } from '../keyring/groups/memberships.ts';
import { untilAborted } from '../transport/until-aborted.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../texts/offline-copy.ts';
import { disagreementsOf } from './trust/disagreements.ts';
import { keepRotations } from './groups/rotations.ts';
import type { EntryPath, FieldPath, OpenedFile, PastFieldPath, Revealed, Vault, Watched } from './vault.ts';

/** Something that a local copy does not hold: there is nothing to try again before the page is online. */
class NotInCopyError extends Error {
  override readonly name = 'NotInCopyError';
}

type Needed = Pick<Keyring, 'call' | 'isOpen' | 'onLocked' | 'onOpened'>;

/** As many as the server lists at once. */
const HISTORY_ROWS = 200;

export interface OfflineVault extends Vault {
  /** Opens the copy, unless it is open. @throws KeyringError 'locked', 'offline_copy'. @returns Unix seconds of the copy */
  open(): Promise<number>;
  /** What was opened is gone from the worker. */
  close(): Promise<void>;
}

/** @param origin of the server that the copy is of */
export function offlineVault(keyring: Needed, origin: string): OfflineVault {
  const memberships = keepMemberships();
  let opening: Promise<OutputOf<'openCopy'>> | null = null;
  const groups = new Map<string, Promise<void>>();

  /** What the worker answered to that. */
  let opened: OutputOf<'openCopy'> | null = null;

  // The worker begins anew with every unlock, and with it all that was open there.
  const forget = () => {
    opening = null;
    opened = null;
    groups.clear();
    memberships.clear();
  };
  keyring.onLocked(forget);
  keyring.onOpened(forget);

  function open(): Promise<OutputOf<'openCopy'>> {
    if (!keyring.isOpen()) return Promise.reject(new KeyringError({ code: 'locked' }));
    const known = opening ?? keyring.call('openCopy', { origin });
    opening = known;
    const isPresent = () => opening === known;
    known.then(
      (copy) => {
        if (isPresent()) opened = copy;
      },
      () => {
        if (isPresent()) opening = null;
      },
    );
    return known;
  }

  /** What the opened copy says; null is what it does not have. */
  async function read<T>(ask: () => Promise<T | null>, signal: AbortSignal | undefined): Promise<T> {
    await untilAborted(open(), signal);
    const found = await ask();
    if (found === null) throw new AppError('not_found');
    return found;
  }

  /** Its keys under the lists of the copy; what is wrong with either is then in `memberships`. */
  function openGroup(groupId: string, signal?: AbortSignal): Promise<void> {
    const known = groups.get(groupId);
    if (known !== undefined) return untilAborted(known, signal);
    const asked = read(() => keyring.call('openCopiedGroup', { groupId }), undefined).then((group) => {
      memberships.keep(groupId, group);
      const { trust } = group.details;
      if (trust.state === 'locked') throw new KeyringError({ code: 'key_mismatch', detail: trust.why });
    });
    groups.set(groupId, asked);
    asked.catch(() => {
      groups.delete(groupId);
    });
    return untilAborted(asked, signal);
  }

  const absent = async () => {
    throw new NotInCopyError(TEXTS.notInCopy);
  };

  async function reveal(path: FieldPath, signal?: AbortSignal): Promise<Revealed> {
    await openGroup(path.entryGroupId, signal);
    const asked = { ...placeOf(path), type: path.field.type };
    const { content, listed } = await read(() => keyring.call('openCopiedField', asked, { signal }), signal);
    return revealed(path, content, listed);
  }

  async function openFile(path: FieldPath, { signal, onProgress }: Watched = {}): Promise<OpenedFile> {
    await openGroup(path.entryGroupId, signal);
    const asked = { ...placeOf(path), origin };
    const opened = await read(() => keyring.call('openCopiedFile', asked, { signal }), signal);
    if (!opened.kept) throw new NotInCopyError(TEXTS.noBody);
    onProgress?.(1);
    return { revealed: revealed(path, opened.content, opened.listed), blob: opened.blob };
  }

  const fieldsOf = ({ entryGroupId: groupId, entryId }: EntryPath, signal?: AbortSignal) =>
    read(() => keyring.call('copiedFields', { groupId, entryId }, { signal }), signal);

  /** The field as it is in the copy. @throws NotInCopyError when the row is of an older revision */
  async function presentAt(path: PastFieldPath, { rev }: FieldHistory, signal?: AbortSignal): Promise<FieldPath> {
    const field = (await fieldsOf(path, signal)).find(({ field_id }) => field_id === path.field.field_id);
    if (field === undefined) throw new AppError('not_found');
    if (rev !== field.rev) throw new NotInCopyError(TEXTS.noHistory);
    return { ...path, field };
  }

  /** A copy has the present revision of each field, and who wrote that and the first. */
  async function history(
    groupId: string,
    field: { readonly entryId: string; readonly fieldId: string } | null,
    signal: AbortSignal | undefined,
    { before = null, limit = HISTORY_ROWS }: { readonly before?: string | null; readonly limit?: number } = {},
  ) {
    const asked = { groupId, field, before, limit };
    return read(() => keyring.call('copiedHistory', asked, { signal }), signal);
  }

  return {
    mode: 'offline',
    open: async () => (await open()).timestamp,
    async close() {
      const isOpen = opening !== null && keyring.isOpen();
      forget();
      if (isOpen) await keyring.call('closeCopy', null);
    },
    read: {
      tree: async (signal) => (await untilAborted(open(), signal)).trees,
      treeAtHand: () => opened?.trees ?? null,
      group: (groupId, signal) => read(() => keyring.call('copiedGroup', { groupId }, { signal }), signal),
      examine: openGroup,
      members: (groupId, signal) => read(() => keyring.call('copiedMembers', { groupId }, { signal }), signal),
      entries: (groupId, signal) => read(() => keyring.call('copiedEntries', { groupId }, { signal }), signal),
      fields: fieldsOf,
      search: (request, signal) => read(() => keyring.call('copiedSearch', request, { signal }), signal),

      reveal,
      openFile,
      async openRevisionFile(path, row, watched = {}) {
        return openFile(await presentAt(path, row, watched.signal), watched);
      },
      async ownKey() {
        const { fingerprint, words } = await keyring.call('ownKey', null);
        return { fingerprint, words };
      },
      // Who is trusted is judged by what the server shows; the copy shows no keys of others.
      keyStates: async () => new Map(),

      history: ({ entryGroupId, entryId, field }, signal, continued) =>
        history(entryGroupId, { entryId, fieldId: field.field_id }, signal, continued),
      groupHistory: (groupId, signal, continued) => history(groupId, null, signal, continued),
      revealRevision: async (path, row, signal) => reveal(await presentAt(path, row, signal), signal),
      removal: absent,
      trash: absent,
      purgePreview: absent,
      journal: absent,
      people: absent,
      keyTrust: absent,
      departures: absent,
      departure: absent,
      opened: absent,
    },
    write: null,
    memberships,
    trust: {
      details: memberships.details,
      account: () => undefined,
      subscribe: memberships.subscribe,
    },
    rotations: keepRotations(),
  };
}

const placeOf = ({ entryGroupId: groupId, entryId, field }: FieldPath) => ({
  groupId,
  entryId,
  fieldId: field.field_id,
  rev: field.rev,
});

/** A list that is merely older disagrees rightly, so it is compared with the one of the copy. */
function revealed({ field }: FieldPath, content: OpenedContent, listed: Field): Revealed {
  const shown = listed.rev === field.rev ? field : listed;
  return { type: field.type, ...content, disagreements: disagreementsOf(shown, content) };
}
