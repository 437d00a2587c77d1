/**
 * Reads without secrets, reveals, and writes (null if read-only). A reveal opens one envelope in the keyring
 * worker.
 */
import type { ServiceWrites } from './service-accounts.ts';
import type {
  Entry,
  Field,
  FieldHistory,
  GroupAnswer,
  GroupHistory,
  GroupUserWithCertificate,
  HistoryEvent,
  JournalRow,
  ListedEntry,
  Operation,
  Removal,
  SearchRow,
  SeenBy,
  TargetKind,
  TrashItem,
  TreeNode,
} from '@passwordbroker/core/contract/entities';
import type { AnswerOf, BodyOf, QueryOf } from '@passwordbroker/core/contract/endpoint';
import type { GroupTemplate, save as saveTemplate } from '@passwordbroker/core/contract/groups/templates';
import type { DueKind, EntryIcon } from '@passwordbroker/core/domain/entry-marks';
import type { envelope, release } from '@passwordbroker/core/contract/entries/fields';
import type { Purge } from '@passwordbroker/core/contract/entries/operations';
import type { Export, start as startExport } from '@passwordbroker/core/contract/entries/exports';
import type { SkippedThing } from '@passwordbroker/core/domain/exchange/tree';
import type { importFile } from '@passwordbroker/core/contract/entries/import';
import type { Memberships } from '../keyring/groups/group-openings.ts';
import type { DetectedFile, ImportSource, ImportWork, ReadFile } from '../keyring/imports/import-calls.ts';
import type { MemberWrites, PeopleReads, Rotations } from './groups/people.ts';
import type { TrustReads, TrustWrites } from './trust/trust.ts';
import type { Page, Watched } from '../transport/http.ts';
import type { SiteRules } from '@passwordbroker/core/domain/sites/site-rules';
import type { FieldType, TotpAlgorithm } from '@passwordbroker/core/domain/fields/field-kinds';

export type { Page, Watched };

export interface EntryPath {
  readonly entryGroupId: string;
  readonly entryId: string;
}

/** The clicked field: place and type come from here, never from an answer (docs/spec/crypto.md §10). */
export interface FieldPath extends EntryPath {
  readonly field: Field;
}

/** As its name was resolved, without what a list shows beside it. */
export interface ResolvedPath extends EntryPath {
  readonly field: Pick<Field, 'field_id' | 'type' | 'title' | 'rev'>;
}

export interface PastFieldPath extends EntryPath {
  readonly field: Pick<Field, 'field_id' | 'type'>;
}

/**
 * Sealed metadata that differs from the list (docs/spec/crypto.md §10). `older`: an earlier revision than
 * this session has seen (docs/spec/threats.md M23).
 */
export type Disagreement = 'title' | 'login' | 'totp' | 'file' | 'older';

export interface Revealed {
  readonly type: FieldType;
  readonly title: string;
  /** Passwords only. */
  readonly login: string | null;
  /** Text of a password, link or note; base32 secret of a TOTP; '' for a file. */
  readonly text: string;
  readonly totp: { readonly algorithm: TotpAlgorithm; readonly period: number } | null;
  readonly file: { readonly name: string; readonly mime: string; readonly size: number } | null;
  /** Of a link that has rules and is not from a local copy: where it may be offered. */
  readonly sites?: SiteRules;
  readonly disagreements: readonly Disagreement[];
}

export interface OpenedFile {
  readonly revealed: Revealed;
  /** Always `application/octet-stream`: it is saved, never shown. */
  readonly blob: Blob;
}

interface SearchRequest {
  readonly query: string;
  readonly page: number;
  readonly perPage: number;
}

interface Continued {
  readonly before?: string;
  readonly limit?: number;
}

/** The offline copy ignores it. Times in ISO 8601; `from` counts, `to` does not. */
export interface HistoryFilter {
  readonly user_id?: string;
  readonly event_type?: HistoryEvent;
  readonly from?: string;
  readonly to?: string;
  /** Adds the groups below that the person may read. */
  readonly with_children?: boolean;
}

/** One deletion, or the trash of a group (null: of all groups). */
export type Purging = { readonly operationId: string } | { readonly groupId: string | null };

interface TrashRequest {
  readonly page: number;
  readonly groupId: string | null;
}

/** What values are opened for, as the history says it. */
export type ReleaseUse = Pick<BodyOf<typeof release>, 'purpose' | 'label'>;
export type OnePurpose = NonNullable<QueryOf<typeof envelope>['purpose']>;

