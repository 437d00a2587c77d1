/** Calls about local copies (docs/spec/crypto.md §16). Sealing and opening happen in the worker. */
import type {
  Entry,
  Field,
  GroupAnswer,
  GroupHistory,
  GroupUserWithCertificate,
  SearchRow,
  TreeNode,
} from '@passwordbroker/core/contract/entities';
import type { OpenedContent } from './revisions/contents.ts';
import type { OpenedGroup } from './groups/member-calls.ts';

/** A file that the copy can keep. */
export interface CopiedFile {
  readonly groupId: string;
  readonly entryId: string;
  readonly fieldId: string;
  readonly rev: number;
  /** Bytes of the sealed body. */
  readonly bodySize: number;
}

/** The newest piece of a copy. */
export interface CopyHead {
  /** Unix seconds, server clock. */
  readonly timestamp: number;
  /** Start of the next sync. */
  readonly cursor: string;
  /** Increases with each write: another value means that another tab has written. */
  readonly step: number;
}

type CheckedCopy =
  | ({ readonly state: 'found' } & CopyHead)
  | { readonly state: 'missing' }
  | { readonly state: 'corrupted'; readonly reason: 'damaged' | 'rolled back' };

export type TakenCopy = CopyHead & {
  readonly isWhole: boolean;
  /** New or changed files of a change. */
  readonly files: readonly CopiedFile[];
  /** Field ids of files that the change removed. */
  readonly goneFiles: readonly string[];
};

interface Origin {
  /** Server of the copy. */
  readonly origin: string;
}

interface Place {
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
   * Before unlock: loads the code and starts to read this person's sealed pieces; opens nothing. Errors
   * appear at first use. Null: drops what was read.
   */
  prepareCopy: Call<(Origin & { readonly userId: string }) | null, null>;
  /** Verifies every byte of the stored copy. */
  checkCopy: Call<Origin, CheckedCopy>;
  /**
   * Checks and seals the server's answer, and stores it as a new copy or as a change.
   * @throws KeyringError 'offline_copy', `detail`: 'answer' (invalid or does not fit), 'older', 'moved on'
   * (another tab wrote), 'full' (no space)
   */
  takeCopy: Call<Origin & { readonly answer: ArrayBuffer; readonly since: string | null }, TakenCopy>;
  /** @throws KeyringError 'offline_copy' with `detail`: 'missing', 'damaged', 'rolled back' */
  openCopy: Call<Origin, { readonly timestamp: number; readonly trees: readonly TreeNode[] }>;
  closeCopy: Call<null, null>;
  copiedFiles: Call<Origin, readonly CopiedFile[]>;

  copiedGroup: Call<{ readonly groupId: string }, GroupAnswer | null>;
  copiedMembers: Call<{ readonly groupId: string }, readonly GroupUserWithCertificate[] | null>;
  copiedEntries: Call<{ readonly groupId: string }, readonly Entry[] | null>;
  copiedFields: Call<{ readonly groupId: string; readonly entryId: string }, readonly Field[] | null>;
  /** Newest first. `field` null: the whole group; `before`: rows after that id. */
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
  /** Opens the group's key under the copy's lists, judged by this browser's record. */
  openCopiedGroup: Call<{ readonly groupId: string }, OpenedGroup | null>;
  /** The value of a field of an open group. `type`: as shown to the person. */
  openCopiedField: Call<
    Place & { readonly type: Field['type']; readonly rev: number },
    { readonly content: OpenedContent; readonly listed: Field } | null
  >;
  /** Null: no such field in the copy; `kept` false: its body is not in the copy. */
  openCopiedFile: Call<
    Origin & Place & { readonly rev: number },
    | { readonly kept: true; readonly content: OpenedContent; readonly listed: Field; readonly blob: Blob }
    | { readonly kept: false }
    | null
  >;
}

export type OfflineCallName = keyof OfflineCalls;
