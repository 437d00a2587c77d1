/** What the page asks of the worker about local copies (docs/spec/crypto.md §16): it seals and opens them, and what is opened stays with it. */
import type {
  Entry,
  Field,
  GroupAnswer,
  GroupHistory,
  GroupUserWithCertificate,
  SearchRow,
  TreeNode,
} from '@passwordbroker/core/contract/entities';
import type { OpenedContent } from './calls.ts';
import type { OpenedGroup } from './groups/member-calls.ts';

/** Where a file is, and how much of it there is to keep. */
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
  /** Unix seconds of the server's clock. */
  readonly timestamp: number;
  /** From where the server goes on. */
  readonly cursor: string;
  /** Counts what was stored: another one, and another tab has written. */
  readonly step: number;
}

type CheckedCopy =
  | ({ readonly state: 'found' } & CopyHead)
  | { readonly state: 'missing' }
  | { readonly state: 'corrupted'; readonly reason: 'damaged' | 'rolled back' };

export type TakenCopy = CopyHead & {
  readonly isWhole: boolean;
  /** Of a change: those that are new or others than before. */
  readonly files: readonly CopiedFile[];
  /** Of a change: fields of files that are not in the copy any more. */
  readonly goneFiles: readonly string[];
};

interface Origin {
  /** Origin of the server that the copy is of. */
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

/** `null` for what is not in the copy. Reads throw KeyringError 'offline_copy' while none is open. */
export interface OfflineCalls {
  /**
   * Before there are keys: fetches the code, and, where it is said whose copy comes next, begins to read its sealed pieces, once. Nothing is opened. What
   * cannot be read now is read when it is needed. null: what was read is dropped.
   */
  prepareCopy: Call<(Origin & { readonly userId: string }) | null, null>;
  /** Every byte of the stored copy. */
  checkCopy: Call<Origin, CheckedCopy>;
  /**
   * Checks the server's answer, seals it and stores it: in place of the copy, or behind it.
   * @throws KeyringError 'offline_copy' with `detail`: 'answer' (not of the contract, does not fit together, or not to this copy), 'older' (than the copy), 'moved on' (another
   * tab came first), 'full' (no room in this browser)
   */
  takeCopy: Call<Origin & { readonly answer: ArrayBuffer; readonly since: string | null }, TakenCopy>;
  /** @throws KeyringError 'offline_copy' with `detail`: 'missing', 'damaged', 'rolled back' */
  openCopy: Call<Origin, { readonly timestamp: number; readonly trees: readonly TreeNode[] }>;
  closeCopy: Call<null, null>;
  /** All files of the stored copy. */
  copiedFiles: Call<Origin, readonly CopiedFile[]>;

  copiedGroup: Call<{ readonly groupId: string }, GroupAnswer | null>;
  copiedMembers: Call<{ readonly groupId: string }, readonly GroupUserWithCertificate[] | null>;
  copiedEntries: Call<{ readonly groupId: string }, readonly Entry[] | null>;
  copiedFields: Call<{ readonly groupId: string; readonly entryId: string }, readonly Field[] | null>;
  /** As far as the copy knows it, newest first; `field` null: of the whole group, `before`: behind that row. */
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
  /** Opens the group's key under the lists of the copy, as this device accepts them. */
  openCopiedGroup: Call<{ readonly groupId: string }, OpenedGroup | null>;
  /** The value of a field whose group is open. `type`: of what was clicked. */
  openCopiedField: Call<
    Place & { readonly type: Field['type']; readonly rev: number },
    { readonly content: OpenedContent; readonly listed: Field } | null
  >;
  /** A file from its kept body. null: the copy has no such field; `kept` false: its body was not kept. */
  openCopiedFile: Call<
    Origin & Place & { readonly rev: number },
    | { readonly kept: true; readonly content: OpenedContent; readonly listed: Field; readonly blob: Blob }
    | { readonly kept: false }
    | null
  >;
}

export type OfflineCallName = keyof OfflineCalls;