export interface VaultRead extends PeopleReads {
  tree(signal?: AbortSignal): Promise<readonly TreeNode[]>;
  /** The result of `tree` if it needs no request, else null. */
  treeAtHand(): readonly TreeNode[] | null;
  group(groupId: string, signal?: AbortSignal): Promise<GroupAnswer>;
  /**
   * Opens the group's key; problems are then in `memberships`. @throws KeyringError 'locked', 'key_mismatch'
   */
  examine(groupId: string, signal?: AbortSignal): Promise<void>;
  members(groupId: string, signal?: AbortSignal): Promise<readonly GroupUserWithCertificate[]>;
  entries(groupId: string, signal?: AbortSignal): Promise<readonly ListedEntry[]>;
  fields(path: EntryPath, signal?: AbortSignal): Promise<readonly Field[]>;
  search(request: SearchRequest, signal?: AbortSignal): Promise<FoundPage>;
  /** In the order of `entryIds`, without those that are gone or that the person may not read. */
  entriesById(entryIds: readonly string[], signal?: AbortSignal): Promise<readonly SearchRow[]>;
  /** Newest first; `before` (a row id) continues after that row; at most `limit` rows (default 200). */
  history(path: FieldPath, signal?: AbortSignal, continued?: Continued): Promise<readonly FieldHistory[]>;
  groupHistory(
    groupId: string,
    signal?: AbortSignal,
    asked?: Continued & HistoryFilter,
  ): Promise<readonly GroupHistory[]>;
  /**
   * Newest first. A member gets only their own reveals, moderators and admins get everybody's
   * (docs/spec/decisions.md K11).
   */
  seenBy(path: EntryPath, signal?: AbortSignal): Promise<readonly SeenBy[]>;
  removal(groupId: string, signal?: AbortSignal): Promise<Removal>;
  trash(request: TrashRequest, signal?: AbortSignal): Promise<Page<TrashItem>>;
  purgePreview(what: Purging, signal?: AbortSignal): Promise<Purge>;
  /** One's own moves, renames and imports that can still be undone. */
  journal(page: number, signal?: AbortSignal): Promise<Page<JournalRow>>;
  /** Recorded by the server (docs/spec/decisions.md K2). @throws KeyringError 'locked' */
  reveal(path: FieldPath, signal?: AbortSignal, purpose?: OnePurpose): Promise<Revealed>;
  /**
   * Several at once, in their order: all, or none. The history says what for.
   */
  revealSeveral(paths: readonly ResolvedPath[], use: ReleaseUse): Promise<readonly Revealed[]>;
  revealRevision(path: PastFieldPath, row: FieldHistory, signal?: AbortSignal): Promise<Revealed>;
  openFile(path: FieldPath, watched?: Watched): Promise<OpenedFile>;
  openRevisionFile(path: PastFieldPath, row: FieldHistory, watched?: Watched): Promise<OpenedFile>;
}

export interface NewGroup {
  readonly name: string;
  /** null: a new tree. */
  readonly parentId: string | null;
  /** Members who get the key, as shown (docs/spec/decisions.md G3). False: only oneself. */
  readonly sameMembers: false | readonly GroupUserWithCertificate[];
}

export type NewField = { readonly title: string } & (
  | { readonly type: 'password'; readonly login: string; readonly value: string }
  /** `sites` of a link only; absent: those of its value. */
  | { readonly type: 'link' | 'note'; readonly value: string; readonly sites?: SiteRules }
  | { readonly type: 'TOTP'; readonly value: string; readonly algorithm: TotpAlgorithm; readonly period: number }
  | { readonly type: 'file'; readonly file: File }
);

/** `file: null` keeps the stored file. */
export type FieldChange =
  | Exclude<NewField, { type: 'file' }>
  | { readonly type: 'file'; readonly title: string; readonly file: File | null };

/** Whether the value is another one: then the due date of an entry with `rotate_days` moves ahead. */
interface ValueChange {
  readonly isValueChanged?: boolean;
}

/** `operationId` is for `undo`; null: cannot be undone. */
/** `similar`: no entry has the words as written, these have similar ones. */
export interface FoundPage extends Page<SearchRow> {
  readonly similar?: true | undefined;
}

interface Undoable<T> {
  readonly value: T;
  readonly operationId: string | null;
}

/** For everybody who sees the entry. '' and 0 mean none. */
export interface EntryMarks {
  readonly tags: readonly string[];
  readonly icon: EntryIcon | '';
  /** '2027-01-31' */
  readonly due_at: string;
  readonly due_kind: DueKind;
  readonly rotate_days: number;
}

/** A kind of entry as an admin of its group writes it. */
export type TemplateChange = BodyOf<typeof saveTemplate>;

export interface EntryMove {
  readonly operationId: string;
  readonly fromGroupId: string;
  readonly toGroupId: string;
  readonly entryIds: readonly string[];
  /** Hash of the list of the group they return to; absent if nobody was asked. */
  readonly shownList?: string;
}

