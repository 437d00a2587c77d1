/** What the worker does for the page. All keys live in this module's closure and go with the worker. */
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { verifyCertificate } from '@passwordbroker/core/domain/certificate';
import { openField, openFile, sealField, sealFile } from '@passwordbroker/core/domain/field';
import type { GroupKey } from '@passwordbroker/core/domain/grants';
import { createGroupKeys, openGroup } from '@passwordbroker/core/domain/group-keys';
import { createKeyring, unlock, type Keyring } from '@passwordbroker/core/domain/keyring';
import { type FieldContent, wipeContent } from '@passwordbroker/core/domain/payload';
import { digestOf, prove } from '@passwordbroker/core/domain/proof';
import type { SealedPlace } from './calls.ts';
import { contentToSeal, openedContent, wellFormed } from './contents.ts';
import { failingAs } from './describe-failure.ts';
import { KeyringError } from './keyring-error.ts';
import { checkUsable, makeNewSlot } from './new-slot.ts';
import { resealRevision } from './resealing.ts';
import { rewrapRows } from './rewrapping.ts';
import type { Services } from './remote.ts';

export function createServices(kdf: Kdf): Services {
  let opened: Keyring | null = null;
  const groupKeys = new Map<string, GroupKey>();

  const keyring = (): Keyring => {
    if (opened === null) throw new KeyringError({ code: 'locked' });
    return opened;
  };
  /** The verified key of a group. */
  const keyOf = ({ entryGroupId }: Pick<SealedPlace, 'entryGroupId'>): GroupKey => {
    const key = groupKeys.get(entryGroupId);
    if (key === undefined) throw new KeyringError({ code: 'key_mismatch', detail: 'not opened' });
    return key;
  };
  const open = async (place: SealedPlace, envelope: Parameters<typeof openField>[2]) => {
    const key = keyOf(place);
    if (envelope.gk_version !== key.version) throw new KeyringError({ code: 'key_mismatch', detail: 'version' });
    return openField(key, place, { ...envelope, rev: place.rev });
  };

  return {
    async createAccount({ userId, masterPassword }) {
      checkUsable(masterPassword);
      const { keyring: made, bundle } = await createKeyring({ userId, masterPassword, kdf });
      made.lock();
      return { ...bundle, slots: [...bundle.slots], certificate: { ...bundle.certificate } };
    },

    async unlock({ bundle, masterPassword }) {
      try {
        opened = await unlock({ bundle, masterPassword, kdf });
      } catch (failure) {
        // Only the slot can say that the password was wrong; `password` is a text that no slot was ever made from.
        const isWrong = failure instanceof CryptoError && (failure.code === 'commit' || failure.code === 'password');
        if (!isWrong) throw failure;
        throw new KeyringError({ code: 'wrong_master_password', detail: failure.code });
      }
      groupKeys.clear();
      return { userId: opened.userId };
    },

    createGroupKeys: ({ groupId, members }) =>
      failingAs('key_mismatch', async () => {
        const own = keyring();
        const others = await Promise.all(
          members
            .filter(({ certificate }) => certificate.user_id !== own.userId)
            .map(async ({ certificate, role }) => ({ identity: await verifyCertificate(certificate), role })),
        );
        const everyone = [{ identity: own.identity, role: 'admin' as const }, ...others];
        const { wire } = await createGroupKeys(own, { groupId, members: everyone, now: Date.now() });
        return { ...wire, grants: [...wire.grants] };
      }),

    openGroup: ({ groupId, roster }) =>
      failingAs('key_mismatch', async () => {
        const own = keyring();
        const { groupKey, self, roster: list } = await openGroup(own, roster, groupId);
        groupKeys.set(groupId, groupKey);
        const membership = self === null ? null : { role: self.role, isOwnKey: self.fingerprint === own.fingerprint };
        return {
          version: groupKey.version,
          membership,
          trust: list === null ? 'unsigned' : 'accepted',
          signed: list?.members ?? null,
        };
      }),

    async sealField({ place, content: plain }) {
      const content = contentToSeal(place.type, plain);
      return sealField(keyOf(place), place, content).finally(() => wipeContent(content));
    },

    async sealFile({ place, title, name, mime, file }) {
      const key = keyOf(place);
      const bytes = new Uint8Array(await file.arrayBuffer());
      const named = { name: wellFormed(name), mime, bytes };
      const { body, secret } = await sealFile(place.fieldId, named).finally(() => bytes.fill(0));
      const content: FieldContent = { type: 'file', title: wellFormed(title), file: secret };
      const revision = await sealField(key, place, content).finally(() => wipeContent(content));
      return { revision, body: new Blob([body]) };
    },

    openEnvelope: async ({ place, envelope }) => openedContent(await open(place, envelope)),

    async openFile({ place, envelope, body }) {
      const content = await open(place, envelope);
      if (content.type !== 'file') throw new CryptoError('payload');
      const opening = openFile(place.fieldId, content.file, [new Uint8Array(body)]);
      const bytes = await opening.finally(() => wipeContent(content));
      return { content: openedContent(content), blob: new Blob([bytes], { type: 'application/octet-stream' }) };
    },

    reseal: (request) => resealRevision(keyOf(request.place), request),

    rewrap: ({ fromGroupId, toGroupId, ...rows }, served) =>
      rewrapRows(keyOf({ entryGroupId: fromGroupId }), keyOf({ entryGroupId: toGroupId }), rows, served),

    prove: async ({ sessionId, method, path, body, now }) => {
      const bodyDigest = await digestOf(body);
      return prove(keyring(), { sessionId, method, path, bodyDigest }, now);
    },

    changeMasterPassword: (request, served) => makeNewSlot(kdf, request, served),

    async importKeepass(request, served) {
      const own = keyring();
      // Its reader is loaded when somebody imports, not with every unlock.
      const { sealImport } = await import('./import-sealing.ts');
      return sealImport(own, request, served);
    },
  };
}
