import { v7 as newId } from 'uuid';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { FieldType } from '@passwordbroker/core/domain/fields/field-kinds';
import type {
  CreatedEntry,
  EntryMarks,
  NewField,
  VaultRead,
  VaultWrite,
  Watched,
} from '@passwordbroker/client/vault/vault';
import { type Draft, type DraftErrors, readDraft } from '../../fields/edit/new-field.ts';
import { ENTRY_TEXTS as TEXTS } from '../../texts/entries/entries.ts';
import { FIELD_TEXTS } from '../../texts/entries/fields.ts';

type ReadFields =
  | { readonly fields: readonly NewField[] }
  | { readonly errors: Readonly<Partial<Record<FieldType, DraftErrors>>> };

/** Fields of a new entry, in this order; each has its kind as its title. */
const KINDS = ['password', 'link', 'TOTP', 'note', 'file'] as const satisfies readonly FieldType[];

/** The filled fields to seal, without those already saved, or the errors by kind. */
export function readFields(draft: Draft, saved: ReadonlySet<FieldType>): ReadFields {
  const due = KINDS.filter((type) => !saved.has(type) && isFilled(draft, type));
  const read = due.map((type) => [type, readDraft({ ...draft, type, title: FIELD_TEXTS.kinds[type] })] as const);
  const errors = read.flatMap(([type, one]) => ('errors' in one ? [[type, one.errors] as const] : []));
  if (errors.length === 0) return { fields: read.flatMap(([, one]) => ('field' in one ? [one.field] : [])) };
  const byKind: Partial<Record<FieldType, DraftErrors>> = Object.fromEntries(errors);
  return { errors: draft.password === '' && byKind.password ? { ...byKind, password: LOGIN_ALONE } : byKind };
}

const LOGIN_ALONE: DraftErrors = { value: TEXTS.passwordMissing };

function isFilled(draft: Draft, type: FieldType): boolean {
  switch (type) {
    case 'password':
      return draft.login !== '' || draft.password !== '';
    case 'link':
      return draft.link.trim() !== '';
    case 'TOTP':
      return draft.secret.trim() !== '';
    case 'note':
      return draft.note !== '';
    case 'file':
      return draft.file !== null;
  }
}

interface Means {
  readonly read: Pick<VaultRead, 'fields'>;
  readonly write: Pick<VaultWrite, 'createEntry' | 'renameEntry' | 'markEntry' | 'createField' | 'updateField'>;
}

const NO_MARKS: Partial<EntryMarks> = {};

/** Creates one entry with its fields. Call `save` again after a failure: it creates only what is missing. */
export function newEntrySaving(entryGroupId: string, { read, write }: Means) {
  const path = { entryGroupId, entryId: newId() };
  const saved = new Set<FieldType>();
  const sent = new Map<FieldType, { readonly fieldId: string; readonly field: NewField }>();
  /** What the first request sent; a repeat must send the same. */
  let first: { readonly title: string; readonly marks: Partial<EntryMarks> } | null = null;
  let entry: CreatedEntry | null = null;

  /** After a lost response the entry may exist: then it is not added twice. */
  async function storeEntry(title: string, marks: Partial<EntryMarks>): Promise<CreatedEntry> {
    first ??= { title, marks };
    try {
      const made = await write.createEntry(entryGroupId, first.title, path.entryId, first.marks);
      const renamed = made.title === title ? made : { ...made, ...(await write.renameEntry(path, title)).value };
      return first.marks === marks ? renamed : { ...renamed, ...(await write.markEntry(path, marks)) };
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'validation') first = null;
      throw failure;
    }
  }

  async function storeField(field: NewField, watched: Watched): Promise<void> {
    const before = sent.get(field.type);
    const fieldId = before?.fieldId ?? newId();
    const stored =
      before === undefined ? undefined : (await read.fields(path)).find(({ field_id }) => field_id === fieldId);
    if (before !== undefined && stored !== undefined) {
      if (!isSame(before.field, field)) await write.updateField({ ...path, field: stored }, field, watched);
      return;
    }
    sent.set(field.type, { fieldId, field });
    await write.createField(path, field, { ...watched, fieldId });
  }

  return {
    /** Null until the entry is stored. */
    entry: () => entry,
    saved: saved as ReadonlySet<FieldType>,
    async save(
      title: string,
      fields: readonly NewField[],
      watched: Watched = {},
      marks: Partial<EntryMarks> = NO_MARKS,
    ): Promise<CreatedEntry> {
      entry ??= await storeEntry(title, marks);
      for (const field of fields) {
        watched.signal?.throwIfAborted();
        if (saved.has(field.type)) continue;
        await storeField(field, watched);
        saved.add(field.type);
      }
      return entry;
    },
  };
}

const isSame = (one: NewField, other: NewField) =>
  one.type === 'file' && other.type === 'file'
    ? one.file === other.file
    : JSON.stringify(one) === JSON.stringify(other);
