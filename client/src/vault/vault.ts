/**
 * The vault as one interface (architecture, point 5): reads without secrets, reveals, and writes. `write` is null where nothing can be
 * written. Every reveal opens one envelope in the crypto worker; who calls it holds the value and nobody else does.
 */
import type {
  Entry,
  Field,
  FieldHistory,
  GroupAnswer,
  GroupHistory,
  GroupUserWithCertificate,
  JournalRow,
  Operation,
  Removal,
  SearchRow,
  TargetKind,
  TrashItem,
  TreeNode,
} from '@passwordbroker/core/contract/entities';
import type { AnswerOf } from '@passwordbroker/core/contract/endpoint';
import type { Purge } from '@passwordbroker/core/contract/entries/operations';
import type { importFile } from '@passwordbroker/core/contract/entries/import';
import type { Memberships } from '../keyring/groups/memberships.ts';
import type { MemberWrites, PeopleReads, Rotations } from './groups/people.ts';
import type { TrustReads, TrustWrites } from './trust/trust.ts';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';

export interface EntryPath {
  readonly entryGroupId: string;
  readonly entryId: string;
}

/** What was clicked: place and type are taken from here, never from an answer (docs/spec/crypto.md §10). */
export interface FieldPath extends EntryPath {
  readonly field: Field;
}

/** As far as a row of a group's history knows its field: enough to say where a revision belongs. */
export interface PastFieldPath extends EntryPath {
  readonly field: Pick<Field, 'field_id' | 'type'>;
}

/** What was sealed with the value and differs from what the list says (docs/spec/crypto.md §1.6). */
/** `older`: the revision itself is an earlier one than this session has seen (docs/spec/threats.md §4.3, M23). */
export type Disagreement = 'title' | 'login' | 'totp' | 'file' | 'older';

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

export interface OpenedFile {
  readonly revealed: Revealed;
  /** `application/octet-stream`, whatever it is: it is saved, never shown (docs/spec/crypto.md §11). */
  readonly blob: Blob;
}

