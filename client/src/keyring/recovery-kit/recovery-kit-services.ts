import type { Bytes } from '@passwordbroker/core/crypto/bytes';
import { CryptoError } from '@passwordbroker/core/crypto/errors';
import type { Kdf } from '@passwordbroker/core/crypto/kdf';
import { openDocument, sealDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { SlotWire } from '@passwordbroker/core/domain/keyring/keyring-slot';
import { readRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';
import {
  makeRecoveryKit,
  openRecoverySlot,
  replaceForgottenPassword,
} from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-slot';
import { trustError } from '../keyring-error.ts';
import type { OpenSession } from '../open-session.ts';
import type { Services } from '../remote.ts';
import type { RecoveryKitCalls, SealedSettings, SentSlot } from './recovery-kit-calls.ts';

type Named = Exclude<keyof RecoveryKitCalls, 'unlockWithRecoveryKey'>;

interface Means {
  readonly kdf: Kdf;
  readonly session: () => OpenSession;
  /** @throws KeyringError 'unusable_master_password' */
  readonly checkUsable: (masterPassword: string) => void;
  /** @throws KeyringError 'wrong_master_password' for what says so, else the failure */
  readonly throwWrongPassword: (failure: unknown) => never;
}

export function recoveryKitServices(means: Means): Pick<Services, Named> {
  const { kdf, session, checkUsable, throwWrongPassword } = means;
  return {
    async makeRecoveryKit({ bundle, masterPassword }) {
      const making = makeRecoveryKit({ bundle, masterPassword, kdf });
      const { written, slot } = await making.catch(throwWrongPassword);
      return { written, slot: sentSlot(slot) };
    },

    tryRecoveryKey: async ({ bundle, recoveryKey }) =>
      withRecoveryKey(recoveryKey, async (key) => {
        const userKey = await openRecoverySlot(bundle, key);
        userKey.fill(0);
        return null;
      }),

    async replaceForgottenPassword({ recoveryKey, ...request }) {
      checkUsable(request.newMasterPassword);
      return withRecoveryKey(recoveryKey, async (key) =>
        sentSlot(await replaceForgottenPassword({ ...request, recoveryKey: key, kdf })),
      );
    },

    async kitAskedAt({ document, now }) {
      const { keyring } = session();
      const replaces = document?.version ?? 0;
      const present = document === null ? {} : await settingsIn(keyring, document);
      // Not written over: a newer version of this program may read it.
      if (present === null) return { askedAt: now, sealed: null };
      const noted = present[ASKED_AT];
      if (typeof noted === 'number' && noted <= now) return { askedAt: noted, sealed: null };
      const version = replaces + 1;
      const content = { ...present, v: 1, [ASKED_AT]: now };
      const blob_base64 = await sealDocument(keyring, { name: 'settings', n: version }, content);
      const sealed: SealedSettings = { replaces, version, blob_base64 };
      return { askedAt: now, sealed };
    },
  };
}

const ASKED_AT = 'recovery_kit_asked_at';

/** Null: damaged. @throws CryptoError `locked` */
async function settingsIn(
  keyring: OpenSession['keyring'],
  { version, blob_base64 }: { readonly version: number; readonly blob_base64: string | null },
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    return await openDocument(keyring, { name: 'settings', n: version }, blob_base64, (raw) => {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new CryptoError('payload');
      return raw as Readonly<Record<string, unknown>>;
    });
  } catch (failure) {
    if (failure instanceof CryptoError && failure.code !== 'locked') return null;
    throw failure;
  }
}

/** Wipes the bytes of the key. @throws KeyringError 'wrong_recovery_key' */
export async function withRecoveryKey<T>(typed: string, work: (key: Bytes) => Promise<T>): Promise<T> {
  const key = readRecoveryKey(typed);
  if (key === null) throw trustError('wrong_recovery_key', { detail: 'typing error' });
  try {
    return await work(key);
  } catch (failure) {
    const isOther = failure instanceof CryptoError && failure.code === 'commit';
    throw isOther ? trustError('wrong_recovery_key', { detail: failure.code }) : failure;
  } finally {
    key.fill(0);
  }
}

const sentSlot = ({ slot_id, kdf, salt_base64, blob_base64 }: SlotWire): SentSlot => ({
  slot_id,
  kdf,
  salt_base64,
  blob_base64,
});
