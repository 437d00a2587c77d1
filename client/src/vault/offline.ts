import { AppError } from '@passwordbroker/core/contract/problem';
import type { Field, FieldHistory } from '@passwordbroker/core/contract/entities';
import type { OpenedContent, OutputOf } from '../keyring/calls.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { KeyringError } from '../keyring/keyring-error.ts';
import { keepMemberships } from '../keyring/groups/group-openings.ts';
import { untilAborted } from '../transport/waiting.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../texts/offline-copy.ts';
import { disagreementsOf } from './trust/disagreements.ts';
import {
  type EntryPath,
  type FieldPath,
  type OpenedFile,
  type PastFieldPath,
  type ResolvedPath,
  type Revealed,
  type Vault,
  type Watched,
} from './vault.ts';
import { keepRotations } from './groups/rotations.ts';

/** The local copy does not contain this; it can be read online only. */
class NotInCopyError extends Error {
  override readonly name = 'NotInCopyError';
}

type Needed = Pick<Keyring, 'call' | 'isOpen' | 'onLocked' | 'onOpened'>;

/** The server's default. */
const HISTORY_ROWS = 200;

export interface OfflineVault extends Vault {
  /**
   * Opens the copy unless it is open. @returns its time in Unix seconds. @throws KeyringError 'locked',
   * 'offline_copy'
   */
  open(): Promise<number>;
  close(): Promise<void>;
}

/** Read-only vault of the local copy, opened by the keyring worker. @param origin of the copy's server */
export function offlineVault(keyring: Needed, origin: string): OfflineVault {
  const memberships = keepMemberships();
  let opening: Promise<OutputOf<'openCopy'>> | null = null;
  const groups = new Map<string, Promise<void>>();

  let opened: OutputOf<'openCopy'> | null = null;

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

  /** @throws AppError 'not_found' if the copy does not contain it */
  async function read<T>(ask: () => Promise<T | null>, signal: AbortSignal | undefined): Promise<T> {
    await untilAborted(open(), signal);
    const found = await ask();
    if (found === null) throw new AppError('not_found');
    return found;
  }

  /** Problems are then in `memberships`. @throws KeyringError 'key_mismatch' */
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

  async function reveal(path: ResolvedPath, signal?: AbortSignal): Promise<Revealed> {
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

  /** @throws NotInCopyError if the row is of an older revision */
  async function presentAt(path: PastFieldPath, { rev }: FieldHistory, signal?: AbortSignal): Promise<FieldPath> {
    const field = (await fieldsOf(path, signal)).find(({ field_id }) => field_id === path.field.field_id);
    if (field === undefined) throw new AppError('not_found');
    if (rev !== field.rev) throw new NotInCopyError(TEXTS.noHistory);
    return { ...path, field };
  }

  /** A copy only knows the writers of the first and the present revision. */
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
      entriesById: (entryIds, signal) =>
        read(() => keyring.call('copiedEntriesById', { entryIds }, { signal }), signal),

      reveal,
      revealSeveral: async (paths) => {
        const values: Revealed[] = [];
        for (const path of paths) values.push(await reveal(path));
        return values;
      },
      openFile,
      async openRevisionFile(path, row, watched = {}) {
        return openFile(await presentAt(path, row, watched.signal), watched);
      },
      async ownKey() {
        const { fingerprint, words } = await keyring.call('ownKey', null);
        return { fingerprint, words };
      },
      // The copy shows no keys of others to judge.
      keyStates: async () => new Map(),

      history: ({ entryGroupId, entryId, field }, signal, continued) =>
        history(entryGroupId, { entryId, fieldId: field.field_id }, signal, continued),
      groupHistory: (groupId, signal, continued) => history(groupId, null, signal, continued),
      revealRevision: async (path, row, signal) => reveal(await presentAt(path, row, signal), signal),
      seenBy: absent,
      removal: absent,
      trash: absent,
      purgePreview: absent,
      journal: absent,
      people: absent,
      keyTrust: absent,
      departures: absent,
      departure: absent,
      opened: absent,
      access: absent,
      preview: absent,
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

const placeOf = ({ entryGroupId: groupId, entryId, field }: ResolvedPath) => ({
  groupId,
  entryId,
  fieldId: field.field_id,
  rev: field.rev,
});

/** An older list may differ rightly, so the copy's own list is compared. */
function revealed({ field }: ResolvedPath, content: OpenedContent, listed: Field): Revealed {
  const shown = listed.rev === field.rev ? field : listed;
  return { type: field.type, ...content, disagreements: disagreementsOf(shown, content) };
}
