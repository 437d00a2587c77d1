/**
 * The vault as one interface (architecture, point 5): reads without secrets, reveals, and writes. `write` is null where nothing can be
 * written. Every reveal opens one envelope in the crypto worker; who calls it holds the value and nobody else does.
 */
import type {
  Entry,
  Field,
  FieldHistory,
  GroupAnswer,
  GroupUserWithCertificate,
  Operation,
  SearchRow,
  TreeNode,
} from '@passwordbroker/core/contract/entities';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { importFile } from '@passwordbroker/core/contract/import';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/field-kinds';

export interface EntryPath {
  readonly entryGroupId: string;
  readonly entryId: string;
}

/** What was clicked: place and type are taken from here, never from an answer (crypto.md §10). */
export interface FieldPath extends EntryPath {
  readonly field: Field;
}

/** What was sealed with the value and differs from what the list says (crypto.md §1.6). */
export type Disagreement = 'title' | 'login' | 'totp' | 'file';

export interface Revealed {
  readonly type: FieldType;
  readonly title: string;
  /** Passwords only. */
  readonly login: string | null;
  /** The text of a password, link or note; the base32 secret of a TOTP; empty for a file. */
  readonly text: string;
  readonly totp: { readonly algorithm: TotpAlgorithm; readonly period: number } | null;
  readonly file: { readonly name: string; readonly mime: string; readonly size: number } | null;
  readonly disagreements: readonly Disagreement[];
}

interface OpenedFile {
  readonly revealed: Revealed;
  /** `application/octet-stream`, whatever it is: it is saved, never shown (crypto.md §11). */
  readonly blob: Blob;
}

interface Page<T> {
  readonly data: readonly T[];
  readonly current_page: number;
  readonly last_page: number;
  readonly per_page: number;
  readonly total: number;
}

interface SearchRequest {
  readonly query: string;
  readonly page: number;
  readonly perPage: number;
}

/** 0 to 1. */
type OnFraction = (fraction: number) => void;

export interface Watched {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnFraction;
}

export interface VaultRead {
  tree(signal?: AbortSignal): Promise<readonly TreeNode[]>;
  group(groupId: string, signal?: AbortSignal): Promise<GroupAnswer>;
  members(groupId: string, signal?: AbortSignal): Promise<readonly GroupUserWithCertificate[]>;
  entries(groupId: string, signal?: AbortSignal): Promise<readonly Entry[]>;
  fields(path: EntryPath, signal?: AbortSignal): Promise<readonly Field[]>;
  search(request: SearchRequest, signal?: AbortSignal): Promise<Page<SearchRow>>;
  /** Newest first. */
  history(path: FieldPath, signal?: AbortSignal): Promise<readonly FieldHistory[]>;
  /** Witnessed by the server (decision K2). @throws KeyringError 'locked' */
  reveal(path: FieldPath, signal?: AbortSignal): Promise<Revealed>;
  /** The value as of a history row. */
  revealRevision(path: FieldPath, row: FieldHistory, signal?: AbortSignal): Promise<Revealed>;
  openFile(path: FieldPath, watched?: Watched): Promise<OpenedFile>;
}

export interface NewGroup {
  readonly name: string;
  /** null: a new tree. */
  readonly parentId: string | null;
  /** 'Same members as the parent' (decision G3). */
  readonly sameMembers: boolean;
}

export type NewField = { readonly title: string } & (
  | { readonly type: 'password'; readonly login: string; readonly value: string }
  | { readonly type: 'link' | 'note'; readonly value: string }
  | { readonly type: 'TOTP'; readonly value: string; readonly algorithm: TotpAlgorithm; readonly period: number }
  | { readonly type: 'file'; readonly file: File }
);

export interface ImportProgress {
  readonly phase: 'reading' | 'sealing' | 'uploading' | 'storing';
  /** Bytes while reading and uploading, fields while sealing. */
  readonly done: number;
  readonly total: number;
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export type Imported = AnswerOf<typeof importFile>;

export interface VaultWrite {
  createGroup(group: NewGroup): Promise<GroupAnswer>;
  createEntry(groupId: string, title: string): Promise<Entry>;
  createField(path: EntryPath, field: NewField, watched?: Watched): Promise<Field>;
  /** One KeePass XML 2.x file as a new tree, all or nothing (decision H7). */
  importFile(file: File, options?: ImportOptions): Promise<Imported>;
  undo(operationId: string): Promise<Operation>;
}

export interface Vault {
  readonly mode: 'online' | 'offline';
  readonly read: VaultRead;
  readonly write: VaultWrite | null;
}
