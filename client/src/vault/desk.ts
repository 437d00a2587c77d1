/** Favourites, saved searches and recent entries of the person, while the vault is open. */
import { readDocument, writeDocument } from '@passwordbroker/core/contract/account/own-keys';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { DeskChange } from '@passwordbroker/core/domain/desk';
import type { CallName, DeskView } from '../keyring/calls.ts';
import type { Keyring } from '../keyring/keyring.ts';
import { isLocked } from '../keyring/keyring-error.ts';
import { isAway } from '../transport/answers.ts';
import type { Http } from '../transport/http.ts';

export interface PersonalDesk {
  /** Undefined while the vault is locked, or not read yet. */
  readonly view: () => DeskView | undefined;
  /** @returns unsubscribe */
  readonly subscribe: (listener: () => void) => () => void;
  /** Reads which entries were used last. */
  refresh(): Promise<void>;
  /**
   * Stores the change in this browser and on the server; without the server it is written at the next unlock.
   * @throws KeyringError 'locked', 'favourites_full', 'searches_full'; AppError if the server refuses
   */
  change(change: DeskChange): Promise<void>;
  /** Notes use of an entry that opens nothing, such as copying a login. */
  use(entryId: string): void;
  /** Replaces a damaged document with what this browser knows. */
  begin(): Promise<void>;
}

type Needed = Pick<Keyring, 'call' | 'isOpen' | 'onCalled' | 'onLocked' | 'onOpened' | 'tellDocuments'>;

/** Calls that make an entry recent. */
const USES: ReadonlySet<CallName> = new Set([
  'openEnvelope',
  'openFile',
  'openCopiedField',
  'openCopiedFile',
  'sealField',
  'sealFile',
  'reseal',
]);

/** Writes of other devices that one change survives. */
const TRIES = 5;

export function createDesk(http: Pick<Http, 'call'>, keyring: Needed): PersonalDesk {
  let view: DeskView | undefined;
  let isOnline = false;
  let writing: Promise<void> = Promise.resolve();
  const listeners = new Set<() => void>();

  function show(next: DeskView | undefined) {
    if (JSON.stringify(next) === JSON.stringify(view)) return;
    view = next;
    for (const listener of listeners) listener();
  }

  async function shown(next: Promise<DeskView>): Promise<void> {
    const read = await next;
    if (keyring.isOpen()) show(read);
  }

  /** One after the other, so that the versions follow. */
  function write(): Promise<void> {
    const next = writing.then(writeNow);
    writing = next.catch(() => undefined);
    return next;
  }

  async function writeNow(): Promise<void> {
    if (!isOnline) return;
    try {
      for (let tries = 0; tries < TRIES && !(await isWritten()); tries += 1) await readAgain();
    } catch (failure) {
      // The change stays in this browser.
      if (!isAway(failure) && !isLocked(failure)) throw failure;
    }
  }

  /** False: another device has written meanwhile. */
  async function isWritten(): Promise<boolean> {
    const sealed = await keyring.call('sealDesk', null);
    if (sealed === null) return true;
    const { replaces, version, blob_base64 } = sealed;
    try {
      await http.call(writeDocument, {
        params: { name: 'desk' },
        ifMatch: replaces,
        body: { version, blob_base64 },
      });
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'slot_conflict') return false;
      throw failure;
    }
    await keyring.call('deskStored', { version });
    keyring.tellDocuments([{ name: 'desk', version }]);
    return true;
  }

  async function readAgain(): Promise<void> {
    const document = await http.call(readDocument, { params: { name: 'desk' } }).catch((failure: unknown) => {
      if (failure instanceof AppError && failure.code === 'not_found') return null;
      throw failure;
    });
    await shown(keyring.call('readDesk', { document }));
  }

  async function refresh(): Promise<void> {
    if (keyring.isOpen()) await shown(keyring.call('desk', null)).catch(() => undefined);
  }

  keyring.onOpened((bundle) => {
    isOnline = bundle !== null;
    // What an earlier session could not write.
    void refresh()
      .then(write)
      .catch(() => undefined);
  });
  keyring.onLocked(() => show(undefined));
  keyring.onCalled((name) => {
    if (USES.has(name)) void refresh();
  });

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh,
    async change(change) {
      await shown(keyring.call('changeDesk', change));
      await write();
    },
    use(entryId) {
      if (keyring.isOpen()) shown(keyring.call('useEntry', { entryId })).catch(() => undefined);
    },
    async begin() {
      await shown(keyring.call('beginDesk', null));
      await write();
    },
  };
}
