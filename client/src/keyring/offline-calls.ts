/** Calls about local copies (docs/spec/crypto.md §16). Sealing and opening happen in the worker. */
import type {
  Field,
  GroupAnswer,
  GroupHistory,
  GroupUserWithCertificate,
  ListedEntry,
  SearchRow,
  TreeNode,
} from '@passwordbroker/core/contract/entities';
import type { OpenedContent } from './revisions/contents.ts';
import type { OpenedGroup } from './groups/member-calls.ts';

export interface CopiedFile {
  readonly groupId: string;
  readonly entryId: string;
  readonly fieldId: string;
  readonly rev: number;
  /** Bytes of the sealed body. */
  readonly bodySize: number;
}

/** The newest piece. */
export interface CopyHead {
  /** Unix seconds, server clock. */
  readonly timestamp: number;
  /** Start of the next sync. */
  readonly cursor: string;
  /** A higher value: another tab has written. */
  readonly step: number;
}

type CheckedCopy =
  | ({ readonly state: 'found' } & CopyHead)
  | { readonly state: 'missing' }
  | { readonly state: 'corrupted'; readonly reason: 'damaged' | 'rolled back' };

export type TakenCopy = CopyHead & {
  readonly isWhole: boolean;
  /** New or changed files. */
  readonly files: readonly CopiedFile[];
  /** Field ids. */
  readonly goneFiles: readonly string[];
};

interface Origin {
  readonly origin: string;
}

interface FieldIds {
  readonly groupId: string;
  readonly entryId: string;
  readonly fieldId: string;
}

interface Call<Input, Output, Progress = never> {
  readonly input: Input;
  readonly output: Output;
  readonly progress: Progress;
}

/** Null: not in the copy. Reads throw KeyringError 'offline_copy' while none is open. */
export interface OfflineCalls {
  /**
   * Before unlock: starts to read this person's sealed pieces. Errors appear at first use. Null: drops them.
   */
  prepareCopy: Call<(Origin & { readonly userId: string }) | null, null>;
  /** Verifies every byte. */
  checkCopy: Call<Origin, CheckedCopy>;
  /**
   * Checks, seals and stores the server's answer.
   * @throws KeyringError 'offline_copy', `detail`: 'answer' (invalid or does not fit), 'older', 'moved on'
   * (another tab wrote), 'full'
   */
  takeCopy: Call<Origin & { readonly answer: ArrayBuffer; readonly since: string | null }, TakenCopy>;
  /** @throws KeyringError 'offline_copy' with `detail`: 'missing', 'damaged', 'rolled back' */
  openCopy: Call<Origin, { readonly timestamp: number; readonly trees: readonly TreeNode[] }>;
  closeCopy: Call<null, null>;
  copiedFiles: Call<Origin, readonly CopiedFile[]>;

  copiedGroup: Call<{ readonly groupId: string }, GroupAnswer | null>;
  copiedMembers: Call<{ readonly groupId: string }, readonly GroupUserWithCertificate[] | null>;
  copiedEntries: Call<{ readonly groupId: string }, readonly ListedEntry[] | null>;
  copiedFields: Call<{ readonly groupId: string; readonly entryId: string }, readonly Field[] | null>;
  /** Newest first. `before`: rows after that id. */
  copiedHistory: Call<
    {
      readonly groupId: string;
      readonly field: { readonly entryId: string; readonly fieldId: string } | null;
      readonly before: string | null;
      readonly limit: number;
    },
    readonly GroupHistory[] | null
  >;
  copiedSearch: Call<
    { readonly query: string; readonly page: number; readonly perPage: number },
    {
      readonly data: SearchRow[];
      readonly current_page: number;
      readonly last_page: number;
      readonly per_page: number;
      readonly total: number;
    }
  >;
  copiedEntriesById: Call<{ readonly entryIds: readonly string[] }, readonly SearchRow[]>;
  openCopiedGroup: Call<{ readonly groupId: string }, OpenedGroup | null>;
  /** `type`: as shown to the person. */
  openCopiedField: Call<
    FieldIds & { readonly type: Field['type']; readonly rev: number },
    { readonly content: OpenedContent; readonly listed: Field } | null
  >;
  /** `kept` false: the body is not in the copy. */
  openCopiedFile: Call<
    Origin & FieldIds & { readonly rev: number },
    | { readonly kept: true; readonly content: OpenedContent; readonly listed: Field; readonly blob: Blob }
    | { readonly kept: false }
    | null
  >;
}

export type OfflineCallName = keyof OfflineCalls;
