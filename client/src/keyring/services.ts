/** The calls of the keyring worker. All keys live in this closure and end with the worker. */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { openField, openFile, sealField, sealFile } from '@passwordbroker/core/domain/fields/field';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import {
  changeMasterPassword,
  createKeyring,
  unlock,
  unlockWithPasskey,
  wrapForPasskey,
  unlockWithRecoveryKey,
  type Keyring,
} from '@passwordbroker/core/domain/keyring/keyring';
import { type FieldContent, wipeContent } from '@passwordbroker/core/domain/fields/payload';
import { rekey } from '@passwordbroker/core/domain/keyring/rekey';
import { digestOf, prove } from '@passwordbroker/core/domain/keyring/proof';
import { EMPTY_RECORD, withDecidedKey } from '@passwordbroker/core/domain/trust/trust-record';
import type { FieldContext, InputOf, OutputOf } from './calls.ts';
import type { Load } from '../platform.ts';
import type { CopyStore } from './copy/copy-store.ts';
import { contentToSeal, openedContent, wellFormed } from './revisions/contents.ts';
import type { DeviceStore } from './trust/own-copy.ts';
import { deskServices } from './desk/desk-services.ts';
import { groupServices } from './groups/group-services.ts';
import { heldGroupOf, openingKeyOf, sealingKeyOf, openSession, type OpenSession } from './open-session.ts';
import { KeyringError, trustError } from './keyring-error.ts';
import { type DeriveForFile, importServices } from './imports/import-services.ts';
import { memberServices, requireAnswers } from './groups/member-services.ts';
import { peopleServices } from './groups/people-services.ts';
import { lateServices } from './late-services.ts';
import { recoveryKitServices, withRecoveryKey } from './recovery-kit/recovery-kit-services.ts';
import { resealRevision, rewrapRows } from './revisions/resealing.ts';
import type { Services, Served } from './remote.ts';
import { trustServices } from './trust/trust-services.ts';
import type { CopyServices } from './copy/copy-services.ts';
import type { OfflineCallName } from './offline-calls.ts';
import { passwordProblem } from '@passwordbroker/core/crypto/password-form';

export interface KeyringDevice {
  readonly kdf: Kdf;
  readonly deriveForFile: DeriveForFile;
  readonly deviceStore: DeviceStore;
  readonly openCopies: () => CopyStore | Promise<CopyStore>;
  readonly load: Load;
  /** For people: 'Firefox on Linux'. */
  readonly browser?: string;
  /** Opens the keys of a service account, which has no master password and no documents on the server. */
  readonly openService?: (bundle: KeyBundle) => Promise<Keyring>;
}

