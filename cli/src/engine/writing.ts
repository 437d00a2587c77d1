/** New and changed fields, moves, deletions, groups. */
import { isEntryMove, lookAtMoveBack } from '@passwordbroker/client/vault/entries/move-back';
import type { FieldChange, NewField, Revealed, Vault, VaultWrite } from '@passwordbroker/client/vault/vault';
import { parseTotpSecret } from '@passwordbroker/core/domain/fields/totp';
import { changedSiteRules } from '@passwordbroker/core/domain/sites/changed-site-rules';
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

export interface Undone {
  /** What others have changed since. */
  readonly stays: number;
  /** Names of people who could read entries then, and cannot now. Not empty: nothing was undone. */
  readonly newReaders: readonly string[];
}

/**
 * @param signedIn rejects unless somebody is signed in
 * @param self id of this person
 */
export function writingOf(
  vault: Vault,
  write: () => VaultWrite,
  signedIn: () => Promise<void>,
  self: () => string | undefined,
) {
  const { read } = vault;
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
      try {
        await write().createField({ entryGroupId: group.id, entryId }, newField(title, given));
      } catch (error) {
        // No entry without its field. A server that is away keeps it: the next try adds the field to it.
        if (operationId !== null)
          await write()
            .undo(operationId)
            .catch(() => undefined);
        throw error;
      }
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
      if (login !== null && field.type !== 'password') throw wrongUsage('Only a password has a login.');
      // What is kept comes from the sealed value: a server could show another title or login.
      const [former] = await read.revealSeveral([found], { purpose: 'compare' });
      if (former === undefined) throw new RangeError('One value was asked for');
      const change = changedField(former, { value, title, login });
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

    /** A move of entries to people who cannot read them now is not undone unless `isAgreed`. */
    async undo({
      operationId,
      isAgreed,
    }: {
      readonly operationId: string | null;
      readonly isAgreed: boolean;
    }): Promise<Undone> {
      await signedIn();
      const id = operationId ?? (await lastOf(read, self()));
      if (id === undefined) throw new CommandError(EXIT.notFound, 'not_found', 'There is nothing to undo.');
      const row = await journalRow(read, id);
      if (row === undefined || !isEntryMove(row)) return { stays: (await write().undo(id)).stays, newReaders: [] };
      const { move, titles, newReaders } = await lookAtMoveBack(vault, row, self() ?? '');
      if (titles.length === 0) throw new CommandError(EXIT.notFound, 'not_found', 'The entries are there no longer.');
      if (newReaders.length > 0 && !isAgreed) {
        const members = await read.members(row.from);
        const nameOf = (id: string) => members.find(({ user_id }) => user_id === id)?.user.name ?? id;
        return { stays: 0, newReaders: newReaders.map(({ userId }) => nameOf(userId)) };
      }
      await write().undoEntryMove(move);
      return { stays: row.target_ids.length - titles.length, newReaders: [] };
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

    /** @param target the group above it; empty: the top. @throws CommandError with exit 6 where the server leaves it */
    async moveGroup({
      elements,
      target,
    }: {
      readonly elements: readonly string[];
      readonly target: readonly string[];
    }): Promise<Done> {
      await signedIn();
      const group = oneGroup(await read.tree(), elements);
      const { value, operationId } = await write().moveGroup(group.id, await parent(target));
      if (value.moved) return { undo: operationId };
      throw new CommandError(EXIT.refused, 'not_moved', `“${group.path}” cannot be moved there.`);
    },

    async removeGroup({ elements }: { readonly elements: readonly string[] }): Promise<Done> {
      await signedIn();
      return { undo: (await write().removeGroup(oneGroup(await read.tree(), elements).id)).operation_id };
    },
  };
}

/** Pages of the trash, or of the journal, that are read; others may have deleted much since. */
const MOST_PAGES = 20;

/** The newest operation of this person that can be undone: deletions are in the trash, the others in the journal. */
async function lastOf(read: Vault['read'], self: string | undefined): Promise<string | undefined> {
  const [change] = (await read.journal(1)).data;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, last_page } = await read.trash({ page, groupId: null });
    // Ids sort by time, too.
    const newer = data.filter(({ operation_id: id }) => change === undefined || id > change.operation_id);
    const own = newer.find(({ user }) => user?.user_id === self);
    if (own !== undefined) return own.operation_id;
    if (newer.length < data.length || page >= last_page) break;
  }
  return change?.operation_id;
}

async function journalRow(read: Vault['read'], operationId: string) {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, last_page } = await read.journal(page);
    const row = data.find(({ operation_id }) => operation_id === operationId);
    if (row !== undefined || page >= last_page) return row;
  }
  return undefined;
}

function changedField(
  former: Revealed,
  {
    value,
    title,
    login,
  }: { readonly value: string | null; readonly title: string | null; readonly login: string | null },
): FieldChange {
  const kept = { title: title ?? former.title, value: value ?? former.text };
  switch (former.type) {
    case 'password':
      return { type: 'password', ...kept, login: login ?? former.login ?? '' };
    case 'TOTP': {
      const { algorithm = 'sha1', period = 30 } = former.totp ?? {};
      return {
        type: 'TOTP',
        title: kept.title,
        ...(value === null ? { value: kept.value, algorithm, period } : totpOf(value)),
      };
    }
    case 'file':
      throw new TypeError('Files are refused before');
    case 'link':
      return {
        type: 'link',
        ...kept,
        sites: changedSiteRules({ value: former.text, rules: former.sites }, kept.value),
      };
    case 'note':
      return { type: 'note', ...kept };
  }
}

/** @throws CommandError unless it is a secret, or an address of six-digit codes */
function totpOf(written: string) {
  const read = parseTotpSecret(written);
  if (read === null) throw wrongUsage('This is no secret of a one-time password with six digits.');
  return { value: read.secret, algorithm: read.algorithm ?? ('sha1' as const), period: read.period ?? 30 };
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
    case 'TOTP':
      return { type: 'TOTP', title, ...totpOf(given.value) };
    case 'file':
      return { type: 'file', title, file: new File([Buffer.from(given.base64, 'base64')], given.name) };
    case 'link':
    case 'note':
      return { type: given.type, title, value: given.value };
  }
}
