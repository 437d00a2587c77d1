/** Keeps the three parts of a copy up to date (docs/spec/product.md §9). */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import * as calls from '@passwordbroker/core/contract/account/offline';
import type { CopyHead, TakenCopy } from '../../keyring/calls.ts';
import type { DocumentVersions } from '../../keyring/keyring.ts';
import type { CopyRecord } from '../../keyring/copy/copy-store.ts';
import { isLocked, KeyringError } from '../../keyring/keyring-error.ts';
import { OFFLINE_COPY_TEXTS as TEXTS } from '../../texts/offline-copy.ts';
import { bundleOf, isSaltOf, isSaltSound, keyPartOf, readKeyPart, saltPartOf } from '../../keyring/copy/key-parts.ts';
import { keptBodies } from '../parts/kept-bodies.ts';
import { soundRecord } from '../labels.ts';
import type { PartName } from '../offline.ts';
import type { OfflinePage } from '../page.ts';
import { runPart, type PartHost, type PartRunner, type PartWork } from '../parts/part-runner.ts';
import type { PartEvent } from '../parts/parts.ts';
import { isInVain, isMovedOn, isRefusal, refusalOf, afterSyncEvent, type SyncEvent } from './sync-mode.ts';

/** For a whole vault; the default is for lists. */
const MOST_BYTES = 1024 * 1024 * 1024;
const SILENCE_MS = 120_000;
/** The rest is checking, sealing and storing. */
const DOWNLOAD_SHARE = 0.8;
/** Milliseconds between writes of the last confirmation time. */
const CONFIRM_MS = 3_600_000;

export interface Sync {
  send(event: PartEvent): void;
  look(): void;
  keepBodies(): void;
  stop(): void;
}

interface Of {
  readonly page: OfflinePage;
  readonly name: string;
  readonly origin: string;
  readonly userId: string;
  /** @returns whether the copy had to be deleted */
  readonly forgetIfGone: () => Promise<boolean>;
  readonly onGone: () => void;
}