export function createServices(device: KeyringDevice): Services {
  const { kdf, deviceStore, browser = 'Unknown browser', openService } = device;
  let opened: OpenSession | null = null;

  const session = (): OpenSession => {
    if (opened === null) throw new KeyringError({ code: 'locked' });
    return opened;
  };
  /** Newest versions since the unlock: detects a rollback. */
  const seen = new Map<string, number>();
  /** @throws KeyringError 'integrity' for a document that is missing or older than before */
  const requireNoRollback = (documents: KeyBundle['documents']) => {
    const versions = new Map(documents.map(({ name, version }) => [name, version]));
    for (const [name, version] of seen) {
      if ((versions.get(name) ?? 0) < version) throw new KeyringError({ code: 'integrity', detail: 'rolled_back' });
    }
    for (const [name, version] of versions) seen.set(name, version);
  };
  const groupOf = ({ entryGroupId }: Pick<FieldContext, 'entryGroupId'>) => heldGroupOf(session(), entryGroupId);
  /** For sealing. @throws KeyringError 'last_use', 'record', those of `requireConfirmed` */
  const sealingGroupOf = async (place: Pick<FieldContext, 'entryGroupId'>) => {
    await requireAnswers(session());
    return groupOf(place);
  };
  /** For reading: any key version to which the accepted list commits. */
  const open = async (place: FieldContext, envelope: Parameters<typeof openField>[2]) =>
    openField(openingKeyOf(groupOf(place), envelope.gk_version), place, { ...envelope, rev: place.rev });

  /** Puts the entry on top of the recent ones once `work` succeeds; never fails because of that. */
  const using = async <T>(entryId: string, work: Promise<T>): Promise<T> => {
    const result = await work;
    const desk = await opened?.desk().catch(() => null);
    desk?.use(entryId).catch(() => undefined);
    return result;
  };

  async function openWith(keyring: Keyring, { bundle, isOffline }: Omit<InputOf<'unlock'>, 'masterPassword'>) {
    seen.clear();
    requireNoRollback(bundle.documents);
    const documentOf = (name: string) => bundle.documents.find((document) => document.name === name) ?? null;
    opened = await openSession(keyring, {
      deviceStore,
      browser,
      isOffline,
      document: documentOf('trust'),
      pins: documentOf('pins'),
      deskDocument: documentOf('desk'),
      isMarked: keyring.isMadeWithRecord,
    });
    if (openService !== undefined && opened.book.record() === null) await opened.book.begin(EMPTY_RECORD);
    return { userId: keyring.userId };
  }

  return {
    ...groupServices(session),
    ...peopleServices(session),
    ...trustServices(session),
    ...memberServices(session),
    ...deskServices(session),
    ...importServices(session, device.deriveForFile),
    ...lateServices(session, device.deriveForFile),
    ...recoveryKitServices({ kdf, session, checkUsable, throwWrongPassword }),
    ...withUse(offlineServices(session, device), using),

    async createAccount({ userId, masterPassword, inviter }) {
      checkUsable(masterPassword);
      const now = Math.floor(Date.now() / 1000);
      const record = inviter === undefined ? EMPTY_RECORD : withDecidedKey(EMPTY_RECORD, inviter, 'invite', now);
      const made = await createKeyring({ userId, masterPassword, kdf, trust: { record, replaces: 0 } });
      made.keyring.lock();
      const { bundle, trust } = made;
      return { keyBundle: { ...bundle, slots: [...bundle.slots], certificate: { ...bundle.certificate } }, trust };
    },

    async unlock({ masterPassword, ...keys }) {
      if (openService !== undefined) return openWith(await openService(keys.bundle), { ...keys, isOffline: true });
      return openWith(await unlock({ bundle: keys.bundle, masterPassword, kdf }).catch(throwWrongPassword), keys);
    },

    async createServiceKeys(account) {
      const { createServiceKeys } = await device.load('service-keys', () => import('./service-keys.ts'));
      return createServiceKeys(account);
    },

    async unlockWithPasskey({ slotId, prf, ...keys }) {
      const bytes = new Uint8Array(prf);
      const opening = unlockWithPasskey({ bundle: keys.bundle, slotId, prf: bytes }).finally(() => bytes.fill(0));
      const keyring = await opening.catch((failure: unknown) => {
        const isOther = failure instanceof CryptoError && failure.code === 'commit';
        throw isOther ? trustError('other_passkey', { detail: failure.code }) : failure;
      });
      return openWith(keyring, keys);
    },

    async wrapForPasskey({ prf, ...wrapping }) {
      const bytes = new Uint8Array(prf);
      const making = wrapForPasskey({ ...wrapping, prf: bytes, kdf }).finally(() => bytes.fill(0));
      return making.catch(throwWrongPassword);
    },

    unlockWithRecoveryKey: async ({ recoveryKey: typed, ...keys }) =>
      withRecoveryKey(typed, async (recoveryKey) =>
        openWith(await unlockWithRecoveryKey({ bundle: keys.bundle, recoveryKey }), keys),
      ),

    async sealField({ place, content: plain }) {
      const key = sealingKeyOf(await sealingGroupOf(place));
      const content = contentToSeal(place.type, plain);
      return using(
        place.entryId,
        sealField(key, place, content).finally(() => wipeContent(content)),
      );
    },

    async sealFile({ place, title, name, mime, file }) {
      const key = sealingKeyOf(await sealingGroupOf(place));
      const bytes = new Uint8Array(await file.arrayBuffer());
      const named = { name: wellFormed(name), mime, bytes };
      const { body, secret } = await sealFile(place.fieldId, named).finally(() => bytes.fill(0));
      const content: FieldContent = { type: 'file', title: wellFormed(title), file: secret };
      const revision = await sealField(key, place, content).finally(() => wipeContent(content));
      return using(place.entryId, Promise.resolve({ revision, body: new Blob([body]) }));
    },

    openEnvelope: async ({ place, envelope }) => openedContent(await using(place.entryId, open(place, envelope))),

    async openFile({ place, envelope, body }) {
      const content = await using(place.entryId, open(place, envelope));
      if (content.type !== 'file') throw new CryptoError('payload');
      const opening = openFile(place.fieldId, content.file, [new Uint8Array(body)]);
      const bytes = await opening.finally(() => wipeContent(content));
      return { content: openedContent(content), blob: new Blob([bytes], { type: 'application/octet-stream' }) };
    },

    reseal: async (request) =>
      using(request.place.entryId, resealRevision(await sealingGroupOf(request.place), request)),

    rewrap: async ({ fromGroupId, toGroupId, ...rows }, served) =>
      rewrapRows(
        await sealingGroupOf({ entryGroupId: fromGroupId }),
        groupOf({ entryGroupId: toGroupId }),
        rows,
        served,
      ),

    sealDraft: async (draft) => sealDocument(session().keyring, DRAFT, draft),

    openDraft: async ({ place, sealed }) =>
      openDocument(session().keyring, DRAFT, sealed, (raw) => {
        const draft = raw as InputOf<'sealDraft'>;
        if (draft.place !== place) throw new CryptoError('payload');
        return draft.text;
      }),

    prove: async ({ sessionId, method, path, body, now }) => {
      const bodyDigest = await digestOf(body);
      return prove(session().keyring, { sessionId, method, path, bodyDigest }, now);
    },

    async rekey({ newMasterPassword, documents, grants }) {
      checkUsable(newMasterPassword);
      const { keyring: own } = session();
      requireNoRollback(documents);
      const { keyring: made, wire } = await rekey(own, {
        masterPassword: newMasterPassword,
        kdf,
        documents,
        grants,
        // The old keys may be exposed, so their record is not trusted.
        record: null,
      });
      made.lock();
      const { key_bundle: bundle } = wire;
      return {
        key_bundle: { ...bundle, slots: [...bundle.slots] },
        documents: [...wire.documents],
        grants: [...wire.grants],
      };
    },

    changeMasterPassword: (request, served) => makeNewSlot(kdf, request, served),
  };
}