export interface Page<T> {
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

interface Continued {
  readonly before?: string;
  readonly limit?: number;
}

/** What a purge removes: one deletion, or the trash of a group (null: of all groups). */
export type Purging = { readonly operationId: string } | { readonly groupId: string | null };

interface TrashRequest {
  readonly page: number;
  /** null: of all groups. */
  readonly groupId: string | null;
}

export interface VaultRead extends PeopleReads {
  tree(signal?: AbortSignal): Promise<readonly TreeNode[]>;
  /** What `tree` would answer; null where somebody has to be asked for it. */
  treeAtHand(): readonly TreeNode[] | null;
  group(groupId: string, signal?: AbortSignal): Promise<GroupAnswer>;
  /** Opens the group's key under its signed list; what is wrong with either is then in `memberships`. @throws KeyringError 'locked', 'key_mismatch' */
  examine(groupId: string, signal?: AbortSignal): Promise<void>;
  members(groupId: string, signal?: AbortSignal): Promise<readonly GroupUserWithCertificate[]>;
  entries(groupId: string, signal?: AbortSignal): Promise<readonly Entry[]>;
  fields(path: EntryPath, signal?: AbortSignal): Promise<readonly Field[]>;
  search(request: SearchRequest, signal?: AbortSignal): Promise<Page<SearchRow>>;
  /** Newest first; `before` (an id of a row) continues behind that row, at most `limit` rows (default 200). */
  history(path: FieldPath, signal?: AbortSignal, continued?: Continued): Promise<readonly FieldHistory[]>;
  groupHistory(groupId: string, signal?: AbortSignal, continued?: Continued): Promise<readonly GroupHistory[]>;
  /** What deleting a group would take with it. */
  removal(groupId: string, signal?: AbortSignal): Promise<Removal>;
  /** What was deleted and may come back: everywhere, or in one group. */
  trash(request: TrashRequest, signal?: AbortSignal): Promise<Page<TrashItem>>;
  /** How much a purge would remove. */
  purgePreview(what: Purging, signal?: AbortSignal): Promise<Purge>;
  /** One's own moves, renames and imports that can still be taken back. */
  journal(page: number, signal?: AbortSignal): Promise<Page<JournalRow>>;
  /** Witnessed by the server (docs/spec/decisions.md K2). @throws KeyringError 'locked' */
  reveal(path: FieldPath, signal?: AbortSignal): Promise<Revealed>;
  /** The value as of a history row. */
  revealRevision(path: PastFieldPath, row: FieldHistory, signal?: AbortSignal): Promise<Revealed>;
  openFile(path: FieldPath, watched?: Watched): Promise<OpenedFile>;
  /** The file as of a history row; witnessed like `reveal`. */
  openRevisionFile(path: PastFieldPath, row: FieldHistory, watched?: Watched): Promise<OpenedFile>;
}

export interface NewGroup {
  readonly name: string;
  /** null: a new tree. */
  readonly parentId: string | null;
  /** 'Same members as the parent' (docs/spec/decisions.md G3): those whose names were shown, and nobody else, get the key. False: only oneself. */
  readonly sameMembers: false | readonly GroupUserWithCertificate[];
}

export type NewField = { readonly title: string } & (
  | { readonly type: 'password'; readonly login: string; readonly value: string }
  | { readonly type: 'link' | 'note'; readonly value: string }
  | { readonly type: 'TOTP'; readonly value: string; readonly algorithm: TotpAlgorithm; readonly period: number }
  | { readonly type: 'file'; readonly file: File }
);

/** What a field is to be; the type stays. `file: null` keeps the stored file. */
export type FieldChange =
  Exclude<NewField, { type: 'file' }> | { readonly type: 'file'; readonly title: string; readonly file: File | null };

/** An act with the name under which it can be taken back; null when there is nothing to take back. */
interface Undoable<T> {
  readonly value: T;
  readonly operationId: string | null;
}

/** A move of entries, as far as taking it back needs to know it. */
export interface EntryMove {
  readonly operationId: string;
  readonly fromGroupId: string;
  readonly toGroupId: string;
  readonly entryIds: readonly string[];
  /** The list of the group that they return to, as the person was shown it; absent where nobody was asked. */
  readonly shownList?: string;
}

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
  readonly members: MemberWrites;
  readonly trust: TrustWrites;
  createGroup(group: NewGroup): Promise<GroupAnswer>;
  createEntry(groupId: string, title: string): Promise<Entry>;
  /** `fieldId`: chosen by the caller, so that he finds the field again when the answer is lost. */
  createField(path: EntryPath, field: NewField, watched?: Watched & { readonly fieldId?: string }): Promise<Field>;
  /** One KeePass XML 2.x file as a new tree, all or nothing (docs/spec/decisions.md H7). */
  importFile(file: File, options?: ImportOptions): Promise<Imported>;
  /** The next revision after `field.rev` of the path. @throws AppError `revision_conflict` when another one came first */
  updateField(path: FieldPath, change: FieldChange, watched?: Watched): Promise<Field>;
  /** Writes the value of an older revision as a new one; witnessed like every reveal. */
  restoreRevision(path: FieldPath, row: FieldHistory, watched?: Watched): Promise<Field>;
  removeField(path: FieldPath): Promise<Operation>;
  renameEntry(path: EntryPath, title: string): Promise<Undoable<Entry>>;
  removeEntries(groupId: string, entryIds: readonly string[]): Promise<Operation>;
  /** All or none; every value and its history is wrapped anew for the target. Progress is that of the wrapping. */
  moveEntries(
    groupId: string,
    entryIds: readonly string[],
    targetGroupId: string,
    watched?: Watched,
  ): Promise<Undoable<{ readonly moved: number }>>;
  renameGroup(groupId: string, name: string): Promise<Undoable<GroupAnswer>>;
  /** `targetGroupId` null: to the root. `moved` false where the move is silently refused. */
  moveGroup(groupId: string, targetGroupId: string | null): Promise<Undoable<{ readonly moved: boolean }>>;
  removeGroup(groupId: string): Promise<Operation>;
  /** Takes back a deletion, a rename, the move of a group or an import. */
  undo(operationId: string): Promise<Operation>;
  /** Takes back a move of entries: needs the open keyring. */
  undoEntryMove(move: EntryMove, watched?: Watched): Promise<Operation>;
  /** Without items: all of it. */
  restore(
    operationId: string,
    items?: readonly { readonly kind: TargetKind; readonly id: string }[],
  ): Promise<Operation>;
  /** For good. @param items how many deletions `purgePreview` has counted. @throws AppError `conflict` when there are others by now; `reauth_required` */
  purge(what: Purging, items: number): Promise<void>;
}

export interface Vault {
  readonly mode: 'online' | 'offline';
  readonly read: VaultRead;
  readonly write: VaultWrite | null;
  readonly memberships: Memberships;
  readonly trust: TrustReads;
  readonly rotations: Rotations;
}
