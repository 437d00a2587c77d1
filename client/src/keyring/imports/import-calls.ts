/** Calls of an import. What a file holds stays in the worker; the page sees names, kinds and counts. */
import type { Bytes } from '@passwordbroker/core/crypto/bytes';
import type { ColumnChoice, TableLook } from '@passwordbroker/core/domain/exchange/csv/meanings';
import type { Needs } from '@passwordbroker/core/domain/exchange/formats';
import type { Envelope, Field } from '@passwordbroker/core/contract/entities';
import type { MemberCalls } from '../groups/member-calls.ts';
import type { FieldContext } from '@passwordbroker/core/domain/fields/field';
import type { SkippedThing } from '@passwordbroker/core/domain/exchange/tree';

interface Call<Input, Output, Progress = never> {
  readonly input: Input;
  readonly output: Output;
  readonly progress: Progress;
}

export interface FileKind {
  readonly id: string;
  /** 'KeePass XML 2.x' */
  readonly label: string;
  /** What the person gives before the file is read. */
  readonly needs: Needs;
  readonly takesKeyFile: boolean;
  /** The kind of file of the same program that holds more: 'KDBX'. */
  readonly better?: string | undefined;
}

export interface DetectedFile extends FileKind {
  /** Bytes of the largest file of its kind. */
  readonly limit: number;
  /** The first rows of a CSV file, with what its columns may mean. */
  readonly table: TableLook | null;
  /** Every kind, because the person may know better. */
  readonly kinds: readonly FileKind[];
}

export interface ImportSource {
  readonly file: Blob;
  /** Of `FileKind`. */
  readonly kind: string;
  readonly password?: string;
  readonly keyFile?: Bytes;
  readonly columns?: ColumnChoice;
}

/** What the worker has read; nothing of it is a value. */
export interface ReadFile {
  /** For `sealImport`, until `dropImport`, a lock, another file, or ten minutes later. */
  readonly handle: number;
  readonly counts: {
    readonly groups: number;
    readonly entries: number;
    readonly fields: number;
    /** Former versions of fields. */
    readonly versions: number;
    readonly files: number;
    /** Of all files with their former versions. */
    readonly fileBytes: number;
  };
  /** Parents before children; the first is the root, without a name. */
  readonly groups: readonly { readonly name: string; readonly parent: number | null }[];
  readonly entries: readonly ReadEntry[];
  readonly skipped: readonly SkippedThing[];
}

export interface ReadEntry {
  /** Index in `groups`. */
  readonly group: number;
  readonly title: string;
  /** Bits by index in `FIELD_TYPES`: the kinds of its fields. */
  readonly kinds: number;
  readonly fields: number;
}

/** `opening`: a key is derived; seconds, of about `total` ones. Otherwise bytes read or fields sealed. */
export interface ImportWork {
  readonly phase: 'opening' | 'reading' | 'sealing';
  readonly done: number;
  readonly total: number;
}

/** One request (docs/spec/api.md §3.10). */
export interface SealedPart {
  /** Null: only bodies. */
  readonly batch: Blob | null;
  /** By part name. */
  readonly bodies: readonly { readonly name: string; readonly body: Blob }[];
  /** Of the form. */
  readonly size: number;
}

/** Several parts only if one request is too small. */
export interface SealedImport {
  readonly parts: readonly SealedPart[];
}

interface ExistingEntry {
  /** Index in `groups` of the file; null: in another group. */
  readonly group: number | null;
  readonly title: string;
  readonly login: string | null;
  /** Of its site rules; without any, the hosts of links do not count. */
  readonly hosts: readonly string[];
}

interface IntoGroups {
  /** For each group of the file the existing one of the same path, or null for a new one. The first is not null. */
  readonly groups: readonly (string | null)[];
  /** Names from the root down, of each existing group. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Members of the existing groups, who are those of new groups below them; null: new groups have the importer alone. */
  readonly listed: Readonly<Record<string, MemberCalls['addMember']['input']['listed']>> | null;
  /** Those of `pairImport` that become revisions of existing entries: indices in `entries` of the file. */
  readonly revise: readonly number[];
}

/** A field whose title or value is not the same in both entries. */
export interface DifferingField {
  /** Index in `entries` of the file. */
  readonly at: number;
  readonly title: string;
}

/** An existing entry that an entry of the file revises. */
interface PairedEntry {
  /** Index in `entries` of the file. */
  readonly at: number;
  readonly entryGroupId: string;
  readonly entryId: string;
  readonly fields: readonly Field[];
}

/** They reject with KeyringError 'import_file', whose `detail` is the code of an ExchangeError. */
export interface ImportCalls {
  /** Needs no open keys. */
  detectImport: Call<{ readonly file: Blob }, DetectedFile>;
  readImport: Call<ImportSource, ReadFile, ImportWork>;
  /** Entries of the file that look like existing ones: same folded title, same login, same host of the first link. */
  compareImport: Call<
    { readonly handle: number; readonly existing: readonly ExistingEntry[] },
    {
      /** In the group of the same path. */
      readonly same: readonly {
        readonly at: number;
        /** Index of the first of `existing` that no other entry has; null if there is none left. */
        readonly existing: number | null;
      }[];
      /** Of the others: in another group. */
      readonly elsewhere: readonly { readonly at: number; readonly existing: number }[];
    }
  >;
  /** Pairs fields of these entries by kind and title. `open`: those whose values are to be compared. */
  pairImport: Call<
    { readonly handle: number; readonly entries: readonly PairedEntry[] },
    {
      readonly open: readonly { readonly entryGroupId: string; readonly entryId: string; readonly field: Field }[];
      /** Fields that only one of both entries has. */
      readonly differing: readonly DifferingField[];
    }
  >;
  /** Opens present values beside those of the file; both stay in the worker. @throws KeyringError for a closed group */
  compareValues: Call<
    {
      readonly handle: number;
      readonly values: readonly { readonly place: FieldContext; readonly envelope: Envelope }[];
    },
    readonly DifferingField[]
  >;
  /** As a new tree; with `into` into groups that were opened. @throws KeyringError as for a new group */
  sealImport: Call<
    {
      readonly handle: number;
      readonly rootName: string;
      /** Indices in `entries`. */
      readonly without: readonly number[];
      readonly into?: IntoGroups;
    },
    SealedImport,
    ImportWork
  >;
  dropImport: Call<{ readonly handle: number }, null>;
}