export interface ImportProgress {
  readonly phase: ImportWork['phase'] | 'comparing' | 'uploading' | 'storing';
  /** Bytes while reading and uploading, fields while comparing and sealing, seconds while a key is derived. */
  readonly done: number;
  readonly total: number;
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export type Imported = AnswerOf<typeof importFile>;

export type { DetectedFile, ReadFile };

export interface ImportChoice {
  readonly rootName: string;
  /** Indices of entries of `ReadFile` that are left out. */
  readonly without: readonly number[];
  /** Into existing groups instead of a new tree. */
  readonly into?: {
    /** For each group of `ReadFile` the existing one of the same path, or null. The first is the chosen one. */
    readonly groups: readonly (string | null)[];
    /** New groups have the members of the group above; otherwise the importer alone. */
    readonly sameMembers: boolean;
    /**
     * Indices of entries that revise the existing one that they look like: values that differ become new revisions,
     * fields that it lacks are added. The present values are released, which the server records.
     */
    readonly revise: readonly number[];
  };
}

/** Entries of a file that look like existing ones. */
export interface Duplicates {
  /** In the group of the same path: indices in `ReadFile.entries`. */
  readonly same: ReadonlySet<number>;
  /** In another group that the person may read: its name, by index. */
  readonly elsewhere: ReadonlyMap<number, string>;
}

/** A file is read and shown before anything is sent (docs/spec/decisions.md H7). */
export interface ImportWrites {
  /** By content. @throws KeyringError 'import_file' with what the person can do */
  detect(file: Blob): Promise<DetectedFile>;
  /** What it found stays in the worker. @throws KeyringError 'import_file' */
  read(source: ImportSource, options?: ImportOptions): Promise<ReadFile>;
  /** 'keepass', or 'keepass (2)' when a tree has that name. */
  freeName(base: string, signal?: AbortSignal): Promise<string>;
  /**
   * @param groups as `ImportChoice.into`
   * @returns indices of entries that look like existing ones
   */
  compare(handle: number, groups: readonly (string | null)[], signal?: AbortSignal): Promise<Duplicates>;
  /**
   * Opens the present values of entries of `Duplicates.same` in the worker, which the server records.
   * @returns for each that was compared the titles of its fields that differ; none: both are equal
   */
  compareValues(
    handle: number,
    groups: readonly (string | null)[],
    entries: readonly number[],
    options: ImportOptions,
  ): Promise<ReadonlyMap<number, readonly string[]>>;
  /**
   * Seals what was read and stores it, all or nothing: as a new tree, or with `choice.into` in existing groups.
   * @throws KeyringError 'import_file' with detail 'gone' (dropped) or 'too_large' (too large once sealed); AppError;
   * NetworkError
   */
  store(handle: number, choice: ImportChoice, options?: ImportOptions): Promise<Imported>;
  /** Forgets what was read. */
  drop(handle: number): void;
}

export type ExportRequest = BodyOf<typeof startExport>;

export interface ExportWork {
  /** Values while opening, entries while writing. */
  readonly phase: 'opening' | 'writing';
  readonly done: number;
  readonly total: number;
}

export interface WrittenExport {
  /** The page gets nothing of an encrypted file but its bytes. */
  readonly file: Blob;
  readonly extension: string;
  readonly values: number;
  /** Values that were moved, deleted or taken away meanwhile. */
  readonly gone: number;
  /** Values that do not open. */
  readonly failed: number;
  /** What the kind of file does not hold. */
  readonly lost: readonly SkippedThing[];
  /** Whether one import takes all of the file again. */
  readonly isImportable: boolean;
}

export interface ExportWrites {
  /** @throws AppError `reauth_required`, `forbidden`, `conflict` (docs/spec/api.md §3.10) */
  start(request: ExportRequest, signal?: AbortSignal): Promise<Export>;
  /**
   * Opens all values, each of which the server records, and writes the file.
   * @param how `name`: of groups without a common one; `password`: of encrypted kinds
   */
  write(
    started: Export,
    how: { readonly name: string; readonly password: string },
    options?: { readonly signal?: AbortSignal | undefined; readonly onProgress?: (work: ExportWork) => void },
  ): Promise<WrittenExport>;
  /** What was released stays recorded. */
  cancel(exportId: string): Promise<Export>;
}

/** A link with its opened rules. */
export interface SiteLink extends EntryPath {
  readonly fieldId: string;
  /** Of the entry, as the server lists it. */
  readonly title: string;
  readonly rev: number;
  readonly rules: SiteRules;
}

export interface Sites {
  /**
   * All links that have rules. The first call reads all groups, later ones what has changed; the rules stay in memory
   * until the lock. Rules that do not open are left out, and groups that do not are tried again by each call. Answers
   * the same list until something changes.
   * @throws KeyringError 'locked'
   */
  read(): Promise<readonly SiteLink[]>;
  /** How many groups with rules the last `read` could not open. */
  closedGroups(): number;
  /** Changes the rules of a link and answers them; `read` has them when called again. @throws AppError */
  change(link: Pick<SiteLink, 'entryGroupId' | 'fieldId'>, update: (rules: SiteRules) => SiteRules): Promise<SiteRules>;
  /** Links of the group that have no rules yet. */
  unprepared(groupId: string, signal?: AbortSignal): Promise<number>;
  /**
   * Opens these links, each of which the server records, and stores their rules. What was done before an error or the
   * signal stays. `others`: links that are no web addresses.
   */
  prepare(
    groupId: string,
    options?: {
      readonly signal?: AbortSignal | undefined;
      readonly onProgress?: (done: number, total: number) => void;
    },
  ): Promise<{ readonly prepared: number; readonly others: number }>;
}

export interface CreatedEntry extends Entry {
  /** Its undo takes the entry back with all its fields; null from an older server. */
  readonly operationId: string | null;
}

export interface VaultWrite {
  readonly members: MemberWrites;
  readonly trust: TrustWrites;
  readonly imports: ImportWrites;
  /** The code loads with the first export. */
  readonly exports: () => Promise<ExportWrites>;
  /** The code loads with the first call; always the same object. */
  readonly sites: () => Promise<Sites>;
  /** The code loads with the first service account. */
  readonly services: () => Promise<ServiceWrites>;
  createGroup(group: NewGroup): Promise<GroupAnswer>;
  /** A repeated call with the same arguments answers the entry that the first one made. */
  createEntry(groupId: string, title: string, entryId?: string, marks?: Partial<EntryMarks>): Promise<CreatedEntry>;
  /** `fieldId` lets the caller find the field if the answer is lost. */
  createField(path: EntryPath, field: NewField, watched?: Watched & { readonly fieldId?: string }): Promise<Field>;
  /** Writes revision `path.field.rev + 1`. @throws AppError `revision_conflict` if it exists */
  updateField(path: FieldPath, change: FieldChange, watched?: Watched & ValueChange): Promise<Field>;
  /** Recorded as a reveal. */
  restoreRevision(path: FieldPath, row: FieldHistory, watched?: Watched): Promise<Field>;
  removeField(path: FieldPath): Promise<Operation>;
  renameEntry(path: EntryPath, title: string): Promise<Undoable<Entry>>;
  /** Absent members stay. */
  markEntry(path: EntryPath, marks: Partial<EntryMarks>): Promise<Entry>;
  /** Tags of readable entries, the most frequent first, to choose from. */
  tagsInUse(signal?: AbortSignal): Promise<readonly string[]>;
  removeEntries(groupId: string, entryIds: readonly string[]): Promise<Operation>;
  /** All or none; `onProgress` reports the wrapping. */
  moveEntries(
    groupId: string,
    entryIds: readonly string[],
    targetGroupId: string,
    watched?: Watched,
  ): Promise<Undoable<{ readonly moved: number }>>;
  /** Kinds of entries of the group, then of the groups above it. */
  templates(groupId: string, signal?: AbortSignal): Promise<readonly GroupTemplate[]>;
  /** Adds a kind, or replaces the one with this id. @throws AppError `conflict` if the group has three others */
  saveTemplate(groupId: string, templateId: string, template: TemplateChange): Promise<GroupTemplate>;
  removeTemplate(groupId: string, templateId: string): Promise<void>;
  renameGroup(groupId: string, name: string): Promise<Undoable<GroupAnswer>>;
  /** `targetGroupId` null: to the root. `moved` false: silently refused. */
  moveGroup(groupId: string, targetGroupId: string | null): Promise<Undoable<{ readonly moved: boolean }>>;
  removeGroup(groupId: string): Promise<Operation>;
  /**
   * Undoes a deletion, a rename, the move of a group or an import. An import that changed values needs the open keyring.
   * `stays` counts what others have changed since the import, and stays.
   */
  undo(operationId: string): Promise<Operation & { readonly stays: number }>;
  /** Needs the open keyring. */
  undoEntryMove(move: EntryMove, watched?: Watched): Promise<Operation>;
  /** Default: all. */
  restore(
    operationId: string,
    items?: readonly { readonly kind: TargetKind; readonly id: string }[],
  ): Promise<Operation>;
  /**
   * @param items count of `purgePreview`. @throws AppError `conflict` if it has changed; `reauth_required`
   */
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