type Using = <T>(entryId: string, work: Promise<T>) => Promise<T>;

const withUse = (copy: CopyServices, using: Using): CopyServices => ({
  ...copy,
  openCopiedField: (input, served) => using(input.entryId, copy.openCopiedField(input, served)),
  openCopiedFile: (input, served) => using(input.entryId, copy.openCopiedFile(input, served)),
});

const DRAFT = { name: 'draft', n: 1 } as const;

/** The code loads at first use, not with every unlock. */
function offlineServices(
  session: () => OpenSession,
  { openCopies, load }: Pick<KeyringDevice, 'openCopies' | 'load'>,
): CopyServices {
  let loading: Promise<CopyServices> | null = null;

  async function loaded(): Promise<CopyServices> {
    loading ??= Promise.all([load('copy', () => import('./copy/copy-services.ts')), openCopies()]).then(
      ([{ copyServices }, copies]) => copyServices(session, copies),
    );
    // The next call retries.
    loading.catch(() => (loading = null));
    return loading;
  }

  const later =
    <Name extends OfflineCallName>(name: Name) =>
    async (input: InputOf<Name>, served: Served<Name>): Promise<OutputOf<Name>> => {
      const service = (await loaded())[name] as (input: InputOf<Name>, served: Served<Name>) => Promise<OutputOf<Name>>;
      return service(input, served);
    };

  return {
    prepareCopy: later('prepareCopy'),
    checkCopy: later('checkCopy'),
    takeCopy: later('takeCopy'),
    openCopy: later('openCopy'),
    closeCopy: later('closeCopy'),
    copiedFiles: later('copiedFiles'),
    copiedGroup: later('copiedGroup'),
    copiedMembers: later('copiedMembers'),
    copiedEntries: later('copiedEntries'),
    copiedFields: later('copiedFields'),
    copiedHistory: later('copiedHistory'),
    copiedSearch: later('copiedSearch'),
    copiedEntriesById: later('copiedEntriesById'),
    openCopiedGroup: later('openCopiedGroup'),
    openCopiedField: later('openCopiedField'),
    openCopiedFile: later('openCopiedFile'),
  };
}

/**
 * @throws KeyringError 'wrong_master_password' (old one), 'unusable_master_password' (new one); CryptoError
 * for a damaged slot
 */
export async function makeNewSlot(
  kdf: Kdf,
  request: InputOf<'changeMasterPassword'>,
  { onProgress }: Pick<Served<'changeMasterPassword'>, 'onProgress'>,
): Promise<OutputOf<'changeMasterPassword'>> {
  checkUsable(request.newMasterPassword);
  let derivations = 0;
  const told: Kdf = {
    ...kdf,
    argon2id: (...derivation) => {
      derivations += 1;
      onProgress(derivations === 1 ? 'trying' : 'locking');
      return kdf.argon2id(...derivation);
    },
  };
  try {
    const { slot_id, kdf: profile, salt_base64, blob_base64 } = await changeMasterPassword({ ...request, kdf: told });
    return { slot_id, kdf: profile, salt_base64, blob_base64 };
  } catch (failure) {
    return throwWrongPassword(failure);
  }
}

/** `password`: no slot can be made from this text. Other codes mean damage. */
function throwWrongPassword(failure: unknown): never {
  const isWrong = failure instanceof CryptoError && (failure.code === 'commit' || failure.code === 'password');
  throw isWrong ? new KeyringError({ code: 'wrong_master_password', detail: failure.code }) : failure;
}

function checkUsable(masterPassword: string): void {
  const problem = passwordProblem(masterPassword);
  if (problem !== null) throw new KeyringError({ code: 'unusable_master_password', detail: problem });
}
