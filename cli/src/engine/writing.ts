/** New and changed fields, moves, deletions, groups. */
import type { FieldChange, NewField, Vault, VaultWrite } from '@passwordbroker/client/vault/vault';
import { parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';
import { CommandError, EXIT, wrongUsage } from '../failure.ts';
import type { Reference } from '../references.ts';
import { oneEntry, oneField, oneGroup } from './find.ts';

/** A value that a person typed, or the content of a file. */
export type Given =
  | {
      readonly type: 'password' | 'link' | 'note' | 'TOTP';
      readonly value: string;
      readonly login?: string | undefined;
    }
  | { readonly type: 'file'; readonly name: string; readonly base64: string };

/** `undo`: id for the command `undo`; null: cannot be undone. */
export interface Done {
  readonly undo: string | null;
}

/** @param signedIn rejects unless somebody is signed in */
export function writingOf({ read }: Pick<Vault, 'read'>, write: () => VaultWrite, signedIn: () => Promise<void>) {
  const parent = async (elements: readonly string[]) =>
    elements.length === 0 ? null : oneGroup(await read.tree(), elements).id;

  return {
    /** A new field, in a new entry unless there is one of this name. */
    async add({
      elements,
      title,
      given,
    }: {
      readonly elements: readonly string[];
      readonly title: string;
      readonly given: Given;
    }): Promise<Done> {
      await signedIn();
      const reference = { text: elements.join('/'), elements, part: null };
      const group = oneGroup(await read.tree(), elements.slice(0, -1));
      const existing = await oneEntry(read, reference).catch((error: unknown) => {
        if (error instanceof CommandError && error.failure.exit === EXIT.notFound) return null;
        throw error;
      });
      if (existing !== null) {
        await write().createField(existing, newField(title, given));
        return { undo: null };
      }
      const { entry_id: entryId, operationId } = await write().createEntry(group.id, elements.at(-1) ?? '');
      await write().createField({ entryGroupId: group.id, entryId }, newField(title, given));
      return { undo: operationId };
    },

    /** The next revision. @throws AppError `revision_conflict` */
    async edit({
      reference,
      value,
      title,
      login,
    }: {
      readonly reference: Reference;
      readonly value: string | null;
      readonly title: string | null;
      readonly login: string | null;
    }): Promise<void> {
      await signedIn();
      const found = await oneField(read, reference);
      const { field } = found;
      if (field.type === 'file') throw wrongUsage('A file is replaced in the browser, or removed and added again.');
      const former = value === null || field.type === 'TOTP' ? await read.reveal(found) : null;
      const text = value ?? former?.text ?? '';
      const shared = { title: title ?? field.title, value: text };
      const change: FieldChange =
        field.type === 'password'
          ? { type: 'password', ...shared, login: login ?? field.login }
          : field.type === 'TOTP'
            ? {
                type: 'TOTP',
                ...shared,
                algorithm: former?.totp?.algorithm ?? 'sha1',
                period: former?.totp?.period ?? 30,
              }
            : { type: field.type, ...shared };
      await write().updateField(found, change, { isValueChanged: value !== null });
    },

    async remove({ references }: { readonly references: readonly Reference[] }): Promise<Done[]> {
      await signedIn();
      const entries = [];
      for (const reference of references) entries.push(await oneEntry(read, reference));
      const done: Done[] = [];
      for (const [groupId, some] of byGroup(entries))
        done.push({ undo: (await write().removeEntries(groupId, some)).operation_id });
      return done;
    },

    async move({
      references,
      group,
    }: {
      readonly references: readonly Reference[];
      readonly group: readonly string[];
    }): Promise<Done[]> {
      await signedIn();
      const target = oneGroup(await read.tree(), group).id;
      const entries = [];
      for (const reference of references) entries.push(await oneEntry(read, reference));
      const done: Done[] = [];
      for (const [groupId, some] of byGroup(entries))
        done.push({ undo: (await write().moveEntries(groupId, some, target)).operationId });
      return done;
    },

    async undo({ operationId }: { readonly operationId: string | null }): Promise<void> {
      await signedIn();
      const id = operationId ?? (await read.journal(1)).data[0]?.operation_id;
      if (id === undefined) throw new CommandError(EXIT.notFound, 'not_found', 'There is nothing to undo.');
      await write().undo(id);
    },

    async addGroup({
      elements,
      isShared,
    }: {
      readonly elements: readonly string[];
      readonly isShared: boolean;
    }): Promise<void> {
      await signedIn();
      const parentId = await parent(elements.slice(0, -1));
      const sameMembers = isShared && parentId !== null ? await read.members(parentId) : false;
      await write().createGroup({ name: elements.at(-1) ?? '', parentId, sameMembers });
    },

    async renameGroup({
      elements,
      name,
    }: {
      readonly elements: readonly string[];
      readonly name: string;
    }): Promise<Done> {
      await signedIn();
      return { undo: (await write().renameGroup(oneGroup(await read.tree(), elements).id, name)).operationId };
    },

    async removeGroup({ elements }: { readonly elements: readonly string[] }): Promise<Done> {
      await signedIn();
      return { undo: (await write().removeGroup(oneGroup(await read.tree(), elements).id)).operation_id };
    },
  };
}

function byGroup(entries: readonly { readonly entryGroupId: string; readonly entryId: string }[]) {
  const groups = new Map<string, string[]>();
  for (const { entryGroupId, entryId } of entries)
    groups.set(entryGroupId, [...(groups.get(entryGroupId) ?? []), entryId]);
  return groups;
}

function newField(title: string, given: Given): NewField {
  switch (given.type) {
    case 'password':
      return { type: 'password', title, login: given.login ?? '', value: given.value };
    case 'TOTP': {
      const read = parseTotpSecret(given.value);
      if (read === null) throw wrongUsage('This is no secret of a one-time password with six digits.');
      return {
        type: 'TOTP',
        title,
        value: read.secret,
        algorithm: read.algorithm ?? 'sha1',
        period: read.period ?? 30,
      };
    }
    case 'file':
      return { type: 'file', title, file: new File([Buffer.from(given.base64, 'base64')], given.name) };
    case 'link':
    case 'note':
      return { type: given.type, title, value: given.value };
  }
}
