/** Writes: sealed here, structure checked there. Ids are chosen here, because sealed values are bound to them. */
import { v7 as newId } from 'uuid';
import * as entries from '@passwordbroker/core/contract/entries';
import * as groups from '@passwordbroker/core/contract/entry-groups';
import * as fields from '@passwordbroker/core/contract/fields';
import * as operations from '@passwordbroker/core/contract/operations';
import { AppError } from '@passwordbroker/core/contract/problem';
import type { PlainContent, SealedPlace } from '../keyring/calls.ts';
import type { Keyring } from '../keyring/keyring.ts';
import type { Http } from '../lib/http.ts';
import { importFile } from './online-import.ts';
import type { EntryPath, NewField, NewGroup, VaultWrite, Watched } from './vault.ts';

export function onlineWrites(http: Http, keyring: Keyring): VaultWrite {
  async function createGroup({ name, parentId, sameMembers }: NewGroup) {
    const groupId = newId();
    const members =
      parentId !== null && sameMembers ? await http.call(groups.members, { params: { g: parentId } }) : [];
    const withKeys = members.flatMap(({ certificate, role, user_id }) =>
      certificate === null || certificate.user_id !== user_id ? [] : [{ certificate, role }],
    );
    const keys = await keyring.call('createGroupKeys', { groupId, members: withKeys });
    return http.call(groups.create, {
      body: {
        name,
        entry_group_id: groupId,
        ...(parentId === null ? {} : { parent_entry_group_id: parentId, same_members_as_parent: sameMembers }),
        ...keys,
      },
    });
  }

  /** Seals under the group's present key; when the server has a newer one, once more under that. */
  async function underPresentKey<T>(groupId: string, write: () => Promise<T>): Promise<T> {
    const open = () => keyring.openGroup(groupId, () => http.call(groups.roster, { params: { g: groupId } }));
    await open();
    try {
      return await write();
    } catch (failure) {
      if (!(failure instanceof AppError) || failure.code !== 'key_version_conflict') throw failure;
      keyring.forgetGroup(groupId);
      await open();
      return write();
    }
  }

  async function createField(path: EntryPath, field: NewField, watched: Watched = {}) {
    const place: SealedPlace = { ...path, fieldId: newId(), type: field.type, rev: 1 };
    return underPresentKey(path.entryGroupId, () =>
      field.type === 'file' ? sendFile(place, field.title, field.file, watched) : sendText(place, field, watched),
    );
  }

  async function sendText(place: SealedPlace, field: Exclude<NewField, { type: 'file' }>, { signal }: Watched) {
    const revision = await keyring.call('sealField', { place, content: contentOf(field) }, { signal });
    return http.call(fields.create, {
      params: { g: place.entryGroupId, e: place.entryId },
      body: { field_id: place.fieldId, type: place.type, title: field.title, ...columnsOf(field), ...revision },
      signal,
    });
  }

  async function sendFile(place: SealedPlace, title: string, file: File, { signal, onProgress }: Watched) {
    const described = { title, name: file.name, mime: file.type };
    const { revision, body } = await keyring.call('sealFile', { place, ...described, file }, { signal });
    const form = new FormData();
    const members = {
      field_id: place.fieldId,
      type: place.type,
      title,
      file_name: file.name,
      file_mime: file.type,
      file_size: file.size,
      ...revision,
    };
    for (const [name, value] of Object.entries(members)) form.set(name, String(value));
    form.set('file', body, 'body');
    return http.call(fields.create, {
      params: { g: place.entryGroupId, e: place.entryId },
      form,
      signal,
      onSent: (sent, total) => onProgress?.(total === 0 ? 0 : sent / total),
    });
  }

  return {
    createGroup,
    createEntry: (g, title) => http.call(entries.create, { params: { g }, body: { title, entry_id: newId() } }),
    createField,
    importFile: (file, options) => importFile(http, keyring, file, options),
    undo: (operationId) => http.call(operations.undo, { params: { operationId }, body: {} }),
  };
}

function contentOf(field: Exclude<NewField, { type: 'file' }>): PlainContent {
  const { title, value: text } = field;
  if (field.type === 'password') return { title, login: field.login, text };
  if (field.type === 'TOTP') return { title, text, totp: { algorithm: field.algorithm, period: field.period } };
  return { title, text };
}

/** The plain copy of what is sealed: search needs it. */
function columnsOf(field: Exclude<NewField, { type: 'file' }>) {
  if (field.type === 'password') return { login: field.login };
  if (field.type === 'TOTP') return { totp_hash_algorithm: field.algorithm, totp_timeout: field.period };
  return {};
}
