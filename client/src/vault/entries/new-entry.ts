import { v7 as newId } from 'uuid';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { CreatedEntry, EntryMarks, NewField, VaultRead, VaultWrite, Watched } from '../vault.ts';

export interface FilledField {
  /** Of the form that it was typed into. */
  readonly key: string;
  readonly field: NewField;
}

interface Means {
  readonly read: Pick<VaultRead, 'fields'>;
  readonly write: Pick<VaultWrite, 'createEntry' | 'renameEntry' | 'markEntry' | 'createField' | 'updateField'>;
}

const NO_MARKS: Partial<EntryMarks> = {};

/** Creates one entry with its fields. Call `save` again after a failure: it creates only what is missing. */
export function newEntrySaving(entryGroupId: string, { read, write }: Means) {
  const path = { entryGroupId, entryId: newId() };
  const saved = new Set<string>();
  const sent = new Map<string, { readonly fieldId: string; readonly field: NewField }>();
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

  async function storeField({ key, field }: FilledField, watched: Watched): Promise<void> {
    const before = sent.get(key);
    const fieldId = before?.fieldId ?? newId();
    const stored =
      before === undefined ? undefined : (await read.fields(path)).find(({ field_id }) => field_id === fieldId);
    if (before !== undefined && stored !== undefined) {
      if (!isSame(before.field, field)) await write.updateField({ ...path, field: stored }, field, watched);
      return;
    }
    sent.set(key, { fieldId, field });
    await write.createField(path, field, { ...watched, fieldId });
  }

  return {
    /** Null until the entry is stored. */
    entry: () => entry,
    saved: saved as ReadonlySet<string>,
    async save(
      title: string,
      fields: readonly FilledField[],
      watched: Watched = {},
      marks: Partial<EntryMarks> = NO_MARKS,
    ): Promise<CreatedEntry> {
      entry ??= await storeEntry(title, marks);
      for (const filled of fields) {
        watched.signal?.throwIfAborted();
        if (saved.has(filled.key)) continue;
        await storeField(filled, watched);
        saved.add(filled.key);
      }
      return entry;
    },
  };
}

const isSame = (one: NewField, other: NewField) =>
  one.type === 'file' && other.type === 'file'
    ? one.file === other.file
    : JSON.stringify(one) === JSON.stringify(other);
