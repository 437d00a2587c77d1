/** Calls about the recovery kit. The key crosses as text, because a person reads and types it. */
import type { KeyBundle } from '@passwordbroker/core/contract/entities';
import type { StoredDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { WrittenRecoveryKey } from '@passwordbroker/core/domain/keyring/recovery-kit/recovery-key';

interface Call<Input, Output> {
  readonly input: Input;
  readonly output: Output;
  readonly progress: never;
}

export interface SentSlot {
  readonly slot_id: string;
  readonly kdf: string;
  readonly salt_base64: string;
  readonly blob_base64: string;
}

export interface SealedSettings {
  /** Version on the server; 0: none. */
  readonly replaces: number;
  readonly version: number;
  readonly blob_base64: string;
}

export interface RecoveryKitCalls {
  /** Nothing of the kit stays in the worker. @throws KeyringError 'wrong_master_password' */
  makeRecoveryKit: Call<
    { readonly bundle: KeyBundle; readonly masterPassword: string },
    { readonly written: WrittenRecoveryKey; readonly slot: SentSlot }
  >;
  /** Opens nothing. @throws KeyringError 'wrong_recovery_key' */
  tryRecoveryKey: Call<{ readonly bundle: KeyBundle; readonly recoveryKey: string }, null>;
  unlockWithRecoveryKey: Call<
    { readonly bundle: KeyBundle; readonly recoveryKey: string; readonly isOffline: boolean },
    { readonly userId: string }
  >;
  /** A password slot in place of a forgotten one. @throws KeyringError 'wrong_recovery_key', 'unusable_master_password' */
  replaceForgottenPassword: Call<
    { readonly bundle: KeyBundle; readonly recoveryKey: string; readonly newMasterPassword: string },
    SentSlot
  >;
  /**
   * When this person was first asked for a kit, Unix ms, as noted in the document `settings`. `sealed`: the
   * note to store, if there is none yet. A damaged document is left as it is.
   */
  kitAskedAt: Call<
    { readonly document: StoredDocument | null; readonly now: number },
    { readonly askedAt: number; readonly sealed: SealedSettings | null }
  >;
}
