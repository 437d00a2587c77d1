/** Calls to the keyring worker. They carry sealed bytes and revealed values, never keys. */
import type { NewCredentialWire } from '@passwordbroker/core/domain/keyring/service/service-keyring';
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Envelope, KeyBundle, Wrap } from '@passwordbroker/core/contract/entities';
import type { rewrapped } from '@passwordbroker/core/contract/entries/entries';
import type * as ownKeys from '@passwordbroker/core/contract/account/own-keys';
import type { NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import type { NewTrustDocument } from '@passwordbroker/core/domain/keyring/keyring';
import type { PasskeyPlace } from '@passwordbroker/core/domain/keyring/passkey-slot';
import type { OwnGrantWire } from '@passwordbroker/core/domain/keyring/rekey';
import type { FieldContext } from '@passwordbroker/core/domain/fields/field';
import type { DeskChange, Favourite, SavedSearch } from '@passwordbroker/core/domain/desk';
import type { StoredDocument } from '@passwordbroker/core/domain/keyring/documents';
import type { DecidedKey } from '@passwordbroker/core/domain/trust/trust-record';
import type * as z from 'zod/mini';
import type { ToProve } from '../transport/proofs.ts';
import type { ExportCalls } from './exports/export-calls.ts';
import type { MemberCalls } from './groups/member-calls.ts';
import type { ImportCalls } from './imports/import-calls.ts';
import type { OfflineCalls } from './offline-calls.ts';
import type { SiteCalls } from './sites/site-calls.ts';
import type { RecoveryKitCalls } from './recovery-kit/recovery-kit-calls.ts';
import type { OpenedContent, ContentToSeal, SealedColumns } from './revisions/contents.ts';

export type * from './groups/member-calls.ts';
export type * from './imports/import-calls.ts';
export type * from './offline-calls.ts';
export type { OpenedContent, ContentToSeal, SealedColumns, FieldContext };

/** docs/spec/api.md §3.9. */
interface SealedRevision {
  readonly rev: number;
  readonly crypto_profile: 'pb1';
  readonly gk_version: number;
  readonly cek_wrapped: string;
  readonly value_encrypted: string;
  readonly initialization_vector: string;
  readonly site_sealed?: string;
}

interface SealedFile {
  readonly revision: SealedRevision;
  readonly body: Blob;
}

interface Resealed {
  readonly revision: SealedRevision;
  readonly columns: SealedColumns;
  readonly body: Blob | null;
}

interface Rewrapped {
  readonly target_gk_version: number;
  readonly rewraps: z.output<(typeof rewrapped)['rewraps']>;
}

/** `trying` the old password, `locking` with the new one. */
export type ChangePhase = 'trying' | 'locking';

interface NewSlot {
  readonly slot_id: string;
  readonly kdf: string;
  readonly salt_base64: string;
  readonly blob_base64: string;
}

export interface DeskView {
  /** Oldest first. */
  readonly favourites: readonly Pick<Favourite, 'kind' | 'id'>[];
  readonly searches: readonly Pick<SavedSearch, 'id' | 'name' | 'query'>[];
  /** Ids of entries, the last used first. */
  readonly recent: readonly string[];
  /** The server's document does not open; it is not written until `beginDesk`. */
  readonly isDamaged: boolean;
}

export interface SealedDesk {
  /** Version on the server; 0: none. */
  readonly replaces: number;
  readonly version: number;
  readonly blob_base64: string;
}

type NewKeys = BodyOf<typeof ownKeys.rekey>;

interface Call<Input, Output, Progress = never> {
  readonly input: Input;
  readonly output: Output;
  readonly progress: Progress;
}

interface Calls extends ExportCalls, ImportCalls, MemberCalls, OfflineCalls, RecoveryKitCalls, SiteCalls {
  /** Nothing of them stays in the worker. */
  createAccount: Call<
    { readonly userId: string; readonly masterPassword: string; readonly inviter?: DecidedKey },
    { readonly keyBundle: NewKeyBundle; readonly trust: NewTrustDocument }
  >;
  /** `isOffline`: the locked keys are an offline copy's. */
  unlock: Call<
    {
      readonly bundle: KeyBundle;
      readonly masterPassword: string;
      readonly isOffline: boolean;
    },
    { readonly userId: string }
  >;
  /** `prf` is the output of the passkey of this slot; the worker wipes it. */
  unlockWithPasskey: Call<
    {
      readonly bundle: KeyBundle;
      readonly slotId: string;
      readonly prf: ArrayBuffer;
      readonly isOffline: boolean;
    },
    { readonly userId: string }
  >;
  /** A wrap of the user key for a passkey; the worker wipes `prf`. */
  wrapForPasskey: Call<
    {
      readonly bundle: KeyBundle;
      readonly masterPassword: string;
      readonly passkey: PasskeyPlace;
      readonly prf: ArrayBuffer;
    },
    NewSlot
  >;
  /** Nothing of them stays in the worker. `text` is the credential, to be shown once. */
  createServiceKeys: Call<
    { readonly userId: string; readonly origin: string; readonly keysetVersion: number },
    {
      readonly key_bundle: Omit<NewKeyBundle, 'slots'>;
      readonly credential: NewCredentialWire;
      readonly text: string;
      readonly fingerprint: string;
    }
  >;
  sealField: Call<{ readonly place: FieldContext; readonly content: ContentToSeal }, SealedRevision>;
  sealFile: Call<
    {
      readonly place: FieldContext;
      readonly title: string;
      readonly name: string;
      readonly mime: string;
      readonly file: Blob;
    },
    SealedFile
  >;
  openEnvelope: Call<{ readonly place: FieldContext; readonly envelope: Envelope }, OpenedContent>;
  openFile: Call<
    { readonly place: FieldContext; readonly envelope: Envelope; readonly body: ArrayBuffer },
    { readonly content: OpenedContent; readonly blob: Blob }
  >;
  /**
   * Seals a revision as `place.rev`; the value stays in the worker. Without `body` a file keeps the stored
   * one and its key.
   */
  reseal: Call<
    {
      readonly place: FieldContext;
      readonly from: Envelope;
      readonly title?: string;
      readonly body?: ArrayBuffer;
    },
    Resealed
  >;
  /** All wraps or none. Both groups must be open. */
  rewrap: Call<
    {
      readonly fromGroupId: string;
      readonly toGroupId: string;
      /** Rows of other entries are rejected. */
      readonly entryIds: readonly string[];
      readonly rows: readonly z.output<typeof Wrap>[];
      /** The target's list that the person was shown; absent: not asked. */
      readonly toHash?: string | undefined;
    },
    Rewrapped,
    { readonly done: number; readonly total: number }
  >;
  /** Replaces keys that others may know. The old ones stay open, for the proof. */
  rekey: Call<
    {
      readonly newMasterPassword: string;
      readonly documents: KeyBundle['documents'];
      readonly grants: readonly OwnGrantWire[];
    },
    NewKeys
  >;
  /** What is typed in the form at `place`, for `openDraft` after a lock. Rejects if it is too long. */
  sealDraft: Call<{ readonly place: string; readonly text: string }, string>;
  /** Rejects for another place or account, and after the keys were replaced. */
  openDraft: Call<{ readonly place: string; readonly sealed: string }, string>;
  prove: Call<{ readonly sessionId: string } & ToProve, string>;
  /** The keys in the worker stay open. */
  changeMasterPassword: Call<
    { readonly bundle: KeyBundle; readonly oldMasterPassword: string; readonly newMasterPassword: string },
    NewSlot,
    ChangePhase
  >;
  desk: Call<null, DeskView>;
  /** @throws KeyringError 'favourites_full', 'searches_full' */
  changeDesk: Call<DeskChange, DeskView>;
  /** Notes use of an entry that opens nothing, such as copying a login. */
  useEntry: Call<{ readonly entryId: string }, DeskView>;
  /** Null: nothing to write. */
  sealDesk: Call<null, SealedDesk | null>;
  deskStored: Call<{ readonly version: number }, DeskView>;
  readDesk: Call<{ readonly document: StoredDocument | null }, DeskView>;
  /** Replaces a damaged document. */
  beginDesk: Call<null, DeskView>;
}

export type CallName = keyof Calls;
export type InputOf<Name extends CallName> = Calls[Name]['input'];
export type OutputOf<Name extends CallName> = Calls[Name]['output'];
export type ProgressOf<Name extends CallName> = Calls[Name]['progress'];
