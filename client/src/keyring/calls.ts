/** What the page asks of the worker. Keys never appear here: sealed bytes and revealed values only. */
import type { BodyOf } from '@passwordbroker/core/contract/endpoint';
import type { Envelope, KeyBundle, Wrap } from '@passwordbroker/core/contract/entities';
import type { rewrapped } from '@passwordbroker/core/contract/entries/entries';
import type * as ownKeys from '@passwordbroker/core/contract/account/own-keys';
import type { NewKeyBundle } from '@passwordbroker/core/contract/users/users';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';
import type { NewTrustDocument } from '@passwordbroker/core/domain/keyring/keyring';
import type { OwnGrantWire } from '@passwordbroker/core/domain/keyring/rekey';
import type { DecidedKey } from '@passwordbroker/core/domain/trust/trust-record';
import type * as z from 'zod/mini';
import type { ToProve } from '../transport/proofs.ts';
import type { MemberCalls } from './groups/member-calls.ts';
import type { OfflineCalls } from './offline-calls.ts';

export type * from './groups/member-calls.ts';
export type * from './offline-calls.ts';

/** Where a revision belongs; from what the person acted on (docs/spec/crypto.md §10). */
export interface SealedPlace {
  readonly entryGroupId: string;
  readonly entryId: string;
  readonly fieldId: string;
  readonly type: FieldType;
  readonly rev: number;
}

interface TotpParameters {
  readonly algorithm: TotpAlgorithm;
  readonly period: number;
}

/** What is sealed with a value, as the page may know it: without the file's key. */
export interface OpenedContent {
  readonly title: string;
  readonly login: string | null;
  readonly text: string;
  readonly totp: TotpParameters | null;
  readonly file: { readonly name: string; readonly mime: string; readonly size: number } | null;
}

export interface PlainContent {
  readonly title: string;
  readonly login?: string;
  readonly text?: string;
  readonly totp?: TotpParameters;
}

/** The sealed members of a revision, as the wire has them (docs/spec/api.md §3.9). */
interface SealedRevision {
  readonly rev: number;
  readonly crypto_profile: 'pb1';
  readonly gk_version: number;
  readonly cek_wrapped: string;
  readonly value_encrypted: string;
  readonly initialization_vector: string;
}

interface SealedFile {
  readonly revision: SealedRevision;
  readonly body: Blob;
}

/** What is sealed with a value beside the value itself: what the plain columns must repeat. */
export type SealedColumns = Omit<OpenedContent, 'text'>;

interface Resealed {
  readonly revision: SealedRevision;
  readonly columns: SealedColumns;
  /** Of a file whose body came along: the new one. */
  readonly body: Blob | null;
}

/** Content keys for the group that entries go to. */
interface Rewrapped {
  readonly target_gk_version: number;
  readonly rewraps: z.output<(typeof rewrapped)['rewraps']>;
}

/** How far a change of the master password is: the old one is tried, then the new lock is made. */
export type ChangePhase = 'trying' | 'locking';

interface NewPasswordSlot {
  readonly slot_id: string;
  readonly kdf: string;
  readonly salt_base64: string;
  readonly blob_base64: string;
}

/** A sealed import: the JSON of the batch and the sealed bodies by part name (docs/spec/api.md §3.10). */
export interface SealedImport {
  readonly batch: Blob;
  readonly bodies: readonly { readonly name: string; readonly body: Blob }[];
}

interface SealingProgress {
  readonly phase: 'reading' | 'sealing';
  readonly done: number;
  readonly total: number;
}

/** All that takes the place of the old keys, as `PUT keyBundle` has it. */
type NewKeys = BodyOf<typeof ownKeys.rekey>;

interface Call<Input, Output, Progress = never> {
  readonly input: Input;
  readonly output: Output;
  readonly progress: Progress;
}

interface Calls extends MemberCalls, OfflineCalls {
  /** New keys for a new person, and the trust record that belongs to them, with the key of the inviter; nothing of them stays in the worker. */
  createAccount: Call<
    { readonly userId: string; readonly masterPassword: string; readonly inviter?: DecidedKey },
    { readonly keyBundle: NewKeyBundle; readonly trust: NewTrustDocument }
  >;
  /** `isOffline`: the locked keys are those of an offline copy. */
  unlock: Call<
    {
      readonly bundle: KeyBundle;
      readonly masterPassword: string;
      readonly isOffline: boolean;
    },
    { readonly userId: string }
  >;
  sealField: Call<{ readonly place: SealedPlace; readonly content: PlainContent }, SealedRevision>;
  sealFile: Call<
    {
      readonly place: SealedPlace;
      readonly title: string;
      readonly name: string;
      readonly mime: string;
      readonly file: Blob;
    },
    SealedFile
  >;
  openEnvelope: Call<{ readonly place: SealedPlace; readonly envelope: Envelope }, OpenedContent>;
  openFile: Call<
    { readonly place: SealedPlace; readonly envelope: Envelope; readonly body: ArrayBuffer },
    { readonly content: OpenedContent; readonly blob: Blob }
  >;
  /**
   * Opens a revision and seals it as another one; the value never leaves the worker. `place.rev` is the new one. Without `body` a file keeps
   * the stored one and its key.
   */
  reseal: Call<
    {
      readonly place: SealedPlace;
      readonly from: Envelope;
      readonly title?: string;
      readonly body?: ArrayBuffer;
    },
    Resealed
  >;
  /** Every wrap from one group's key to another's, or none. Both groups must be open. */
  rewrap: Call<
    {
      readonly fromGroupId: string;
      readonly toGroupId: string;
      /** What the person moves: a row of another entry is refused. */
      readonly entryIds: readonly string[];
      readonly rows: readonly z.output<typeof Wrap>[];
      /** The list of the target that the person was shown, by its hash; absent: nobody was asked. */
      readonly toHash?: string | undefined;
    },
    Rewrapped,
    { readonly done: number; readonly total: number }
  >;
  /** New keys in the place of old ones that were never only the owner's. The old ones stay open, to prove with. */
  rekey: Call<
    {
      readonly newMasterPassword: string;
      readonly documents: KeyBundle['documents'];
      readonly grants: readonly OwnGrantWire[];
    },
    NewKeys
  >;
  prove: Call<{ readonly sessionId: string } & ToProve, string>;
  /** A new password slot; the keys in the worker stay open. */
  changeMasterPassword: Call<
    { readonly bundle: KeyBundle; readonly oldMasterPassword: string; readonly newMasterPassword: string },
    NewPasswordSlot,
    ChangePhase
  >;
  importKeepass: Call<{ readonly file: Blob; readonly rootName: string }, SealedImport, SealingProgress>;
}

export type CallName = keyof Calls;
export type InputOf<Name extends CallName> = Calls[Name]['input'];
export type OutputOf<Name extends CallName> = Calls[Name]['output'];
export type ProgressOf<Name extends CallName> = Calls[Name]['progress'];
