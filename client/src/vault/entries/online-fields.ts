/**
 * Fields: each change is a new revision, sealed here and compared with the present one on the server
 * (docs/spec/crypto.md §10).
 */
import { v7 as newId } from 'uuid';
import * as fields from '@passwordbroker/core/contract/entries/fields';
import type { VaultKeyring } from '../../keyring/groups/group-openings.ts';
import type { Http } from '../../transport/http.ts';
import type { OnlineKeys } from '../online-keys.ts';
import { fieldParams, MAX_BODY_BYTES, onlineReleases, placeOf } from './online-reveals.ts';
import type { FieldChange, FieldPath, VaultWrite, Watched, NewField } from '../vault.ts';
import type { ContentToSeal, SealedColumns } from '../../keyring/calls.ts';

type FieldWrites = Pick<VaultWrite, 'createField' | 'updateField' | 'restoreRevision' | 'removeField'>;
type Changing = NonNullable<Parameters<VaultWrite['updateField']>[2]>;
type TextChange = Exclude<FieldChange, { type: 'file' }>;

export function onlineFields(http: Http, keyring: VaultKeyring, keys: OnlineKeys): FieldWrites {
  const releases = onlineReleases(http, keyring, keys);

  async function updateText(path: FieldPath, change: TextChange, { signal, isValueChanged }: Changing) {
    const content = contentOf(change);
    const revision = await keyring.call('sealField', { place: nextOf(path), content }, { signal });
    const changed = isValueChanged === true ? { value_changed: true } : {};
    const body = { ...plainColumns(content), ...revision, base_rev: path.field.rev, ...changed };
    return http.call(fields.update, { params: fieldParams(path), body, signal });
  }

  async function replaceFile(path: FieldPath, title: string, file: File, { signal, onProgress }: Watched) {
    const described = { title, name: file.name, mime: file.type };
    const sealed = await keyring.call('sealFile', { place: nextOf(path), ...described, file }, { signal });
    const columns = plainColumns({ title, file: { ...described, size: file.size } });
    const form = formOf({ ...columns, ...sealed.revision, base_rev: path.field.rev }, sealed.body);
    return http.call(fields.update, { params: fieldParams(path), form, signal, onSent: partOf(onProgress) });
  }

  /** The stored body stays; its key is wrapped for the next revision inside the worker. */
  async function keepFile(path: FieldPath, title: string, { signal }: Watched) {
    const from = await releases.present(path, signal);
    const { revision, columns } = await keyring.call('reseal', { place: nextOf(path), from, title }, { signal });
    const body = { ...plainColumns(columns), ...revision, base_rev: path.field.rev, keep_file: true };
    return http.call(fields.update, { params: fieldParams(path), body, signal });
  }

  return {
    createField(path, field, { signal, onProgress, fieldId = newId() } = {}) {
      const params = { g: path.entryGroupId, e: path.entryId };
      const place = { ...path, fieldId, type: field.type, rev: 1 };
      const named = { field_id: place.fieldId, type: field.type };
      return keys.withCurrentKeys([path.entryGroupId], async () => {
        if (field.type !== 'file') {
          const content = contentOf(field);
          const revision = await keyring.call('sealField', { place, content }, { signal });
          return http.call(fields.create, {
            params,
            body: { ...named, ...plainColumns(content), ...revision },
            signal,
          });
        }
        const { title, file } = field;
        const described = { title, name: file.name, mime: file.type };
        const sealed = await keyring.call('sealFile', { place, ...described, file }, { signal });
        const columns = plainColumns({ title, file: { ...described, size: file.size } });
        const form = formOf({ ...named, ...columns, ...sealed.revision }, sealed.body);
        return http.call(fields.create, { params, form, signal, onSent: partOf(onProgress) });
      });
    },

    updateField: (path, change, watched = {}) =>
      keys.withCurrentKeys([path.entryGroupId], () => {
        if (change.type !== 'file') return updateText(path, change, watched);
        return change.file === null
          ? keepFile(path, change.title, watched)
          : replaceFile(path, change.title, change.file, watched);
      }),

    restoreRevision: (path, row, { signal, onProgress } = {}) =>
      keys.withCurrentKeys([path.entryGroupId], async () => {
        const params = fieldParams(path);
        const from = await releases.ofRow(path, row, signal);
        const stored = { params: { ...params, logId: row.field_edit_log_id }, signal, maxBytes: MAX_BODY_BYTES };
        // The download of the old body is the first half, the upload the second.
        const onReceived = partOf(onProgress, 0, 0.5);
        const bytes =
          path.field.type === 'file' ? await http.bytes(fields.historyFile, { ...stored, onReceived }) : null;
        const input = { place: nextOf(path), from, ...(bytes === null ? {} : { body: bytes.buffer }) };
        const transfer = bytes === null ? [] : [bytes.buffer];
        const { revision, columns, body } = await keyring.call('reseal', input, { signal, transfer });
        const members = { ...plainColumns(columns), ...revision, base_rev: path.field.rev };
        if (body === null) return http.call(fields.update, { params, body: members, signal });
        const onSent = partOf(onProgress, 0.5, 0.5);
        return http.call(fields.update, { params, form: formOf(members, body), signal, onSent });
      }),

    removeField: (path) => http.call(fields.remove, { params: fieldParams(path), body: {} }),
  };
}

const nextOf = (path: FieldPath) => placeOf(path, path.field.rev + 1);

/** Reports the bytes of one transfer as a part of the whole. */
const partOf =
  (onProgress: Watched['onProgress'], start = 0, length = 1) =>
  (done: number, total: number) =>
    onProgress?.(start + (total === 0 ? 0 : Math.min(1, done / total)) * length);

type TextField = Exclude<NewField, { type: 'file' }>;

function contentOf(field: TextField): ContentToSeal {
  const { title, value: text } = field;
  if (field.type === 'password') return { title, login: field.login, text };
  if (field.type === 'TOTP') return { title, text, totp: { algorithm: field.algorithm, period: field.period } };
  return { title, text, ...(field.sites === undefined ? {} : { sites: field.sites }) };
}

/** Columns as the wire names them. */
function plainColumns({ title, login, totp, file }: Partial<SealedColumns> & { readonly title: string }) {
  return {
    title,
    ...(login === null || login === undefined ? {} : { login }),
    ...(totp === null || totp === undefined ? {} : { totp_hash_algorithm: totp.algorithm, totp_timeout: totp.period }),
    ...(file === null || file === undefined
      ? {}
      : { file_name: file.name, file_mime: file.mime, file_size: file.size }),
  };
}

function formOf(members: Readonly<Record<string, string | number>>, body: Blob): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) form.set(name, String(value));
  form.set('file', body, 'body');
  return form;
}