export function keepInSync({ page, name, origin, userId, forgetIfGone, onGone }: Of): Sync {
  const { http, keyring, store } = page;
  const failing = new Set<PartName>();
  let active = 0;
  let lastProblem: string | null = null;
  let head: CopyHead | null = null;
  /** After a delta that could not be applied, everything is requested. */
  let isChangeRefused = false;
  let isStopped = false;
  const bodies = keptBodies({ page, name, origin });

  const recordOf = async (): Promise<CopyRecord> => {
    const record = await soundRecord(store, name);
    if (record === null) {
      if (!isStopped) onGone();
      throw new KeyringError({ code: 'offline_copy', detail: 'missing' });
    }
    return record;
  };

  /** Throws after the stop, so that nothing is stored afterwards. */
  const stillWanted = () => {
    if (isStopped) throw new KeyringError({ code: 'offline_copy', detail: 'moved on' });
  };

  const isOnline = () => !isStopped && page.getState().databaseMode === 'online' && !http.isOffline();
  const show: OfflinePage['show'] = (change) => {
    if (!isStopped) page.show(change);
  };
  const showSync = (event: SyncEvent, problem: string | null = null) => {
    show({ syncMode: afterSyncEvent(page.getState().syncMode, event), problem });
  };

  const hostOf = (part: PartName, isReady: () => boolean): PartHost => ({
    isReady,
    isInVain,
    exclusive: (work) => page.exclusive(`${name} ${part}`, work),
    show: (state) => {
      const parts = { ...page.getState().parts, [part]: state };
      const isNew = part === 'database' && state === 'synchronized' && head !== null;
      show({ parts, ...(isNew ? { copyOf: head?.timestamp ?? null } : {}) });
    },
    begin(what) {
      active += 1;
      showSync(what);
    },
    end(failure) {
      active -= 1;
      // A lock or the end of the session is not a failure of the copy.
      const isFailure = failure !== undefined && !isLocked(failure) && !isMovedOn(failure) && isOnline();
      if (isFailure) failing.add(part);
      else if (failure === undefined) failing.delete(part);
      if (isFailure) tellFailure(part, failure);
      if (failing.size > 0) showSync('failed', lastProblem);
      else if (active === 0) showSync('done');
    },
  });

  function tellFailure(part: PartName, failure: unknown) {
    lastProblem = refusalOf(failure);
    if (isRefusal(failure)) void forgetIfGone().catch(() => undefined);
  }

  async function ask(endpoint: typeof calls.isKeyStale | typeof calls.isDatabaseStale, since?: string) {
    const { applicationId } = await recordOf();
    const params = { id: applicationId };
    try {
      if (endpoint === calls.isKeyStale) {
        const { status } = await http.call(calls.isKeyStale, { params });
        return status && !(await forgetIfGone());
      }
      const query = since === undefined ? {} : { since };
      const { status, files = true } = await http.call(calls.isDatabaseStale, { params, query });
      await followFiles(files);
      return status && !(await forgetIfGone());
    } catch (failure) {
      if (isRefusal(failure)) await forgetIfGone();
      throw failure;
    }
  }

  /** Removes stored files if the site disallows them. */
  async function followFiles(filesAllowed: boolean) {
    const { withoutFiles = false } = await recordOf();
    if (withoutFiles === !filesAllowed) return;
    await store.change(name, { withoutFiles: !filesAllowed });
    show({ filesAllowed });
    page.tabs.tell('copy changed');
    bodies.keepAll();
  }

  async function confirm() {
    const { syncedAt } = await recordOf();
    if (Math.abs(Date.now() - syncedAt) > CONFIRM_MS) await store.change(name, { syncedAt: Date.now() });
  }

  let seenKey: string | null = null;
  const key: PartWork = {
    async check() {
      const record = await recordOf();
      seenKey = record.key?.digest ?? null;
      if (record.key === null) return 'missing';
      return (await readKeyPart(record)) === null ? 'corrupted' : 'found';
    },
    isKnown: async () => (await recordOf()).key?.digest === seenKey,
    async isStale() {
      const status = await ask(calls.isKeyStale);
      if (status) salt.send('update required');
      return status;
    },
    async download() {
      const { applicationId: user_application_id } = await recordOf();
      const { rsa_private_key_base64, timestamp } = await http.call(calls.privateRsa, {
        query: { user_application_id },
      });
      if (bundleOf(rsa_private_key_base64, userId) === null) throw new Error(TEXTS.notYourKeys);
      const part = await keyPartOf({ rsa_private_key_base64, timestamp });
      stillWanted();
      await store.change(name, { key: part });
      seenKey = part.digest;
      salt.send('unloaded');
      salt.look();
    },
  };

  let seenSalt: string | null = null;
  const saltWork: PartWork = {
    async check() {
      const record = await recordOf();
      seenSalt = record.salt?.digest ?? null;
      if (record.salt === null) return 'missing';
      return (await isSaltSound(record, await readKeyPart(record))) ? 'found' : 'corrupted';
    },
    isKnown: async () => (await recordOf()).salt?.digest === seenSalt,
    isStale: async () => false,
    async download() {
      const { salt_base64, kdf, timestamp } = await http.call(calls.cbcSalt);
      const bundle = await readKeyPart(await recordOf());
      if (bundle !== null && !isSaltOf({ salt_base64, kdf }, bundle)) {
        keyRunner.send('update required');
        keyRunner.look();
        throw new Error(TEXTS.saltOfOtherKeys);
      }
      const part = await saltPartOf({ salt_base64, kdf, timestamp });
      stillWanted();
      await store.change(name, { salt: part });
      seenSalt = part.digest;
    },
  };

  const database: PartWork = {
    async check() {
      const checked = await keyring.call('checkCopy', { origin });
      head = checked.state === 'found' ? checked : null;
      show({ copyOf: head?.timestamp ?? null });
      if (head !== null) bodies.keepAll();
      return checked.state;
    },
    isKnown: async () => head === null || (await store.lastStep(name)) === head.step,
    async isStale() {
      if (head === null) return true;
      const status = await ask(calls.isDatabaseStale, head.cursor);
      if (status) return true;
      // Only database checks confirm the copy.
      await confirm();
      bodies.catchUp();
      return false;
    },
    async download() {
      const since = isChangeRefused ? null : (head?.cursor ?? null);
      show({ progress: 0 });
      try {
        const taken = await takeFrom(since);
        isChangeRefused = false;
        head = taken;
        show({ progress: 1 });
        await store.change(name, { syncedAt: Date.now() });
        if (taken.isWhole) bodies.keepAll();
        else bodies.keepChanged(taken.files, taken.goneFiles);
      } catch (failure) {
        // Another tab may have written.
        if (failure instanceof KeyringError && failure.code === 'offline_copy') {
          isChangeRefused = since !== null && failure.detail === 'answer';
          if (failure.detail === 'answer' || isMovedOn(failure)) databaseRunner.send('unloaded');
        }
        throw failure;
      } finally {
        show({ progress: null });
      }
    },
  };

  async function takeFrom(since: string | null): Promise<TakenCopy> {
    const { applicationId: user_application_id } = await recordOf();
    const bytes = await http.bytes(calls.entryGroupsWithFields, {
      query: { user_application_id, ...(since === null ? {} : { since }) },
      maxBytes: MOST_BYTES,
      silenceMs: SILENCE_MS,
      onReceived: (received, total) => {
        if (total > 0) show({ progress: Math.min(1, received / total) * DOWNLOAD_SHARE });
      },
    });
    stillWanted();
    const { buffer } = bytes;
    return keyring.call('takeCopy', { origin, answer: buffer, since }, { transfer: [buffer] });
  }

  /** A device rejects an older list of trusted keys than it has seen, so the key part must be current. */
  async function refreshDocuments(versions: DocumentVersions) {
    const documents = (await readKeyPart(await recordOf()))?.documents;
    if (documents === undefined) return;
    const isSame = versions.every(({ name: document, version }) =>
      documents.some((stored) => stored.name === document && stored.version === version),
    );
    if (isSame) return;
    keyRunner.send('update required');
    keyRunner.look();
  }

  /** Old keys would open with a former master password. */
  async function compareKeys(bundle: KeyBundle) {
    const stored = await readKeyPart(await recordOf());
    if (stored === null || JSON.stringify(stored) === JSON.stringify(bundle)) return;
    keyRunner.send('update required');
    keyRunner.look();
  }

  const run = (part: PartName, work: PartWork, isReady: () => boolean): PartRunner =>
    runPart(work, hostOf(part, isReady), page.paces[part]);
  const keyRunner = run('key', key, isOnline);
  const salt = run('salt', saltWork, isOnline);
  // The worker seals with the keys.
  const databaseRunner = run('database', database, () => isOnline() && keyring.isOpen());
  const runners = [keyRunner, salt, databaseRunner];

  const stopListening = [
    keyring.onOpened((bundle) => {
      databaseRunner.look();
      if (bundle !== null) void compareKeys(bundle).catch(() => undefined);
    }),
    keyring.onDocuments((versions) => void refreshDocuments(versions).catch(() => undefined)),
    keyring.onLocked(() => {
      head = null;
      databaseRunner.send('unloaded');
    }),
  ];
  for (const runner of runners) runner.look();

  return {
    send: (event) => runners.forEach((runner) => runner.send(event)),
    look: () => runners.forEach((runner) => runner.look()),
    keepBodies: () => bodies.keepAll(),
    stop() {
      isStopped = true;
      bodies.stop();
      for (const runner of runners) runner.stop();
      for (const stop of stopListening) stop();
    },
  };
}
